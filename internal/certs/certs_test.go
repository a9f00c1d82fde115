package certs_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/certs"
	"github.com/session-gateway/gateway/internal/certstest"
)

func TestACertificateIsReadAgainAllOfItOrNothing(t *testing.T) {
	t.Parallel()
	a := certstest.NewAuthority(t)
	p := a.Issue(t, "old.example")
	s, err := certs.Open(certs.Files{Cert: p.Cert, Key: p.Key})
	require.NoError(t, err)
	require.Equal(t, []string{"old.example"}, shown(t, s).DNSNames)

	a.IssueTo(t, p, "new.example")
	require.Equal(t, []string{"old.example"}, shown(t, s).DNSNames, "nobody has said that there is a new one")
	require.NoError(t, s.Reload())
	require.Equal(t, []string{"new.example"}, shown(t, s).DNSNames)

	require.NoError(t, os.WriteFile(p.Key, []byte("half a k"), 0o600))
	require.Error(t, s.Reload())
	require.Equal(t, []string{"new.example"}, shown(t, s).DNSNames)
}

// shown is the certificate that a listener shows.
func shown(t *testing.T, s *certs.Store) *x509.Certificate {
	t.Helper()
	near, far := net.Pipe()
	server := tls.Server(near, s.Config())
	done := make(chan error, 1)
	go func() { done <- server.HandshakeContext(t.Context()) }()
	client := tls.Client(far, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12})
	require.NoError(t, client.HandshakeContext(t.Context()))
	require.NoError(t, <-done)
	return client.ConnectionState().PeerCertificates[0]
}

func TestFilesThatAreNoCertificatesAreRefused(t *testing.T) {
	t.Parallel()
	a := certstest.NewAuthority(t)
	p, other := a.Issue(t, "x"), a.Issue(t, "y")
	for name, f := range map[string]certs.Files{
		"no file":            {Cert: "/nowhere", Key: p.Key},
		"the key of another": {Cert: p.Cert, Key: other.Key},
		"no authority file":  {Cert: p.Cert, Key: p.Key, CA: "/nowhere"},
	} {
		_, err := certs.Open(f)
		require.Error(t, err, name)
	}
	_, err := certs.Open(certs.Files{Cert: p.Cert, Key: p.Key, CA: p.Key})
	require.ErrorIs(t, err, certs.ErrNoAuthority)
}

func TestNamesAreThoseOfAVerifiedCertificateOnly(t *testing.T) {
	t.Parallel()
	a := certstest.NewAuthority(t)
	p := a.Issue(t, "host-1", "spiffe://acme.example/host/1", "127.0.0.1")
	pair, err := tls.LoadX509KeyPair(p.Cert, p.Key)
	require.NoError(t, err)
	peers := []*x509.Certificate{pair.Leaf}
	require.Equal(t, []string{"host-1", "spiffe://acme.example/host/1"},
		certs.Names(&tls.ConnectionState{PeerCertificates: peers, VerifiedChains: [][]*x509.Certificate{peers}}))
	require.Empty(t, certs.Names(&tls.ConnectionState{PeerCertificates: peers}))
	require.Empty(t, certs.Names(nil))
}
