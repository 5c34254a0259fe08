package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A response is what a handler decided on. answer does the rest: it sets the
// headers, decides on 304, encodes, writes, counts and logs.
type response struct {
	status   int // 0: 200
	media    string
	tag      string    // content of the ETag; "": made of the body
	modified time.Time // zero: not known to the second
	cache    policy
	own      []field // headers of this answer alone
	body     []byte
	draw     func() ([]byte, error) // makes the body once it is known to be needed
	squeeze  bool                   // worth compressing if it is long enough
	keep     func()                 // called once the answer was sent whole with 200
	entry    *entry                 // prepared before: everything above is in it
}

// A field is one header of an answer. Its values are shared between answers
// and never changed.
type field struct {
	key    string // canonical
	values []string
}

func fieldOf(key, value string) field { return field{http.CanonicalHeaderKey(key), []string{value}} }

// A form is one representation in one encoding, ready to be written. It is
// never changed once it was sent or published, so that anyone may keep it.
type form struct {
	status   int
	encoding encoding
	etag     string // quoted; "" on refusals
	modified time.Time
	header   []field // everything but Date, sorted by key
	body     []byte

	// The same for the express lane: the head of the answer as net/http writes
	// it, up to and with "Date: ", and that of its 304. nil: not sealed.
	wire, wire304 []byte
}

// everywhere are the headers of every answer, errors included.
var everywhere = []field{
	fieldOf("Access-Control-Allow-Origin", "*"),
	fieldOf("Access-Control-Expose-Headers", "ETag, Link, Petsupply-Demo, RateLimit, RateLimit-Policy, Retry-After, Supply-As-Of, Supply-Snapshot, Supply-Status, X-Request-Id"),
	fieldOf("Cross-Origin-Resource-Policy", "cross-origin"),
	fieldOf("X-Content-Type-Options", "nosniff"),
}

// form builds the headers of r in encoding e. The body may come later, with
// fill.
func (s *Server) form(r *response, e encoding) *form {
	f := &form{status: r.status, encoding: e, modified: r.modified, header: make([]field, 0, len(s.common)+len(r.own)+7)}
	if f.status == 0 {
		f.status = http.StatusOK
	}
	f.header = append(f.header, s.common...)
	f.header = append(f.header, r.own...)
	f.header = append(f.header, fieldOf("Cache-Control", r.cache.String()))
	if r.media != "" {
		f.header = append(f.header, fieldOf("Content-Type", r.media))
	}
	if r.tag != "" {
		f.etag = `"` + r.tag + e.suffix() + `"`
		f.header = append(f.header, fieldOf("Etag", f.etag))
	}
	if !r.modified.IsZero() {
		f.header = append(f.header, fieldOf("Last-Modified", r.modified.UTC().Format(http.TimeFormat)))
	}
	if r.squeeze {
		f.header = append(f.header, fieldOf("Vary", "Accept-Encoding"))
	}
	if e != identity {
		f.header = append(f.header, fieldOf("Content-Encoding", e.name()))
	}
	f.sort()
	return f
}

// fill gives the form its body, as it goes over the wire.
func (f *form) fill(body []byte) {
	f.body = body
	if f.status != http.StatusNoContent {
		f.add(fieldOf("Content-Length", strconv.Itoa(len(body))))
	}
}

func (f *form) add(x field) {
	f.header = append(f.header, x)
	f.sort()
}

func (f *form) sort() {
	slices.SortStableFunc(f.header, func(a, b field) int { return strings.Compare(a.key, b.key) })
}

// seal prepares the form for the express lane.
func (f *form) seal() *form {
	f.wire = f.head(f.status, nil)
	f.wire304 = f.head(http.StatusNotModified, bodily)
	return f
}

// bodily are the headers that an answer without a body does not have.
var bodily = []string{"Content-Length", "Content-Type"}

func (f *form) head(status int, without []string) []byte {
	b := []byte("HTTP/1.1 " + strconv.Itoa(status) + " " + http.StatusText(status) + "\r\n")
	for _, x := range f.header {
		if slices.Contains(without, x.key) {
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

// appendMark appends the content of an ETag for a body that is made anew for
// every caller: not proof against forgery, which only the forger would see, but
// a tenth of the cost.
func appendMark(dst, body []byte) []byte {
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], xxhash.Sum64(body))
	return base64.RawURLEncoding.AppendEncode(dst, sum[:])
}
