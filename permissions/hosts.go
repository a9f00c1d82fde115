package permissions

import (
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// hostNames maps names as browsers do: full-width letters and dots, capitals
// and what is invisible become what is looked up.
var hostNames = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// readHost are the spellings of a URL's host, as they stand in one, and its port
// with the colon, empty where clients leave it out. The fog says that the host
// may be another one than it seems.
func readHost(u *url.URL) (names []string, port string, f fog) {
	host := u.Hostname()
	port, ok := readPort(u)
	if !ok || host == "" {
		f = unknown
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return addresses(addr), port, f
	}
	if len(host) > maxHostBytes {
		return []string{strings.ToLower(host)}, port, unknown
	}
	ascii, err := hostNames.ToASCII(host)
	if err != nil {
		return []string{strings.ToLower(host)}, port, unknown
	}
	if ascii = strings.TrimSuffix(ascii, "."); strings.HasSuffix(ascii, ".") {
		f = unknown
	}
	if addr, err := netip.ParseAddr(ascii); err == nil {
		return addresses(addr), port, f
	}
	if isNumber(ascii[strings.LastIndex(ascii, ".")+1:]) {
		f = unknown // an address: 127.1, 0x7f000001
	}
	names = []string{ascii}
	if text, err := hostNames.ToUnicode(ascii); err == nil && text != ascii {
		names = append(names, text)
	}
	return names, port, f
}

// readPort drops the default port and leading zeros. It reports whether it is
// a port at all.
func readPort(u *url.URL) (string, bool) {
	digits := strings.TrimLeft(u.Port(), "0")
	if u.Port() == "" || digits == defaultPorts[u.Scheme] {
		return "", true
	}
	_, err := strconv.ParseUint(u.Port(), 10, 16)
	return ":" + digits, err == nil
}

// addresses are an address, without a zone, and the IPv4 address that it holds.
func addresses(addr netip.Addr) []string {
	if addr.Is4() {
		return []string{addr.String()}
	}
	addr = addr.WithZone("")
	names := []string{"[" + addr.String() + "]"}
	for _, m := range mappings {
		if m.prefix.Contains(addr) {
			bytes := addr.As16()
			names = append(names, netip.AddrFrom4([4]byte(bytes[m.offset:m.offset+4])).String())
		}
	}
	return names
}

// mappings are the networks whose addresses hold an IPv4 address, and where:
// mapped, compatible, NAT64, 6to4.
var mappings = []struct {
	prefix netip.Prefix
	offset int
}{
	{netip.MustParsePrefix("::ffff:0:0/96"), 12},
	{netip.MustParsePrefix("::/96"), 12},
	{netip.MustParsePrefix("64:ff9b::/96"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
}

func isNumber(label string) bool {
	if _, err := strconv.ParseUint(label, 10, 64); err == nil {
		return true
	}
	_, err := strconv.ParseUint(label, 0, 64)
	return err == nil
}
