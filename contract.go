// Package gateway holds the contract of the gateway's HTTP surface. The types
// of the server are generated from it (package api), and tests of that package
// fail when the contract and the routes part.
package gateway

import _ "embed"

// OpenAPI is openapi.yaml as it is written, comments included.
//
//go:embed openapi.yaml
var OpenAPI []byte
