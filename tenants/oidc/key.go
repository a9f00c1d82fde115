package oidc

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"slices"

	"github.com/lestrrat-go/jwx/v3/jwk"
)

// maxKeys bounds a key set: issuers have a handful.
const maxKeys = 64

// key is one key of a set that can verify signatures.
type key struct {
	id         string
	algorithms []string // that it verifies
	public     any
}

// choose finds the key that a token names. Without a key id there must be no
// doubt: one key that fits.
func choose(keys []key, said unverified) *key {
	var found *key
	for i, k := range keys {
		if !slices.Contains(k.algorithms, said.algorithm) || said.keyID != "" && k.id != said.keyID {
			continue
		}
		if found != nil {
			return nil
		}
		found = &keys[i]
	}
	return found
}

// keysOf are the keys of a set that can verify signatures. What is of another
// kind (secrets, keys to encrypt with, curves that aren't known) is left out.
func keysOf(set jwk.Set) []key {
	var keys []key
	for i := range min(set.Len(), maxKeys) {
		k, ok := set.Key(i)
		if !ok {
			continue
		}
		if use, said := k.KeyUsage(); said && use != "sig" {
			continue
		}
		var raw any
		if jwk.Export(k, &raw) != nil {
			continue
		}
		if algorithms := fitting(raw, k); len(algorithms) > 0 {
			id, _ := k.KeyID()
			keys = append(keys, key{id: id, algorithms: algorithms, public: raw})
		}
	}
	return keys
}

// fitting are the algorithms that a public key is for: those of its kind, and
// where the key names one, that one only.
func fitting(raw any, k jwk.Key) []string {
	of := ofKind(raw)
	if alg, said := k.Algorithm(); said {
		return slices.DeleteFunc(of, func(name string) bool { return name != alg.String() })
	}
	return of
}

func ofKind(raw any) []string {
	switch public := raw.(type) {
	case *rsa.PublicKey: // of 2048 bits at least: jwk takes no shorter ones
		return []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512"}
	case *ecdsa.PublicKey:
		switch public.Curve.Params().BitSize {
		case 256:
			return []string{"ES256"}
		case 384:
			return []string{"ES384"}
		case 521:
			return []string{"ES512"}
		}
	case ed25519.PublicKey:
		return []string{"EdDSA"}
	}
	return nil
}
