package tenants

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math/big"
	"strings"
)

// KeyPrefix starts every generated key, so that people and secret scanners
// know one when they see it.
const KeyPrefix = "gwk_"

const (
	// keyRandomLen is the number of random characters: 32 of base 62 are 190
	// bits, far past guessing, so an unsalted SHA-256 is enough to store.
	keyRandomLen = 32
	// keySumLen is the CRC-32 of what stands before it: 32 bits fill six
	// characters of base 62.
	keySumLen = 6

	base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewKey makes a key: the prefix, random characters, and a checksum by which a
// mistyped key or a false alarm of a scanner is told without asking anybody.
func NewKey() string {
	var b strings.Builder
	b.WriteString(KeyPrefix)
	for range keyRandomLen {
		b.WriteByte(base62[randomBelow(len(base62))])
	}
	return b.String() + checksum(b.String())
}

// WellFormed says whether key is one that [NewKey] could have made. Keys that
// people choose themselves are not, and are keys all the same.
func WellFormed(key string) bool {
	if !strings.HasPrefix(key, KeyPrefix) || len(key) != len(KeyPrefix)+keyRandomLen+keySumLen {
		return false
	}
	body, sum := key[:len(key)-keySumLen], key[len(key)-keySumLen:]
	return checksum(body) == sum
}

func randomBelow(n int) int64 {
	v, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil { // crypto/rand never fails; it ends the program itself
		panic(err)
	}
	return v.Int64()
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var out [keySumLen]byte
	for i := keySumLen - 1; i >= 0; i-- {
		out[i] = base62[sum%uint32(len(base62))]
		sum /= uint32(len(base62))
	}
	return string(out[:])
}

// Digest is the SHA-256 of a key: the only form in which keys are kept.
type Digest [sha256.Size]byte

// DigestOf is the digest of a key.
func DigestOf(key string) Digest { return sha256.Sum256([]byte(key)) }

// errDigest is what a malformed digest is told; it never repeats the value,
// which may be a key that was put in the wrong place.
var errDigest = errors.New("is not the 64 hex digits of a SHA-256")

// ParseDigest reads a digest in hex.
func ParseDigest(s string) (Digest, error) {
	raw, err := hex.DecodeString(s)
	if err != nil || len(raw) != sha256.Size {
		return Digest{}, errDigest
	}
	return Digest(raw), nil
}

// String is the digest in hex.
func (d Digest) String() string { return hex.EncodeToString(d[:]) }
