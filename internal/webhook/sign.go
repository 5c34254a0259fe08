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

// A Secret signs for one receiver. It never prints.
type Secret struct{ key []byte }

// secretPrefix begins a secret, as Standard Webhooks writes it.
const secretPrefix = "whsec_"

// ParseSecret reads whsec_ and 24 to 64 bytes in base64. The error does not
// tell the secret.
func ParseSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return Secret{}, errors.New("want whsec_ and 24 to 64 random bytes in base64, such as of openssl rand -base64 32")
	}
	return Secret{key}, nil
}

func (Secret) String() string   { return "(secret)" }
func (Secret) GoString() string { return "(secret)" }

// Sign returns the signature of a message, as the header webhook-signature has
// it.
func (s Secret) Sign(id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
