package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	program = "gateway"
	list    = "sbom.cdx.json"
	nobody  = "65532:65532" // as deploy/k8s says
	source  = "https://github.com/session-gateway/gateway"
)

// recipe is what an image is made of.
type recipe struct{ binary, version, commit string }

// architectures are Go's names for those of ELF.
var architectures = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

// errNotStatic says that the binary needs something that an empty base lacks.
var errNotStatic = errors.New("the binary is not static")

// image is the image. Nothing in it depends on when or where it is made.
func (r recipe) image() (v1.Image, error) {
	arch, err := r.architecture()
	if err != nil {
		return nil, err
	}
	layer, err := r.layer()
	if err != nil {
		return nil, err
	}
	img, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
	if err != nil {
		return nil, fmt.Errorf("make image: %w", err)
	}
	img = mutate.ConfigMediaType(img, types.OCIConfigJSON)
	file, err := img.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("make image: %w", err)
	}
	file = file.DeepCopy()
	file.OS, file.Architecture = "linux", arch
	file.Config = v1.Config{
		Entrypoint: []string{"/" + program}, Cmd: []string{"serve"}, User: nobody, WorkingDir: "/",
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "9090/tcp": {}},
		Labels: map[string]string{
			"org.opencontainers.image.version": r.version, "org.opencontainers.image.revision": r.commit,
			"org.opencontainers.image.source": source, "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	if img, err = mutate.ConfigFile(img, file); err != nil {
		return nil, fmt.Errorf("make image: %w", err)
	}
	return img, nil
}

func (r recipe) architecture() (string, error) {
	f, err := elf.Open(r.binary)
	if err != nil {
		return "", fmt.Errorf("read binary: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			return "", fmt.Errorf("%s: %w: build it with CGO_ENABLED=0", r.binary, errNotStatic)
		}
	}
	arch, known := architectures[f.Machine]
	if !known {
		return "", fmt.Errorf("read binary: %s is not known here", f.Machine)
	}
	return arch, nil
}

// layer holds the program and the list of its parts.
func (r recipe) layer() (v1.Layer, error) {
	binary, err := os.ReadFile(r.binary)
	if err != nil {
		return nil, fmt.Errorf("read binary: %w", err)
	}
	parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range []struct {
		name string
		mode int64
		data []byte
	}{{program, 0o555, binary}, {list, 0o444, parts}} {
		head := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := w.WriteHeader(head); err != nil {
			return nil, fmt.Errorf("write layer: %w", err)
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, fmt.Errorf("write layer: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write layer: %w", err)
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(b.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
}
