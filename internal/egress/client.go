package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// The limits of a client. The other end is chosen by somebody else: it may be
// slow, endless or both.
const (
	DefaultTimeout = 10 * time.Second // of a request as a whole, its answer read
	DefaultMaxBody = 1 << 20          // bytes of an answer

	dialTimeout     = 5 * time.Second // connecting, all addresses of a name together
	maxHeaderBytes  = 64 << 10        // of an answer
	maxIdle         = 64              // connections kept for the next request
	maxIdlePerHost  = 4               // of them to one receiver
	idleConnTimeout = 30 * time.Second
)

// Config is what a client may do.
type Config struct {
	Allow    Allow          // ranges that may be connected to although not public
	Timeout  time.Duration  // of a request as a whole; 0: DefaultTimeout
	MaxBody  int64          // bytes of an answer; 0: DefaultMaxBody
	Resolver *net.Resolver  // nil: the system's
	RootCAs  *x509.CertPool // nil: the system's
}

// NewClient makes a client that connects to nothing but what is public or
// listed. A redirect is handed back as the answer that it is; reading an answer
// beyond its limit gives ErrTooLarge.
func NewClient(c Config) *http.Client {
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.MaxBody <= 0 {
		c.MaxBody = DefaultMaxBody
	}
	return &http.Client{
		Timeout: c.Timeout,
		Transport: &transport{
			secure:  c.transport(c.Allow.Check),
			plain:   c.transport(c.Allow.checkListed),
			maxBody: c.MaxBody,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// transport is the standard one behind a check of each address.
func (c Config) transport(check func(netip.Addr) error) *http.Transport {
	dialer := &net.Dialer{
		Timeout: dialTimeout, Resolver: c.Resolver,
		ControlContext: func(_ context.Context, network, address string, _ syscall.RawConn) error {
			return checkConnection(check, network, address)
		},
	}
	return &http.Transport{
		Proxy: nil, // the environment's proxy would connect where we don't

		DialContext:            dialer.DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: c.RootCAs},
		TLSHandshakeTimeout:    dialTimeout,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // the limit of an answer counts what is read
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleConnTimeout,
	}
}

// checkConnection judges a connection that is about to be made: its address is
// resolved, and it is the one that the socket connects to.
func checkConnection(check func(netip.Addr) error, network, address string) error {
	if network != "tcp4" && network != "tcp6" {
		return fmt.Errorf("connect over %s: %w", network, ErrForbidden)
	}
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("read address %q: %w", address, ErrForbidden)
	}
	return check(to.Addr())
}

// checkListed is the check of plain HTTP: public addresses are no exception.
func (l Allow) checkListed(a netip.Addr) error {
	if l.Listed(a) {
		return nil
	}
	return fmt.Errorf("connect to %s without TLS: %w", a, ErrForbidden)
}
