package main

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/certs"
)

// trustFlags say whom a command believes that talks to a gateway, and who it is
// itself.
type trustFlags struct {
	CA         string `name:"ca" placeholder:"FILE" help:"Authorities of the gateway's certificate, if not those of this machine."`
	ClientCert string `placeholder:"FILE" help:"Certificate that names this host, for a gateway with --client-ca."`
	ClientKey  string `placeholder:"FILE" help:"Key of --client-cert."`
}

func (f trustFlags) checkCert() error {
	if (f.ClientCert == "") != (f.ClientKey == "") {
		return errors.New("--client-cert, --client-key: go together")
	}
	return nil
}

// transport is how the command reaches the gateway.
func (f trustFlags) transport() (*http.Transport, error) {
	trust, err := certs.ClientConfig(certs.Files{Cert: f.ClientCert, Key: f.ClientKey, CA: f.CA})
	if err != nil {
		return nil, fmt.Errorf("--ca, --client-cert: %w", err)
	}
	// Without an own TLS configuration HTTP/2 is on by itself.
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.TLSClientConfig, t.ForceAttemptHTTP2 = trust, true
	return t, nil
}

// connect is a client of the gateway at an address.
func (f trustFlags) connect(url string, key Secret) (*client.Client, error) {
	transport, err := f.transport()
	if err != nil {
		return nil, err
	}
	c, err := client.New(url, string(key), client.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		return nil, fmt.Errorf("--url: %w", err)
	}
	return c, nil
}
