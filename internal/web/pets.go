package web

import (
	"context"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/web/express"
)

// Packs are the art packs that are served. art.Packs is one.
type Packs interface {
	// Current is the pack of all pictures that name no version.
	Current() *art.Pack
	// Find returns the pack under which look has the picture version v.
	Find(v string, look art.Look) (*art.Pack, bool)
}

// Gallery draws. *gallery.Gallery is one.
type Gallery interface {
	// Picture returns a PNG, drawn at most once however many ask. gallery.ErrBusy:
	// too many others are waiting.
	Picture(ctx context.Context, p *art.Pack, look art.Look, view art.View) ([]byte, error)
	// Peek returns the picture with this render key if it is in memory.
	Peek(key string) ([]byte, bool)
	// Card is Picture for what draw makes; key names all that it shows.
	Card(ctx context.Context, key string, draw func() []byte) ([]byte, error)
}

// A petAPI answers for the pets.
type petAPI struct {
	pets    Pets
	past    PetPast
	lists   petLists
	packs   Packs
	gallery Gallery
	about   Collection
	limit   *limiter

	documents documents
	answers   *petCache
}

// open makes the routes of the pets interface.
func (p *petAPI) open(m *metrics, rep *representer) []*route {
	document, picture := newRoute(m, "pets", "/token/{id}", p.metadata), newRoute(m, "pets", "/image/{id}", p.picture)
	if p.past != nil {
		document.moments, picture.moments = []string{atParam}, []string{atParam}
	}
	p.documents.open(rep, document)
	return []*route{
		document,
		newRoute(m, "pets", "/token/{id}/history", p.history),
		picture,
		newRoute(m, "pets", "/tokens", p.lists.tokens),
		newRoute(m, "pets", "/changes", p.lists.changes),
		newRoute(m, "pets", "/contract", p.collection),
	}
}

// lookup returns the answer to a plain request, rendered or from the cache; see
// express.Owner. What cannot be paid for or found is for net/http to refuse.
func (p *petAPI) lookup(ctx context.Context, q *express.Request) (a *express.Answer, wait bool) {
	accept := [...]string{q.AcceptEncoding}
	enc := negotiate(accept[:])
	id, ok := p.documents.id(q.Target)
	if !ok || enc != identity {
		if rep := p.answers.get(q.Target, enc); rep != nil {
			return &rep.Answer, false
		}
		return nil, false
	}
	k, ok := p.pets.Peek(id)
	if !ok && !q.Wait {
		return nil, true
	}
	if !ok {
		if k, ok = p.fetch(ctx, q, id); !ok {
			return nil, false
		}
	}
	b, ok := (*q.Scratch).(*docBuffer)
	if !ok {
		b = new(docBuffer)
		*q.Scratch = b
	}
	return p.documents.render(b, k, q.At), false
}

// fetch looks a pet up that is not in memory, unless its caller has no costly
// work left or asks for others, as a proxy does.
func (p *petAPI) fetch(ctx context.Context, q *express.Request, id uint64) (*pet.Prepared, bool) {
	peer, ok := p.limit.peer(q.Remote)
	if !ok || p.limit.spend(peer, q.At, 1) > 0 {
		return nil, false
	}
	k, err := p.pets.Prepared(ctx, id)
	if err != nil {
		p.limit.giveBack(peer, 1) // net/http takes it again
	}
	return k, err == nil
}

// pet looks up the pet that q names. Whoever asks for one that is not in memory
// pays for it, since it may cost a read of the chain.
func (p *petAPI) pet(q *request) (*pet.Prepared, error) {
	id, err := pet.ParseID(q.args[0])
	if err != nil {
		return nil, err
	}
	if k, ok := p.pets.Peek(id); ok {
		return k, nil
	}
	if err := p.limit.take(q, 1); err != nil {
		return nil, err
	}
	k, err := p.pets.Prepared(q.Context(), id)
	return k, unavailable(err)
}

// metadata serves a pet's document.
func (p *petAPI) metadata(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	if at := query.at(q.at); query.err != nil {
		return nil, query.err
	} else if !at.IsZero() {
		return p.metadataThen(q, at)
	}
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	d := &p.documents
	r := d.response(d.append(make([]byte, 0, documentSize), k), d.modified(k.ChangedAt, q.at))
	r.lane = !r.modified.IsZero()
	if negotiate(q.Header["Accept-Encoding"]) != identity { // the lane renders those that are not compressed
		r.store = p.answers.storing(q, k, r)
	}
	return r, nil
}

// picture serves a pet's picture. Its ETag is the render key, so that a caller who
// holds it costs no drawing.
func (p *petAPI) picture(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	view := art.View{Frame: query.boolean("frame", true), Background: query.boolean("background", true)}
	animated := query.boolean("animated", false)
	format, _ := query.text("format")
	size, sized := query.text("size")
	v, _ := query.text("v")
	at := query.at(q.at)
	if query.err != nil {
		return nil, query.err
	}
	k, cache, err := p.pictured(q, at)
	if err != nil {
		return nil, err
	}
	look, pack := art.LookOf(k.Pet), p.packs.Current()
	if v != "" {
		if versioned, ok := p.packs.Find(v, look); ok {
			pack, cache = versioned, versionPolicy
		}
	}
	view.Scale = pack.Scale()
	if sized {
		if view.Scale, err = pack.ParseSize(size); err != nil {
			return nil, malformed("size", "not a width that this picture comes in; "+err.Error())
		}
	}
	if view.Form, err = pack.ParseForm(format, animated, view.Scale); err != nil {
		return nil, malformed("format", err.Error())
	}
	key := pack.Key(look, view)
	r := &response{media: view.Form.Media(), tag: key, cache: cache}
	r.draw = func() ([]byte, error) { return p.draw(q, key, pack, look, view) }
	if at.IsZero() {
		r.modified = p.documents.modified(k.ChangedAt, q.at)
		r.store = p.answers.storing(q, k, r)
	}
	r.lane = r.store != nil
	return r, nil
}

// pictured looks up the pet that is to be drawn: as it is, or as it was at a
// time. It says for how long the picture may be kept.
func (p *petAPI) pictured(q *request, at time.Time) (*pet.Prepared, cachePolicy, error) {
	if !at.IsZero() {
		return p.petAt(q, at)
	}
	k, err := p.pet(q)
	return k, picturePolicy, err
}

// draw takes the picture from memory, or pays for it to be drawn.
func (p *petAPI) draw(q *request, key string, pack *art.Pack, look art.Look, view art.View) ([]byte, error) {
	if png, ok := p.gallery.Peek(key); ok {
		return png, nil
	}
	if err := p.limit.take(q, pack.Cost(view)); err != nil {
		return nil, err
	}
	return p.gallery.Picture(q.Context(), pack, look, view)
}

// A petHistory is what was seen to change in one pet.
type petHistory struct {
	ID      uint64       `json:"id"`
	Changes []pet.Change `json:"changes"`
}

// history serves a pet's changes.
func (p *petAPI) history(q *request) (*response, error) {
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	if err := p.limit.take(q, 1); err != nil {
		return nil, err
	}
	list, err := p.lists.listings.History(q.Context(), k.ID)
	if err != nil {
		return nil, unavailable(err)
	}
	return jsonResponse(petHistory{k.ID, append([]pet.Change{}, list...)}, petPolicy)
}

// A Collection describes the pets as a whole, in the form of ERC-7572.
type Collection struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"external_link,omitempty"`
}

func (p *petAPI) collection(*request) (*response, error) {
	r, err := jsonResponse(p.about, steadyPolicy)
	r.modified = p.documents.started.Truncate(time.Second)
	return r, err
}
