// Command image writes a container image of the gateway as an OCI layout: its
// static binary and the list of its parts on an empty base, nothing else. No
// daemon is needed, and the same binary gives the same bytes.
//
// It then reads back what it wrote, unpacks it and runs the binary.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

func main() {
	binary := flag.String("binary", "bin/gateway", "the static binary")
	out := flag.String("out", "bin/image", "the folder of the layout; what is there is replaced")
	version := flag.String("version", "dev", "the version that the binary tells")
	commit := flag.String("commit", "unknown", "the commit that it was built from")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	digest, err := run(ctx, recipe{binary: *binary, version: *version, commit: *commit}, *out)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stdout, "%s %s\n", *out, digest)
}

// run writes an image, checks it and gives its digest.
func run(ctx context.Context, r recipe, out string) (v1.Hash, error) {
	img, err := r.image()
	if err != nil {
		return v1.Hash{}, err
	}
	if err := write(img, out); err != nil {
		return v1.Hash{}, err
	}
	if err := check(ctx, out, r); err != nil {
		return v1.Hash{}, fmt.Errorf("check %s: %w", out, err)
	}
	return img.Digest()
}

// write replaces a folder by the layout of an image.
func write(img v1.Image, out string) error {
	if err := os.RemoveAll(out); err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	index, err := layout.Write(out, empty.Index)
	if err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	if err := index.AppendImage(img); err != nil {
		return fmt.Errorf("write image: %w", err)
	}
	return nil
}
