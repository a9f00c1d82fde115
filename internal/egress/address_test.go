package egress_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/egress"
)

func TestOnlyPublicAddressesArePublic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		address string
		public  bool
	}{
		{"1.1.1.1", true},
		{"93.184.216.34", true},
		{"100.63.255.255", true},
		{"172.32.0.1", true},
		{"2606:4700::1111", true},
		{"::ffff:1.1.1.1", true},
		{"64:ff9b::101:101", true},
		{"2002:101:101::1", true},

		{"0.0.0.0", false},
		{"10.1.2.3", false},
		{"100.64.0.1", false},
		{"100.100.100.200", false},
		{"127.0.0.1", false},
		{"127.255.255.254", false},
		{"168.63.129.16", false},
		{"169.254.169.254", false},
		{"172.16.0.1", false},
		{"172.31.255.255", false},
		{"192.0.0.192", false},
		{"192.0.2.1", false},
		{"192.168.1.1", false},
		{"198.18.0.1", false},
		{"198.51.100.7", false},
		{"203.0.113.7", false},
		{"224.0.0.1", false},
		{"240.0.0.1", false},
		{"255.255.255.255", false},

		{"::", false},
		{"::1", false},
		{"::127.0.0.1", false}, // IPv4-compatible
		{"::ffff:127.0.0.1", false},
		{"::ffff:a9fe:a9fe", false},
		{"64:ff9b::7f00:1", false},
		{"64:ff9b::169.254.169.254", false},
		{"64:ff9b:1::1.1.1.1", false}, // NAT64 of a network's own
		{"2002:7f00:1::", false},
		{"2002:a9fe:a9fe::1", false},
		{"2001:0:4136:e378:8000:63bf:3fff:fdd2", false}, // Teredo
		{"2001:2::1", false},
		{"2001:db8::1", false},
		{"3fff::1", false},
		{"100::1", false},
		{"fc00::1", false},
		{"fd00:ec2::254", false},
		{"fe80::1", false},
		{"fe80::1%eth0", false},
		{"fec0::1", false},
		{"ff02::1", false},
	} {
		require.Equal(t, c.public, egress.Public(netip.MustParseAddr(c.address)), c.address)
	}
	require.False(t, egress.Public(netip.Addr{}), "no address at all")
}

func TestAListedRangeHoldsForEveryFormOfItsAddresses(t *testing.T) {
	t.Parallel()
	allow := egress.Allow{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("fd12::/16")}
	require.NoError(t, allow.Validate())
	for _, address := range []string{"127.0.0.1", "::ffff:127.9.9.9", "64:ff9b::7f00:1", "fd12::1", "1.1.1.1"} {
		require.NoError(t, allow.Check(netip.MustParseAddr(address)), address)
	}
	for _, address := range []string{"10.0.0.1", "::1", "fd13::1", "169.254.169.254"} {
		require.ErrorIs(t, allow.Check(netip.MustParseAddr(address)), egress.ErrForbidden, address)
	}
}

func TestARangeThatWouldMatchNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"::ffff:127.0.0.0/104", "64:ff9b::/96", "2002:7f00::/24"} {
		err := egress.Allow{netip.MustParsePrefix(text)}.Validate()
		require.ErrorIs(t, err, egress.ErrMappedRange, text)
	}
}

// FuzzEveryFormOfAnAddress checks that an IPv4 address is judged alike in all
// the forms that end up at it, and never milder than the standard library's
// view of it.
func FuzzEveryFormOfAnAddress(f *testing.F) {
	for _, seed := range [][4]byte{{127, 0, 0, 1}, {169, 254, 169, 254}, {8, 8, 8, 8}, {10, 0, 0, 1}, {0, 0, 0, 0}, {239, 1, 2, 3}} {
		f.Add(seed[0], seed[1], seed[2], seed[3], uint64(0))
	}
	f.Fuzz(func(t *testing.T, a, b, c, d byte, rest uint64) {
		v4 := netip.AddrFrom4([4]byte{a, b, c, d})
		public := egress.Public(v4)
		if v4.IsPrivate() || v4.IsLoopback() || v4.IsLinkLocalUnicast() || v4.IsMulticast() || v4.IsUnspecified() {
			require.False(t, public, v4)
		}
		sixToFour := [16]byte{0x20, 0x02, a, b, c, d}
		for i := range 8 {
			sixToFour[8+i] = byte(rest >> (8 * i))
		}
		for _, form := range []netip.Addr{
			netip.AddrFrom16(v4.As16()),
			netip.AddrFrom16([16]byte{0, 0x64, 0xff, 0x9b, 12: a, 13: b, 14: c, 15: d}),
			netip.AddrFrom16(sixToFour),
		} {
			require.Equal(t, v4, egress.Target(form), form)
			require.Equal(t, public, egress.Public(form), form)
		}
		require.False(t, egress.Public(netip.AddrFrom16([16]byte{12: a, 13: b, 14: c, 15: d})), "IPv4-compatible")
	})
}
