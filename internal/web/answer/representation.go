package answer

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
	TextType = "text/plain; charset=utf-8"
	JSONType = "application/json"
)

// A Response is what a handler decided on. Answer does the rest: it sets the
// headers, decides on 304, encodes, writes, counts and logs.
type Response struct {
	status   int // 0: 200
	Media    string
	Tag      string    // content of the ETag; "": made of the body
	Modified time.Time // zero: not known to the second
	Cache    CachePolicy
	Headers  []Field // of this answer alone
	Body     []byte
	Draw     func() ([]byte, error) // makes the body once it is known to be needed
	Compress bool                   // if the body is long enough
	Entry    *Entry                 // prepared before: everything above is in it
	// Store is given what was sent whole with 200, to answer the same request
	// again without a handler. nil: it is not.
	Store func(*Representation)
	Lane  bool // the express lane could answer this request too
}

// A Field is one header of an answer. Its values are shared between answers
// and never changed.
type Field struct {
	Key    string // canonical
	Values []string
}

// NewField is a header with one value.
func NewField(key, value string) Field { return Field{http.CanonicalHeaderKey(key), []string{value}} }

// CommonHeaders are those of every answer, errors included.
var CommonHeaders = []Field{
	NewField("Access-Control-Allow-Origin", "*"),
	NewField("Access-Control-Expose-Headers", "ETag, Link, Petsupply-Demo, RateLimit, RateLimit-Policy, Retry-After, Supply-As-Of, Supply-Measured-At, Supply-Snapshot, Supply-Status, X-Request-Id"),
	NewField("Cross-Origin-Resource-Policy", "cross-origin"),
	NewField("X-Content-Type-Options", "nosniff"),
}

// bodyHeaders are those that an answer without a body does not have.
var bodyHeaders = []string{"Content-Length", "Content-Type"}

// A Representation is an answer in one encoding. It is never changed once it was
// sent or published, so that anyone may keep it. Head and Head304 are nil until
// BuildWire.
type Representation struct {
	express.Answer
	status int
	Header []Field // everything but Date
}

// An Entry is one prepared answer in every encoding that is worth having;
// identity always is.
type Entry [encodings]*Representation

// Pick returns the representation for what a caller sent in Accept-Encoding.
func (e *Entry) Pick(accept []string) *Representation {
	if e[Gzip] != nil || e[Zstd] != nil {
		if rep := e[Negotiate(accept)]; rep != nil {
			return rep
		}
	}
	return e[Identity]
}

// A Representer turns responses into representations.
type Representer struct {
	common []Field     // headers of every answer
	best   *compressor // for what is prepared once
	fast   *compressor // for what is made for one caller
}

func newRepresenter(demo bool) *Representer {
	p := &Representer{common: CommonHeaders, best: newCompressor(true), fast: newCompressor(false)}
	if demo {
		p.common = append(slices.Clone(CommonHeaders), NewField("Petsupply-Demo", "true"))
	}
	return p
}

// SetCommon sets the headers that every answer has.
func (p *Representer) SetCommon(h http.Header) {
	for _, x := range p.common {
		h[x.Key] = x.Values
	}
}

// Head builds a representation of r in encoding e, but for its body, which comes
// with Fill.
func (p *Representer) Head(r *Response, e Encoding) *Representation {
	rep := &Representation{status: r.status, Header: make([]Field, 0, len(p.common)+len(r.Headers)+7)}
	rep.Modified = r.Modified
	if rep.status == 0 {
		rep.status = http.StatusOK
	}
	rep.Header = append(append(rep.Header, p.common...), r.Headers...)
	add := func(key, value string) { rep.Header = append(rep.Header, Field{key, []string{value}}) }
	add("Cache-Control", r.Cache.String())
	if e != Identity {
		add("Content-Encoding", e.name())
	}
	if r.Media != "" {
		add("Content-Type", r.Media)
	}
	if r.Tag != "" {
		etag := `"` + r.Tag + e.suffix() + `"`
		rep.ETag = []byte(etag)
		add("Etag", etag)
	}
	if !r.Modified.IsZero() {
		add("Last-Modified", r.Modified.UTC().Format(http.TimeFormat))
	}
	if r.Compress {
		add("Vary", "Accept-Encoding")
	}
	return rep
}

// Fill gives the representation its body, as it goes over the wire.
func (rep *Representation) Fill(body []byte) *Representation {
	rep.Body = body
	if rep.status != http.StatusNoContent {
		rep.Header = append(rep.Header, Field{"Content-Length", []string{strconv.Itoa(len(body))}})
	}
	return rep
}

// Entry builds the entry of r, which has its body. Compressed bodies are taken
// from an entry of the same content, if there is one.
func (p *Representer) Entry(r *Response, same *Entry) *Entry {
	e := &Entry{Identity: p.Head(r, Identity).Fill(r.Body)}
	for enc := Identity + 1; r.Compress && enc < encodings; enc++ {
		var body []byte
		if same == nil {
			body = p.best.compress(enc, r.Body)
		} else if same[enc] != nil {
			body = same[enc].Body
		}
		if body != nil {
			e[enc] = p.Head(r, enc).Fill(body)
		}
	}
	return e
}

// write sends the representation with this status: whole, or as a 304 that
// carries the same headers but those of the body it does not have.
func (rep *Representation) write(w http.ResponseWriter, method string, status int) {
	h := w.Header()
	for i := range rep.Header {
		x := &rep.Header[i]
		if status == http.StatusNotModified && slices.Contains(bodyHeaders, x.Key) {
			continue
		}
		h[x.Key] = x.Values
	}
	w.WriteHeader(status)
	if status != http.StatusNotModified && method != http.MethodHead {
		_, _ = w.Write(rep.Body) // the caller may be gone; nobody else is left to tell
	}
}

// BuildWire prepares the representation, which has its body, for the express
// lane; t counts its answers.
func (rep *Representation) BuildWire(t *Route) *Representation {
	rep.Label = t
	rep.Head = WireHead(rep.Header, rep.status)
	rep.Head304 = WireHead(rep.Header, http.StatusNotModified)
	return rep
}

// WireHead is the head of an answer as net/http writes it: sorted, up to and
// with "Date: ".
func WireHead(header []Field, status int) []byte {
	header = slices.Clone(header)
	slices.SortStableFunc(header, func(a, b Field) int { return strings.Compare(a.Key, b.Key) })
	b := []byte("HTTP/1.1 " + strconv.Itoa(status) + " " + http.StatusText(status) + "\r\n")
	for _, x := range header {
		if status == http.StatusNotModified && slices.Contains(bodyHeaders, x.Key) {
			continue
		}
		for _, v := range x.Values {
			b = append(b, x.Key+": "+v+"\r\n"...)
		}
	}
	return append(b, "Date: "...)
}

// Tag is the content of an ETag for a body.
func Tag(body []byte) string {
	sum := sha256.Sum256(body)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Encode writes JSON as it is published here: UTF-8, compact, and without escapes
// that only HTML needs.
func Encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding %T: %w", v, err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// JSON is v as it is answered.
func JSON(v any, cache CachePolicy) (*Response, error) {
	body, err := Encode(v)
	return &Response{Media: JSONType, Body: body, Cache: cache, Compress: true}, err
}
