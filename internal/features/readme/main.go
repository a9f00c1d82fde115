// Command readme puts the table of features into the README. It runs in
// internal/features, by `make generate`.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/session-gateway/gateway/internal/features"
)

// Where the two files are, from internal/features.
const (
	data   = "../../docs/features.yaml"
	readme = "../../README.md"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "readme:", err)
		os.Exit(1)
	}
}

func run() error {
	f, err := os.Open(data)
	if err != nil {
		return fmt.Errorf("open features: %w", err)
	}
	list, err := features.Load(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		return fmt.Errorf("read README: %w", err)
	}
	out, err := features.Splice(string(text), list)
	if err != nil {
		return err
	}
	if err := os.WriteFile(readme, []byte(out), 0o644); err != nil { //nolint:gosec // a document for everybody
		return fmt.Errorf("write README: %w", err)
	}
	return nil
}
