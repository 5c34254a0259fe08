package answer

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// An Entry is a finished answer: ready bytes in one encoding. It never changes once it was sent or
// published, so anyone may keep it.
type Entry struct {
	// Head and Head304 are the heads as net/http would write them, ending with "Date: ". They are
	// for the express lane, and nil until it needs them.
	Head, Head304 []byte
	ETag          []byte    // quoted
	Modified      time.Time // zero if not known
	Body          []byte
	shared        bool   // the body is kept for all callers, so sending it takes no more memory
	Route         *Route // counts the answers; nil until the express lane needs it

	status int
	header []field           // all headers except Date
	packed [encodings]*Entry // the same answer in other encodings; nil where that saves too little
}

// Pick returns the entry in the encoding that suits an Accept-Encoding.
func (e *Entry) Pick(accept string) *Entry {
	if e.packed[gzipped] != nil || e.packed[zstandard] != nil {
		if packed := e.packed[Negotiate(accept)]; packed != nil {
			return packed
		}
	}
	return e
}

// head builds the entry of r in encoding enc, but without the body: fill adds that.
func (a *Answerer) head(r *Response, enc Encoding) *Entry {
	e := &Entry{status: r.status, header: make([]field, 0, len(a.common)+len(r.headers)+7)}
	e.Modified = r.Modified
	if e.status == 0 {
		e.status = http.StatusOK
	}
	e.header = append(append(e.header, a.common...), r.headers...)
	add := func(key, value string) { e.header = append(e.header, field{key, []string{value}}) }
	add("Cache-Control", r.Cache.String())
	if enc != Identity {
		add("Content-Encoding", enc.name())
	}
	if r.Media != "" {
		add("Content-Type", r.Media)
	}
	if r.Tag != "" {
		etag := `"` + r.Tag + enc.suffix() + `"`
		e.ETag = []byte(etag)
		add("Etag", etag)
	}
	if !r.Modified.IsZero() {
		add("Last-Modified", r.Modified.UTC().Format(http.TimeFormat))
	}
	if r.Compress {
		add("Vary", "Accept-Encoding")
	}
	return e
}

// fill sets the body of the entry, as it is sent.
func (e *Entry) fill(body []byte) *Entry {
	e.Body = body
	if e.status != http.StatusNoContent {
		e.header = append(e.header, field{"Content-Length", []string{strconv.Itoa(len(body))}})
	}
	return e
}

// Entry builds the entry of the response r, whose body must be set. The route t counts its answers.
// The argument same is nil, or an entry with the same content, whose compressed bodies are used
// again.
func (a *Answerer) Entry(r *Response, t *Route, same *Entry) *Entry {
	e := a.head(r, Identity).fill(r.Body).buildWire(t)
	e.shared = true
	for enc := Identity + 1; r.Compress && enc < encodings; enc++ {
		var body []byte
		if same == nil {
			body = compress(enc, r.Body)
		} else if same.packed[enc] != nil {
			body = same.packed[enc].Body
		}
		if body != nil {
			e.packed[enc] = a.head(r, enc).fill(body).buildWire(t)
			e.packed[enc].shared = true
		}
	}
	return e
}

// write sends the entry with this status: completely, or as a 304 without the headers of the body.
func (e *Entry) write(w http.ResponseWriter, method string, status int) {
	h := w.Header()
	for i := range e.header {
		x := &e.header[i]
		if status == http.StatusNotModified && slices.Contains(bodyHeaders, x.key) {
			continue
		}
		h[x.key] = x.values
	}
	w.WriteHeader(status)
	if status != http.StatusNotModified && method != http.MethodHead {
		_, _ = w.Write(e.Body) // the caller may be gone
	}
}

// unsent returns how much memory the entry needs until it is sent with this status.
func (e *Entry) unsent(method string, status int) int64 {
	if e.shared || status != http.StatusOK || method == http.MethodHead {
		return 0
	}
	return int64(cap(e.Body))
}

// buildWire prepares the entry for the express lane, unless it is prepared already. The body must be
// set. The route t counts its answers.
func (e *Entry) buildWire(t *Route) *Entry {
	if e.Head == nil {
		e.Route = t
		e.Head = wireHead(e.header, e.status)
		e.Head304 = wireHead(e.header, http.StatusNotModified)
	}
	return e
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
