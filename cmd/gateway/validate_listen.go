package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"strconv"
)

func (c Config) checkListen() error { return c.checkAddress("--listen", c.Listen) }

func (c Config) checkMetricsListen() error {
	if c.MetricsListen == "" {
		return nil
	}
	return c.checkAddress("--metrics-listen", c.MetricsListen)
}

func (c Config) checkAddress(flag, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("%s: %q is not host:port", flag, addr)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%s: %q is not a port", flag, port)
	}
	if c.Dev && !loopback(host) {
		return fmt.Errorf("%s: --dev serves on loopback only, not on %q", flag, host)
	}
	return nil
}

// maxHostName is what DNS allows of a name.
const maxHostName = 253

// hostName is a name as requests have it in their Host: labels, no port. An
// underscore is no letter of a host, but names in clusters have it.
var hostName = regexp.MustCompile(`(?i)^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

// checkPublicHosts refuses names that no request could have. With such a name
// alone nobody would be answered.
func (c Config) checkPublicHosts() error {
	var wrong []error
	for _, name := range c.PublicHost {
		if _, err := netip.ParseAddr(name); err == nil {
			continue
		}
		if len(name) > maxHostName || !hostName.MatchString(name) {
			wrong = append(wrong, fmt.Errorf("--public-host: %q is no name of a host: want gateway.example.com, without scheme, port, path or *", name))
		}
	}
	return errors.Join(wrong...)
}

// ErrUnsafeListen says that keys would cross a network in the clear.
var ErrUnsafeListen = errors.New("others reach this address, and keys would be sent to it in the clear: " +
	"give --tls-cert and --tls-key, or --behind-proxy where a proxy in front speaks TLS")

func (c Config) checkTLS() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return errors.New("--tls-cert, --tls-key: go together")
	case c.ClientCA != "" && c.TLSCert == "":
		return errors.New("--client-ca: needs --tls-cert; what a proxy says of certificates is not taken")
	case c.TLSCert == "" && !c.BehindProxy && !c.Dev && c.public():
		return fmt.Errorf("--listen %s: %w", c.Listen, ErrUnsafeListen)
	}
	return nil
}

// public says whether others can reach the address. One that can't be read is
// another check's business.
func (c Config) public() bool {
	host, _, err := net.SplitHostPort(c.Listen)
	return err == nil && !loopback(host)
}

// loopback says whether a host is this machine and nobody else can reach it.
func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
