// Package certstest makes certificates for tests: an authority, and what it
// has signed, as files.
package certstest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// lifetime is longer than any test and short enough to be good for nothing else.
const lifetime = time.Hour

// Authority signs certificates.
type Authority struct {
	File string // its own certificate, in PEM form
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority makes an authority of its own kind: no two trust each other.
func NewAuthority(tb testing.TB) *Authority {
	tb.Helper()
	a := &Authority{key: newKey(tb)}
	template := blank(tb)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	require.NoError(tb, err)
	a.cert, err = x509.ParseCertificate(der)
	require.NoError(tb, err)
	a.File = write(tb, filepath.Join(tb.TempDir(), "ca.pem"), "CERTIFICATE", der)
	return a
}

// Pool trusts the authority.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// Pair is a certificate and its key, as files.
type Pair struct{ Cert, Key string }

// Issue makes a certificate for names: addresses, URIs and DNS names.
func (a *Authority) Issue(tb testing.TB, names ...string) Pair {
	tb.Helper()
	dir := tb.TempDir()
	p := Pair{Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	a.IssueTo(tb, p, names...)
	return p
}

// IssueTo makes a certificate in the files of an older one.
func (a *Authority) IssueTo(tb testing.TB, p Pair, names ...string) {
	tb.Helper()
	key, template := newKey(tb), blank(tb)
	for _, name := range names {
		u, err := url.Parse(name)
		switch ip := net.ParseIP(name); {
		case ip != nil:
			template.IPAddresses = append(template.IPAddresses, ip)
		case err == nil && strings.Contains(name, "://"):
			template.URIs = append(template.URIs, u)
		default:
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	require.NoError(tb, err)
	write(tb, p.Cert, "CERTIFICATE", der)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(tb, err)
	write(tb, p.Key, "PRIVATE KEY", private)
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(tb, err)
	return key
}

func blank(tb testing.TB) *x509.Certificate {
	tb.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	require.NoError(tb, err)
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "for tests " + serial.String()},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(lifetime),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

func write(tb testing.TB, name, kind string, der []byte) string {
	tb.Helper()
	require.NoError(tb, os.WriteFile(name, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
	return name
}
