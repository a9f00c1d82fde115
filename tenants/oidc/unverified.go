package oidc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// LooksLikeToken says whether a bearer is a token rather than a key. Keys that
// are made here hold no dots.
func LooksLikeToken(bearer string) bool { return strings.Count(bearer, ".") == 2 }

// unverified is what has to be known of a token before its signature can be
// judged. Nothing else is read of it until then.
type unverified struct {
	algorithm string
	keyID     string
	issuer    string
}

// read takes a token in its compact form apart.
func read(token string) (unverified, error) {
	if len(token) > maxTokenBytes {
		return unverified{}, fmt.Errorf("longer than %d bytes", maxTokenBytes)
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return unverified{}, errors.New("not three parts")
	}
	var header struct {
		Algorithm string          `json:"alg"`
		KeyID     string          `json:"kid"`
		Critical  json.RawMessage `json:"crit"`
	}
	if err := decode(parts[0], &header); err != nil {
		return unverified{}, fmt.Errorf("read header: %w", err)
	}
	if header.Critical != nil { // nothing that an issuer may call critical is known here
		return unverified{}, errors.New("the header has critical extensions")
	}
	var claims struct {
		Issuer string `json:"iss"`
	}
	if err := decode(parts[1], &claims); err != nil {
		return unverified{}, fmt.Errorf("read claims: %w", err)
	}
	return unverified{algorithm: header.Algorithm, keyID: header.KeyID, issuer: claims.Issuer}, nil
}

func decode(part string, into any) error {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(part)
	if err != nil {
		return errors.New("not base64url") // the error would repeat a byte of the token
	}
	if json.Unmarshal(raw, into) != nil {
		return errors.New("not a JSON object of the right types")
	}
	return nil
}
