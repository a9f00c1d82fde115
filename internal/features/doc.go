// Package features reads docs/features.yaml: what the gateway can do, each
// row with the evidence that shows it. The README's table is made from it
// (`make generate`), and tests resolve every citation, here and in
// cmd/gateway, where a gateway runs. A claim without evidence fails.
package features

//go:generate go run ./readme
