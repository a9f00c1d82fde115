package tenants

import (
	"errors"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"
)

// maxBootstrapBytes bounds a bootstrap file: thousands of keys fit, and a
// wrong path (a disk image, /dev/zero) does not fill the memory.
const maxBootstrapBytes = 1 << 20

// ErrBootstrapTooLarge says that a bootstrap file is over the limit.
var ErrBootstrapTooLarge = errors.New("bootstrap file is larger than 1 MiB")

// bootstrap is the form of a bootstrap file.
type bootstrap struct {
	Tenants []Tenant `json:"tenants"`
}

// Parse reads a bootstrap file:
//
//	tenants:
//	  - id: acme
//	    keys:
//	      - id: ci
//	        sha256: … # printf %s "$KEY" | sha256sum
//	        subject: ci@acme.example
//	        roles: [host]
//
// Unknown and repeated fields are refused by name.
func Parse(r io.Reader) (*Directory, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBootstrapBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read bootstrap: %w", err)
	}
	if len(raw) > maxBootstrapBytes {
		return nil, ErrBootstrapTooLarge
	}
	var file bootstrap
	if err := yaml.UnmarshalStrict(raw, &file); err != nil {
		return nil, fmt.Errorf("parse bootstrap: %w", err)
	}
	return NewDirectory(file.Tenants)
}
