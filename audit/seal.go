package audit

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// MaxSealed is how many entries one seal names: it stays below 64 KiB, and what
// a sealer has read is lost to it at most once.
const MaxSealed = 500

// Seal proves the entries before it.
type Seal struct {
	Time    string   `json:"time"`
	Prev    string   `json:"prev"` // Sum of the seal before it; empty: it is the first
	Entries []Sealed `json:"entries"`
	Sum     string   `json:"sum"`           // over all of the above, hex
	MAC     string   `json:"mac,omitempty"` // over Sum, hex; empty: there was no key
	KeyID   string   `json:"key_id,omitempty"`
}

// Sealed is an entry as its seal knows it.
type Sealed struct {
	ID   string `json:"id"`
	Hash string `json:"sha256"`
}

// Raw is an entry as it is stored.
type Raw struct {
	ID   string
	JSON []byte
}

// Key signs seals. The zero value signs nothing.
type Key struct {
	secret []byte
	id     string
}

// MinKeyBytes is how long a key has to be: as long as what it signs with.
const MinKeyBytes = 32

// NewKey is a key of a secret.
func NewKey(secret []byte) (Key, error) {
	if len(secret) < MinKeyBytes {
		return Key{}, fmt.Errorf("audit key: shorter than %d bytes", MinKeyBytes)
	}
	sum := sha256.Sum256(append([]byte("key id of "), secret...))
	return Key{secret: secret, id: hex.EncodeToString(sum[:4])}, nil
}

// Given says whether there is a key.
func (k Key) Given() bool { return len(k.secret) > 0 }

func (k Key) mac(sum string) string {
	m := hmac.New(sha256.New, k.secret)
	m.Write([]byte(sum))
	return hex.EncodeToString(m.Sum(nil))
}

// Seal proves entries that follow the seal with the sum prev.
func (k Key) Seal(prev, time string, entries []Raw) Seal {
	s := Seal{Time: time, Prev: prev, Entries: make([]Sealed, len(entries))}
	for i, e := range entries {
		s.Entries[i] = Sealed{ID: e.ID, Hash: hash(e.ID, e.JSON)}
	}
	s.Sum = s.sum()
	if k.Given() {
		s.MAC, s.KeyID = k.mac(s.Sum), k.id
	}
	return s
}

// sum is the hash of what a seal says, in the form in which it says it.
func (s Seal) sum() string {
	s.Sum, s.MAC, s.KeyID = "", "", ""
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always marshal
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// signed says whether the key's owner made the seal.
func (k Key) signed(s Seal) bool {
	return hmac.Equal([]byte(s.MAC), []byte(k.mac(s.Sum)))
}
