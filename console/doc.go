// Package console serves the web console: the built pages of console/web, which
// are part of the program. It knows nothing of the gateway; its pages talk to it
// over the HTTP surface, as anybody's would.
//
// It guarantees that a page loads nothing but what stands here: the policy that
// goes with every answer allows scripts, styles and connections of the same
// origin only, no inline scripts or styles, and no text that becomes HTML
// (trusted types). It does not check who asks: the pages hold no secrets, and who
// may see what is decided where they fetch it.
//
// The files under dist are made by `make generate` and committed, so that the
// program builds without Node.
package console
