package main

import (
	"encoding"
	"fmt"
	"net/netip"

	"github.com/session-gateway/gateway/internal/egress"
)

var _ encoding.TextUnmarshaler = (*Range)(nil)

// Range is a range of addresses; one address is a range, too.
type Range struct{ netip.Prefix }

// UnmarshalText reads 10.1.0.0/16, 10.1.2.3 and the same of IPv6.
func (r *Range) UnmarshalText(text []byte) error {
	if a, err := netip.ParseAddr(string(text)); err == nil && a.Zone() == "" {
		r.Prefix = netip.PrefixFrom(a, a.BitLen())
		return nil
	}
	p, err := netip.ParsePrefix(string(text))
	if err != nil {
		return fmt.Errorf("%q is neither an address (10.1.2.3) nor a range of them (10.1.0.0/16)", text)
	}
	r.Prefix = p
	return nil
}

// allowed are ranges as the guard of outgoing connections takes them.
func allowed(ranges []Range) egress.Allow {
	out := make(egress.Allow, len(ranges))
	for i, r := range ranges {
		out[i] = r.Prefix
	}
	return out
}
