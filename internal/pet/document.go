package pet

import (
	"strconv"

	"petsupply/internal/pet/collection"
)

// Links are the public base URLs, without a trailing slash.
type Links struct {
	Pets string // base of the pet API
	Site string // base of the site
}

// maxRawName limits the bytes of a pet's given name in rawData.
const maxRawName = 1024

// A Prepared pet has the results of the costly work for its document. A directory.Directory has
// many of them in memory, so data that few pets have is separate (see preparedMore).
type Prepared struct {
	Pet
	casings [2]collection.Casing // of the owner and of the first address trait
	more    *preparedMore        // nil for a pet without a name or further addresses
}

type preparedMore struct {
	givenName string              // the given name for display, in JSON without quotes, or ""
	rawName   string              // the given name for rawData, in JSON with quotes
	casings   []collection.Casing // of all addresses
}

// Prepare does the costly work for the document of a pet.
func Prepare(c *collection.Collection, p Pet) *Prepared {
	out := &Prepared{Pet: p}
	casings := c.Casings(out.casings[:0], p.Owner, p.Value)
	if p.Name == "" && len(casings) <= len(out.casings) {
		return out
	}
	out.more = &preparedMore{rawName: noName, casings: casings}
	if p.Name != "" {
		out.more.givenName = collection.JSONText(Clean(p.Name))
		out.more.rawName = collection.QuoteVisibly(collection.Clip(p.Name, maxRawName))
	}
	return out
}

const noName = `""`

// A DocumentWriter writes the published documents of pets. It keeps the texts that are the same for
// all pets in JSON form. It is safe for concurrent use.
type DocumentWriter struct {
	collection *collection.Collection
	texts      *collection.Texts
	realms     []Realm
	links      Links
}

// NewDocumentWriter makes a DocumentWriter with the words of an art pack and these links.
func NewDocumentWriter(rg *Registry, pack map[string]collection.Table, l Links) (*DocumentWriter, error) {
	texts, err := rg.Collection.Texts(pack, collection.JSONText)
	if err != nil {
		return nil, err
	}
	text := collection.JSONText
	w := &DocumentWriter{collection: rg.Collection, texts: texts,
		links: Links{Pets: text(l.Pets), Site: text(l.Site)}}
	for _, r := range rg.Realms {
		r.Name = text(r.Name)
		w.realms = append(w.realms, r)
	}
	return w, nil
}

// Prepare does the costly work for the document of a pet.
func (w *DocumentWriter) Prepare(p Pet) *Prepared { return Prepare(w.collection, p) }

// Append appends the pet's document to dst. The same pet, collection, pack, realms and links give
// the same bytes. v is the picture's version in hexadecimal. The picture's URL contains it, so the
// URL changes with the picture. The JSON has the form of encoding/json without HTML escapes.
func (w *DocumentWriter) Append(dst []byte, p *Prepared, v string) []byte {
	x := p.token(w.realms)
	rawName := noName
	if p.more != nil {
		rawName = p.more.rawName
	}
	var buffer [256]byte
	m := append(buffer[:0], `"image":"`...)
	m = strconv.AppendUint(append(append(m, w.links.Pets...), `/image/`...), p.ID, 10)
	m = append(append(m, `?v=`...), v...)
	m = append(append(append(m, `","external_url":"`...), w.links.Site...), `/pet/`...)
	m = append(strconv.AppendUint(m, p.ID, 10), '"')
	return w.texts.AppendDocument(dst, &x, rawName, m)
}

// token returns the data of the pet that texts can show. The names of the realms must already be
// escaped, in the same way as the texts.
func (p *Prepared) token(realms []Realm) collection.Token {
	x := collection.Token{ID: p.ID, Number: p.ID, Value: p.Value, Realm: p.Realm, NativeRealm: "Unknown",
		Owner: p.Owner, Casings: p.casings[:], InTransit: p.InTransit, Block: p.Block, ChangedAt: p.ChangedAt.Unix()}
	if p.more != nil {
		x.Name = p.more.givenName
		x.Casings = p.more.casings
	}
	for i := range realms {
		r := &realms[i]
		if r.Key == p.Realm {
			x.Realm = r.Name
			x.Closed = r.Closed
		}
		if r.Native(p.ID) {
			x.NativeRealm = r.Name
			x.Number = r.Number(p.ID)
		}
	}
	return x
}
