// Package egress makes the HTTP clients for requests whose addresses somebody
// else has chosen: webhooks of tenants, key sets of issuers.
//
// It guarantees, for every connection of such a client:
//   - what is judged is the address that is connected to, at the moment of the
//     connection. What a name resolved to before, or will resolve to next, does
//     not matter;
//   - an address that carries another one (IPv4-mapped, NAT64, 6to4) is judged
//     as that other one;
//   - nothing that is not public is connected to, unless the operator listed it;
//   - plain HTTP goes to listed addresses only: nothing that a tenant's people
//     are told crosses the open network readable;
//   - no redirect is followed, no proxy of the environment is used, no answer is
//     read beyond its limit, and none is waited for longer than the timeout.
//
// It does not know NAT64 prefixes of a network's own (other than 64:ff9b::/96):
// a network that has one must not route it to what is private. Names are
// resolved by the system; the name servers themselves are not judged.
package egress
