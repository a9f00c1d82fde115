package permissions

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Kinds of key. Each subject in a key is kind:"quoted", so that no subject can
// pretend to be two, or one of another kind.
const (
	keyPath      = "path"
	keyCommand   = "command"
	keyURL       = "url"
	keyArguments = "arguments"
	keyText      = "text" // arguments that are no JSON
)

// subject is what a call is about: as it is written, and as grants know it.
type subject struct {
	kind, text, canonical string
}

// Key is what a remembered grant holds for, besides the tool and its
// declaration: the normalised absolute paths, the exact command texts and the
// URLs, in the call's order. Where there are none, or where they can be read in
// more than one way, it is the hash of the canonical arguments.
func (a *Analysis) Key() string {
	if !a.vague && len(a.subjects) > 0 {
		return joinKeys(a.subjects)
	}
	canonical, err := CanonicalJSON(a.arguments)
	if err != nil {
		return hashKey(keyText, []byte(a.arguments))
	}
	return hashKey(keyArguments, canonical)
}

func joinKeys(subjects []subject) string {
	keys := make([]string, len(subjects))
	for i, s := range subjects {
		keys[i] = s.kind + ":" + strconv.Quote(s.canonical)
	}
	return strings.Join(keys, " ")
}

func hashKey(kind string, text []byte) string {
	sum := sha256.Sum256(text)
	return kind + ":" + hex.EncodeToString(sum[:])
}
