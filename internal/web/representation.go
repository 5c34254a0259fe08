package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/web/express"
)

const (
	textType = "text/plain; charset=utf-8"
	jsonType = "application/json"
)

// A response is what a handler decided on. answer does the rest: it sets the
// headers, decides on 304, encodes, writes, counts and logs.
type response struct {
	status   int // 0: 200
	media    string
	tag      string    // content of the ETag; "": made of the body
	modified time.Time // zero: not known to the second
	cache    cachePolicy
	headers  []field // of this answer alone
	body     []byte
	draw     func() ([]byte, error) // makes the body once it is known to be needed
	compress bool                   // if the body is long enough
	entry    *entry                 // prepared before: everything above is in it
	// store is given what was sent whole with 200, to answer the same request
	// again without a handler. nil: it is not.
	store func(*representation)
	lane  bool // the express lane could answer this request too
}

// A field is one header of an answer. Its values are shared between answers
// and never changed.
type field struct {
	key    string // canonical
	values []string
}

func newField(key, value string) field { return field{http.CanonicalHeaderKey(key), []string{value}} }

// commonHeaders are those of every answer, errors included.
var commonHeaders = []field{
	newField("Access-Control-Allow-Origin", "*"),
	newField("Access-Control-Expose-Headers", "ETag, Link, Petsupply-Demo, RateLimit, RateLimit-Policy, Retry-After, Supply-As-Of, Supply-Measured-At, Supply-Snapshot, Supply-Status, X-Request-Id"),
	newField("Cross-Origin-Resource-Policy", "cross-origin"),
	newField("X-Content-Type-Options", "nosniff"),
}

// bodyHeaders are those that an answer without a body does not have.
var bodyHeaders = []string{"Content-Length", "Content-Type"}

// A representation is an answer in one encoding. It is never changed once it was
// sent or published, so that anyone may keep it. Head and Head304 are nil until
// buildWire.
type representation struct {
	express.Answer
	status int
	header []field // everything but Date
}

// An entry is one prepared answer in every encoding that is worth having;
// identity always is.
type entry [encodings]*representation

// pick returns the representation for what a caller sent in Accept-Encoding.
func (e *entry) pick(accept []string) *representation {
	if e[gzipped] != nil || e[zstded] != nil {
		if rep := e[negotiate(accept)]; rep != nil {
			return rep
		}
	}
	return e[identity]
}

// A representer turns responses into representations.
type representer struct {
	common []field     // headers of every answer
	best   *compressor // for what is prepared once
	fast   *compressor // for what is made for one caller
}

func newRepresenter(demo bool) (*representer, error) {
	p := &representer{common: commonHeaders}
	if demo {
		p.common = append(slices.Clone(commonHeaders), newField("Petsupply-Demo", "true"))
	}
	var err error
	if p.best, err = newCompressor(true); err != nil {
		return nil, err
	}
	p.fast, err = newCompressor(false)
	return p, err
}

// head builds a representation of r in encoding e, but for its body, which comes
// with fill.
func (p *representer) head(r *response, e encoding) *representation {
	rep := &representation{status: r.status, header: make([]field, 0, len(p.common)+len(r.headers)+7)}
	rep.Modified = r.modified
	if rep.status == 0 {
		rep.status = http.StatusOK
	}
	rep.header = append(append(rep.header, p.common...), r.headers...)
	add := func(key, value string) { rep.header = append(rep.header, field{key, []string{value}}) }
	add("Cache-Control", r.cache.String())
	if e != identity {
		add("Content-Encoding", e.name())
	}
	if r.media != "" {
		add("Content-Type", r.media)
	}
	if r.tag != "" {
		etag := `"` + r.tag + e.suffix() + `"`
		rep.ETag = []byte(etag)
		add("Etag", etag)
	}
	if !r.modified.IsZero() {
		add("Last-Modified", r.modified.UTC().Format(http.TimeFormat))
	}
	if r.compress {
		add("Vary", "Accept-Encoding")
	}
	return rep
}

// fill gives the representation its body, as it goes over the wire.
func (rep *representation) fill(body []byte) *representation {
	rep.Body = body
	if rep.status != http.StatusNoContent {
		rep.header = append(rep.header, field{"Content-Length", []string{strconv.Itoa(len(body))}})
	}
	return rep
}

// every builds the entry of r, which has its body. Compressed bodies are taken
// from an entry of the same content, if there is one.
func (p *representer) every(r *response, same *entry) *entry {
	e := &entry{identity: p.head(r, identity).fill(r.body)}
	for enc := identity + 1; r.compress && enc < encodings; enc++ {
		var body []byte
		if same == nil {
			body = p.best.compress(enc, r.body)
		} else if same[enc] != nil {
			body = same[enc].Body
		}
		if body != nil {
			e[enc] = p.head(r, enc).fill(body)
		}
	}
	return e
}

// write sends the representation with this status: whole, or as a 304 that
// carries the same headers but those of the body it does not have.
func (rep *representation) write(w http.ResponseWriter, method string, status int) {
	h := w.Header()
	for i := range rep.header {
		x := &rep.header[i]
		if status == http.StatusNotModified && slices.Contains(bodyHeaders, x.key) {
			continue
		}
		h[x.key] = x.values
	}
	w.WriteHeader(status)
	if status != http.StatusNotModified && method != http.MethodHead {
		_, _ = w.Write(rep.Body) // the caller may be gone; nobody else is left to tell
	}
}

// buildWire prepares the representation, which has its body, for the express
// lane; t counts its answers.
func (rep *representation) buildWire(t *route) *representation {
	rep.Label = t
	rep.Head = wireHead(rep.header, rep.status)
	rep.Head304 = wireHead(rep.header, http.StatusNotModified)
	return rep
}

// wireHead is the head of an answer as net/http writes it: sorted, up to and
// with "Date: ".
func wireHead(header []field, status int) []byte {
	header = slices.Clone(header)
	slices.SortStableFunc(header, func(a, b field) int { return strings.Compare(a.key, b.key) })
	b := []byte("HTTP/1.1 " + strconv.Itoa(status) + " " + http.StatusText(status) + "\r\n")
	for _, x := range header {
		if status == http.StatusNotModified && slices.Contains(bodyHeaders, x.key) {
			continue
		}
		for _, v := range x.values {
			b = append(b, x.key+": "+v+"\r\n"...)
		}
	}
	return append(b, "Date: "...)
}

// hash is the content of an ETag for a body.
func hash(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Encode is the JSON of everything that is published here: UTF-8, compact, and
// without escapes that only HTML needs.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// jsonResponse is v as it is answered.
func jsonResponse(v any, cache cachePolicy) (*response, error) {
	body, err := Encode(v)
	return &response{media: jsonType, body: body, cache: cache, compress: true}, err
}
