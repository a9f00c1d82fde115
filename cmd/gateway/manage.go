package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/session-gateway/gateway/client"
)

// manageFlags are those of every command that administers a running gateway.
type manageFlags struct {
	URL string `default:"http://127.0.0.1:8080" help:"The gateway."`
	Key Secret `placeholder:"KEY" help:"The key of an admin or an operator; better given in the environment."`
	trustFlags
	JSON bool `help:"Print JSON instead of a table."`
}

func (m *manageFlags) dial() (*client.Client, error) { return m.connect(m.URL, m.Key) }

// print writes what was answered: as it came, or as a table.
func (m *manageFlags) print(answer any, table func(row func(...any))) error {
	if m.JSON {
		text, err := json.MarshalIndent(answer, "", "  ")
		if err != nil {
			return fmt.Errorf("print: %w", err)
		}
		return say(os.Stdout, string(text))
	}
	return printTable(os.Stdout, table)
}

func printTable(w io.Writer, table func(row func(...any))) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	table(func(cells ...any) {
		line := strings.TrimRight(strings.Repeat("%v\t", len(cells)), "\t") + "\n"
		_, _ = fmt.Fprintf(t, line, cells...) // Flush tells what went wrong
	})
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// when is a time in a table; "-" for none.
func when(at *time.Time) string {
	if at == nil || at.IsZero() {
		return "-"
	}
	return at.UTC().Format(time.RFC3339)
}
