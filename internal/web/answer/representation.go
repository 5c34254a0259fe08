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
	Store func(*Representation)
	Lane  bool // the express lane could answer this request too

	headers []field // headers of this answer alone
}

// SetHeader adds a header with one value to the answer.
func (r *Response) SetHeader(key, value string) { r.headers = append(r.headers, newField(key, value)) }

// A field is one header of an answer. Its values are shared between answers
// and never changed.
type field struct {
	key    string // canonical
	values []string
}

func newField(key, value string) field { return field{http.CanonicalHeaderKey(key), []string{value}} }

// commonHeaders are the headers of every answer, also of errors.
var commonHeaders = []field{
	newField("Access-Control-Allow-Origin", "*"),
	newField("Access-Control-Expose-Headers", "ETag, Link, Petsupply-Demo, RateLimit, RateLimit-Policy, Retry-After, "+
		"Supply-As-Of, Supply-Measured-At, Supply-Snapshot, Supply-Status, X-Request-Id"),
	newField("Cross-Origin-Resource-Policy", "cross-origin"),
	newField("X-Content-Type-Options", "nosniff"),
}

// bodyHeaders are the headers that a 304 does not have.
var bodyHeaders = []string{"Content-Length", "Content-Type"}

// A Representation is an answer in one encoding. It never changes once it was sent or published, so
// anyone may keep it. Head and Head304 are nil until the express lane needs them.
type Representation struct {
	express.Answer
	status int
	header []field // all headers except Date
}

// An Entry is one prepared answer: a representation for each encoding, or nil if the encoding saves
// too little. The representation for Identity is never nil.
type Entry [encodings]*Representation

// Pick returns the representation for the values of Accept-Encoding.
func (e *Entry) Pick(accept []string) *Representation {
	if e[gzipped] != nil || e[zstandard] != nil {
		if rep := e[Negotiate(accept)]; rep != nil {
			return rep
		}
	}
	return e[Identity]
}

// head builds a representation of r in encoding e, but without the body: fill adds that.
func (a *Answerer) head(r *Response, e Encoding) *Representation {
	rep := &Representation{status: r.status, header: make([]field, 0, len(a.common)+len(r.headers)+7)}
	rep.Modified = r.Modified
	if rep.status == 0 {
		rep.status = http.StatusOK
	}
	rep.header = append(append(rep.header, a.common...), r.headers...)
	add := func(key, value string) { rep.header = append(rep.header, field{key, []string{value}}) }
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

// fill sets the body of the representation, as it is sent.
func (rep *Representation) fill(body []byte) *Representation {
	rep.Body = body
	if rep.status != http.StatusNoContent {
		rep.header = append(rep.header, field{"Content-Length", []string{strconv.Itoa(len(body))}})
	}
	return rep
}

// Entry builds the entry of the response r, whose body must be set. The route t counts its answers.
// The argument same is nil, or an entry with the same content, whose compressed bodies are used
// again.
func (a *Answerer) Entry(r *Response, t *Route, same *Entry) *Entry {
	e := &Entry{Identity: a.head(r, Identity).fill(r.Body).buildWire(t)}
	e[Identity].Shared = true
	for enc := Identity + 1; r.Compress && enc < encodings; enc++ {
		var body []byte
		if same == nil {
			body = a.best.compress(enc, r.Body)
		} else if same[enc] != nil {
			body = same[enc].Body
		}
		if body != nil {
			e[enc] = a.head(r, enc).fill(body).buildWire(t)
			e[enc].Shared = true
		}
	}
	return e
}

// write sends the representation with this status: completely, or as a 304 without the headers of
// the body.
func (rep *Representation) write(w http.ResponseWriter, method string, status int) {
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
		_, _ = w.Write(rep.Body) // the caller may be gone
	}
}

// unsent returns how much memory the representation needs until it is sent with this status.
func (rep *Representation) unsent(method string, status int) int64 {
	if rep.Shared || status != http.StatusOK || method == http.MethodHead {
		return 0
	}
	return int64(cap(rep.Body))
}

// buildWire prepares the representation for the express lane, unless it is prepared already. The
// body must be set. The route t counts its answers.
func (rep *Representation) buildWire(t *Route) *Representation {
	if rep.Head == nil {
		rep.Label = t
		rep.Head = wireHead(rep.header, rep.status)
		rep.Head304 = wireHead(rep.header, http.StatusNotModified)
	}
	return rep
}

// CutHeads returns the heads of r and of its 304 as the lane sends them. They are cut at the values
// that differ between answers of one kind: Content-Length (not in a 304), ETag and Last-Modified,
// in this order.
func (a *Answerer) CutHeads(r *Response) (head, head304 []string) {
	sample := a.head(r, Identity).fill(nil).header
	for i, x := range sample {
		if x.key == "Content-Length" || x.key == "Etag" || x.key == "Last-Modified" {
			sample[i].values = []string{"\x00"}
		}
	}
	cut := func(status int) []string { return strings.Split(string(wireHead(sample, status)), "\x00") }
	return cut(http.StatusOK), cut(http.StatusNotModified)
}

// wireHead returns the head of an answer as net/http writes it, with sorted headers. It ends with
// "Date: ", and the lane adds the date.
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
