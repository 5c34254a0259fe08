package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Secret signs messages for one receiver. It never prints.
type Secret struct{ key []byte }

var errSecret = errors.New("want whsec_ and 24 to 64 random bytes in base64, such as of openssl rand -base64 32")

// UnmarshalText reads a secret in the form of Standard Webhooks: whsec_ and 24 to 64
// bytes in base64. The error does not quote it.
func (s *Secret) UnmarshalText(text []byte) error {
	encoded, ok := strings.CutPrefix(string(text), "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return errSecret
	}
	s.key = key
	return nil
}

const maskedSecret = "(set)"

// MarshalText masks the secret.
func (Secret) MarshalText() ([]byte, error) { return []byte(maskedSecret), nil }

func (Secret) String() string   { return maskedSecret }
func (Secret) GoString() string { return maskedSecret }

// sign returns the signature of a message for the header webhook-signature.
func (s Secret) sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
