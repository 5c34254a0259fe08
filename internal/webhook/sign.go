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

// A Secret signs messages for one receiver. It is never printed.
type Secret struct{ key []byte }

var errSecret = errors.New("want whsec_ and 24 to 64 random bytes in base64, as openssl rand -base64 32 prints them")

// UnmarshalText reads a secret in the form of Standard Webhooks: whsec_ and 24 to 64 bytes in
// base64. The error does not quote the secret.
func (s *Secret) UnmarshalText(text []byte) error {
	encoded, ok := strings.CutPrefix(string(text), "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return errSecret
	}
	s.key = key
	return nil
}

// Secrets are the secret of a receiver, or the old and the new one during a replacement. Each signs
// every message.
type Secrets []Secret

// SetScalar reads a single secret.
func (s *Secrets) SetScalar(text string) error {
	*s = make(Secrets, 1)
	return (*s)[0].UnmarshalText([]byte(text))
}

// check reports the faults of the secrets at a path of the configuration.
func (s Secrets) check(path string, fault func(path, format string, args ...any)) {
	if len(s) == 0 {
		fault(path, "%v", errSecret)
	}
	if len(s) > 2 {
		fault(path, "want one secret, or two during a replacement")
	}
	for i, secret := range s {
		if secret.key == nil {
			fault(fmt.Sprintf("%s[%d]", path, i), "%v", errSecret)
		}
	}
}

// sign returns the signatures of a message for the header webhook-signature.
func (s Secrets) sign(id string, at time.Time, body []byte) string {
	var all []string
	for _, secret := range s {
		all = append(all, secret.sign(id, at, body))
	}
	return strings.Join(all, " ")
}

const maskedSecret = "(set)"

// MarshalText masks the secret.
func (Secret) MarshalText() ([]byte, error) { return []byte(maskedSecret), nil }

func (Secret) String() string   { return maskedSecret }
func (Secret) GoString() string { return maskedSecret }

// sign returns the signature of a message.
func (s Secret) sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
