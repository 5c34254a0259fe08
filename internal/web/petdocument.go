package web

import (
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
)

// petDocuments renders the metadata of pets. Memory can hold many more pets than documents, so each
// request for an uncompressed document renders it again. That takes about as long as a look-up in a
// cache.
type petDocuments struct {
	pack    *art.Pack
	writer  *pet.DocumentWriter
	started time.Time
	path    string // the path of documents, up to the id
	ready   answer.Template
}

// open prepares documents to be rendered for the lane. Call it when base b has its routes.
func (d *petDocuments) open(a *answer.Answerer, b *answer.Base) {
	d.ready = a.Template(d.response(nil, d.started), b.Routes["/token/{id}"])
}

// documentSize is enough room for most documents, in bytes.
const documentSize = 3584

// append appends a pet's metadata as it is published.
func (d *petDocuments) append(dst []byte, k *pet.Prepared) []byte {
	return d.writer.Append(dst, k, d.version(k))
}

// version returns the version of a pet's picture.
func (d *petDocuments) version(k *pet.Prepared) string {
	return d.pack.PictureVersion(d.pack.LookOf(k.Pet))
}

// response returns the answer with a pet's metadata.
func (d *petDocuments) response(body []byte, modified time.Time) *answer.Response {
	return &answer.Response{
		Media: answer.JSONType, Tag: string(appendTag(nil, body)), Body: body, Cache: petPolicy, Modified: modified,
		Compress: true,
	}
}

// appendTag appends the content of a document's ETag. The hash need not be secure, because it only
// tells versions of one document apart. A secure hash takes ten times as long.
func appendTag(dst, body []byte) []byte {
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], xxhash.Sum64(body))
	return base64.RawURLEncoding.AppendEncode(dst, sum[:])
}

// settled is how old a change must be before its time can be a Last-Modified. By then, all changes
// in the same second have been reported.
const settled = time.Minute

// modified returns the time at which a pet's representations last changed. This is when the pet
// changed or when this process started, whichever is later. It is zero if this time is after now,
// or if the pet changed so recently that another change could get the same Last-Modified.
func (d *petDocuments) modified(changed, now time.Time) time.Time {
	if now.Sub(changed) < settled {
		return time.Time{}
	}
	t := changed
	if d.started.After(t) {
		t = d.started
	}
	t = t.UTC().Truncate(time.Second)
	if t.After(now) {
		return time.Time{}
	}
	return t
}

// render returns the uncompressed document that a target such as /pets/token/17 asks for, made in
// q.Room. It reports false for any other spelling, and if the pet cannot be loaded. It also reports
// false if the pet changed within the last minute. The answer then must not have a Last-Modified, but
// the template always has one.
func (p *petAPI) render(q *express.Request) (answer.Entry, bool) {
	d := &p.documents
	digits, ok := strings.CutPrefix(q.Target, d.path)
	if !ok || len(digits) == 0 || digits[0] < '0' || digits[0] > '9' { // ParseID would allocate an error
		return answer.Entry{}, false
	}
	id, err := pet.ParseID(digits)
	if err != nil {
		return answer.Entry{}, false
	}
	k, ok := p.load(q, id)
	if !ok {
		return answer.Entry{}, false
	}
	modified := d.modified(k.ChangedAt, q.At)
	if modified.IsZero() {
		return answer.Entry{}, false
	}
	body := d.append(q.Room, k)
	etag := append(appendTag(append(body[len(body):], '"'), body), '"') // behind the body
	return d.ready.Entry(body, etag, modified), true
}
