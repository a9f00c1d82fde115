// Package certs keeps what a TLS listener shows and trusts: a certificate, and
// the authorities whose client certificates it takes.
//
// It guarantees that a [Store] always has a valid set: [Store.Reload] takes
// what the files hold now, all of it or nothing. Connections that are open keep
// what they were made with. It doesn't watch the files; somebody has to call.
package certs

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// ErrNoAuthority says that a file of authorities holds no certificate.
var ErrNoAuthority = errors.New("holds no certificate in PEM form")

// Files says where the parts are.
type Files struct {
	Cert, Key string // of this side, in PEM form; the chain in one file
	CA        string // authorities of the other side's certificates
}

// Store is a set of certificates that can be read again. It may be used
// concurrently.
type Store struct {
	files   Files
	current atomic.Pointer[tls.Config]
}

// Open reads the files of a listener. Without CA it asks for no certificates.
func Open(f Files) (*Store, error) {
	s := &Store{files: f}
	return s, s.Reload()
}

// Reload reads the files again. With an error the set stays as it was.
func (s *Store) Reload() error {
	pair, err := tls.LoadX509KeyPair(s.files.Cert, s.files.Key)
	if err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	next := &tls.Config{
		Certificates: []tls.Certificate{pair},
		MinVersion:   tls.VersionTLS12,
		NextProtos:   []string{"h2", "http/1.1"},
	}
	if s.files.CA != "" {
		if next.ClientCAs, err = readPool(s.files.CA); err != nil {
			return fmt.Errorf("read client authorities: %w", err)
		}
		// People's browsers have no certificate; who needs one is decided later.
		next.ClientAuth = tls.VerifyClientCertIfGiven
		// A ticket would carry a client past an authority that is no longer trusted.
		next.SessionTicketsDisabled = true
	}
	s.current.Store(next)
	return nil
}

// NotAfter is when the certificate that is served stops being good; a file that
// is no longer, or not yet, is served all the same: nothing else is there.
func (s *Store) NotAfter() time.Time {
	return s.current.Load().Certificates[0].Leaf.NotAfter
}

// Config is for a listener: each connection gets the set of its moment.
func (s *Store) Config() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) {
			return s.current.Load(), nil
		},
	}
}

// ClientConfig is for who connects. Without CA the machine's authorities are
// trusted, without Cert no certificate is shown.
func ClientConfig(f Files) (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if f.CA != "" {
		pool, err := readPool(f.CA)
		if err != nil {
			return nil, fmt.Errorf("read authorities: %w", err)
		}
		c.RootCAs = pool
	}
	if f.Cert != "" {
		pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
		if err != nil {
			return nil, fmt.Errorf("read certificate: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

func readPool(name string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(name) //nolint:gosec // whoever starts the program names the file
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s %w", name, ErrNoAuthority)
	}
	return pool, nil
}

// Names are the DNS names and URIs that a verified client certificate is good
// for; none without one.
func Names(state *tls.ConnectionState) []string {
	if state == nil || len(state.VerifiedChains) == 0 {
		return nil
	}
	leaf := state.PeerCertificates[0]
	names := append([]string(nil), leaf.DNSNames...)
	for _, u := range leaf.URIs {
		names = append(names, u.String())
	}
	return names
}
