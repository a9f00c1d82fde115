// Package passes lends browsers what stands for a key where a key can't stand:
// a ticket in the address of one stream, a cookie for the console.
//
// It guarantees that a pass is worth no more than the key or token it was made
// with: it is recalled with that key's rights each time, and is nobody's from
// the moment that the key is. Redis has digests only. A ticket opens one stream
// of one address, once, within [TicketTime], whichever replica it comes to.
//
// It doesn't protect what it makes on its way to the browser (that is what TLS
// and the cookie's attributes are for), and a stream that was opened stays open
// when its cookie is signed out.
package passes
