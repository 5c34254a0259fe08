package answer

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	TextType = "text/plain; charset=utf-8"
	JSONType = "application/json"
)

// A Response is the decision of a handler. The Answerer does the rest: it sets the headers, decides
// on 304, encodes, writes, counts and logs.
type Response struct {
	status   int // 0 means 200
	Media    string
	Tag      string    // content of the ETag; "" means a hash of the body
	Modified time.Time // Last-Modified; zero for none
	Cache    CachePolicy
	Body     []byte
	Draw     func() ([]byte, error) // makes the body, called only if it is needed
	Compress bool                   // compress the body if it is long enough
	Entry    *Entry                 // prepared earlier; has everything above
	// Store keeps a complete 200 answer, so that the same request needs no handler again. It may be
	// nil.
	Store func(*Entry)

	headers []field // headers of this answer alone
}

// SetHeader adds a header with one value to the answer.
func (r *Response) SetHeader(key, value string) { r.headers = append(r.headers, newField(key, value)) }

// Redirect returns an answer that leads to another address.
func Redirect(address string) *Response {
	r := &Response{status: http.StatusSeeOther}
	r.SetHeader("Location", address)
	return r
}

// A field is one header of an answer. Its values are shared between answers and never changed.
type field struct {
	key    string // canonical
	values []string
}

func newField(key, value string) field { return field{http.CanonicalHeaderKey(key), []string{value}} }

// Tag returns the content of an ETag for a body.
func Tag(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Encode writes JSON as this service publishes it: UTF-8, compact, and without escapes that only
// HTML needs.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// JSON returns an answer with v as JSON.
func JSON(v any, cache CachePolicy) (*Response, error) {
	body, err := Encode(v)
	return &Response{Media: JSONType, Body: body, Cache: cache, Compress: true}, err
}
