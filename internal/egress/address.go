package egress

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
)

// ErrForbidden says that an address is not to be connected to.
var ErrForbidden = errors.New("address is not public and not on the egress allow-list")

// Addresses that carry an IPv4 address which is connected to in their stead.
var (
	nat64   = netip.MustParsePrefix("64:ff9b::/96") // RFC 6052: the last four bytes
	sixTo4  = netip.MustParsePrefix("2002::/16")    // RFC 3056: bytes 2 to 5
	unicast = netip.MustParsePrefix("2000::/3")     // all of IPv6 that is assigned as global unicast
)

// closed are the ranges of the special-purpose registries (RFC 6890) within
// what would else be public, and the one cloud that serves its machines'
// credentials at a public address.
var closed = prefixes(
	"0.0.0.0/8",        // this network
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared; one cloud's metadata
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // one cloud's metadata
	"169.254.0.0/16",   // link-local; metadata of most clouds
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments; one cloud's metadata
	"192.0.2.0/24",     // documentation
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
	"2001::/23",        // protocol assignments, Teredo and benchmarks among them
	"2001:db8::/32",    // documentation
	"3fff::/20",        // documentation
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, 0, len(texts))
	for _, text := range texts {
		out = append(out, netip.MustParsePrefix(text))
	}
	return out
}

// Target is the address that packets for an address end up at: itself, or the
// IPv4 address that it carries.
func Target(a netip.Addr) netip.Addr {
	a = a.Unmap().WithZone("")
	b := a.As16()
	switch {
	case nat64.Contains(a):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixTo4.Contains(a):
		return netip.AddrFrom4([4]byte(b[2:6]))
	default:
		return a
	}
}

// Public says whether an address belongs to the open network, and so does the
// one that it carries.
func Public(a netip.Addr) bool {
	target := Target(a)
	if !target.IsValid() || target.Is6() && !unicast.Contains(target) {
		return false
	}
	return !contains(closed, target)
}

// Allow is the ranges that may be connected to although they are not public.
type Allow []netip.Prefix

// Listed says whether the operator listed an address, or the one that it
// carries.
func (l Allow) Listed(a netip.Addr) bool { return contains(l, Target(a)) }

// Check says whether an address may be connected to: nil or ErrForbidden.
func (l Allow) Check(a netip.Addr) error {
	if l.Listed(a) || Public(a) {
		return nil
	}
	return fmt.Errorf("connect to %s: %w", a, ErrForbidden)
}

func contains(ps []netip.Prefix, a netip.Addr) bool {
	return slices.ContainsFunc(ps, func(p netip.Prefix) bool { return p.Contains(a) })
}

// ErrMappedRange says that a range would match nothing.
var ErrMappedRange = errors.New("range is IPv4 written as IPv6; write it as IPv4")

// Validate refuses ranges that would match nothing: addresses are compared by
// the IPv4 address that they carry.
func (l Allow) Validate() error {
	for _, p := range l {
		if a := p.Addr(); Target(a) != a.WithZone("") {
			return fmt.Errorf("%q: %w", p, ErrMappedRange)
		}
	}
	return nil
}
