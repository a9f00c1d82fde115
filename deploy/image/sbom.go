package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"runtime/debug"
)

// document is a software bill of materials in CycloneDX's JSON, as far as it is
// known here. It has no time and no serial number: both would differ each time.
type document struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// parts lists the modules in the binary, as it says itself.
func (r recipe) parts() ([]byte, error) {
	info, err := buildinfo.ReadFile(r.binary)
	if err != nil {
		return nil, fmt.Errorf("read modules of binary: %w", err)
	}
	d := document{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{component{
		Type: "application", Name: info.Main.Path, Version: r.version, PURL: purl(info.Main.Path, r.version),
		Properties: []property{{"commit", r.commit}},
	}}}
	d.Components = append(d.Components, component{
		Type: "library", Name: "stdlib", Version: info.GoVersion, PURL: purl("stdlib", info.GoVersion),
	})
	for _, m := range info.Deps {
		d.Components = append(d.Components, module(m))
	}
	out, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return nil, fmt.Errorf("write list of parts: %w", err)
	}
	return append(out, '\n'), nil
}

func module(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: purl(m.Path, m.Version)}
	if m.Sum != "" {
		c.Properties = []property{{"go.sum", m.Sum}}
	}
	return c
}

func purl(path, version string) string { return "pkg:golang/" + path + "@" + version }
