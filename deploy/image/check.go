package main

import (
	"archive/tar"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// maxFile is more than any file of the image; beyond it something is wrong.
const maxFile = 512 << 20

// check reads a layout back, unpacks it, runs the program and compares its
// parts with their list.
func check(ctx context.Context, out string, r recipe) error {
	img, err := open(out)
	if err != nil {
		return err
	}
	if err := validate.Image(img); err != nil {
		return fmt.Errorf("validate: %w", err)
	}
	dir, err := os.MkdirTemp("", "image-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a temporary folder that stays does no harm
	if err := unpack(img, dir); err != nil {
		return err
	}
	return errors.Join(checkVersion(ctx, filepath.Join(dir, program), r), checkList(dir))
}

func open(out string) (v1.Image, error) {
	index, err := layout.ImageIndexFromPath(out)
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return nil, fmt.Errorf("open: %w", err)
	}
	if len(manifest.Manifests) != 1 {
		return nil, fmt.Errorf("open: %d images", len(manifest.Manifests))
	}
	return index.Image(manifest.Manifests[0].Digest)
}

// unpack writes the image's files into a folder.
func unpack(img v1.Image, dir string) error {
	files := mutate.Extract(img)
	defer func() { _ = files.Close() }() // it was only read
	for r := tar.NewReader(files); ; {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if !filepath.IsLocal(head.Name) || head.Size > maxFile {
			return fmt.Errorf("unpack: %s has no business here", head.Name)
		}
		data, err := io.ReadAll(io.LimitReader(r, maxFile))
		if err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, head.Name), data, os.FileMode(head.Mode)); err != nil {
			return fmt.Errorf("unpack: %w", err)
		}
	}
}

func checkVersion(ctx context.Context, binary string, r recipe) error {
	said, err := exec.CommandContext(ctx, binary, "version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("run the program: %w: %s", err, said)
	}
	if !strings.Contains(string(said), r.version) || !strings.Contains(string(said), r.commit) {
		return fmt.Errorf("the program says %q, not version %s and commit %s", said, r.version, r.commit)
	}
	return nil
}

// checkList wants every module of the program in the list.
func checkList(dir string) error {
	raw, err := os.ReadFile(filepath.Join(dir, list))
	if err != nil {
		return err
	}
	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return fmt.Errorf("read %s: %w", list, err)
	}
	listed := map[string]bool{}
	for _, c := range d.Components {
		listed[c.PURL] = true
	}
	info, err := buildinfo.ReadFile(filepath.Join(dir, program))
	if err != nil {
		return fmt.Errorf("read modules: %w", err)
	}
	for _, m := range info.Deps {
		if c := module(m); !listed[c.PURL] {
			return fmt.Errorf("%s does not list %s", list, c.PURL)
		}
	}
	return nil
}
