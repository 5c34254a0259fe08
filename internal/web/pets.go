package web

import (
	"context"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
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
	limit   *answer.Limiter

	documents petDocuments
	answers   *petCache
}

// open makes the routes of the pets interface.
func (p *petAPI) open(m *answer.Metrics, rep *answer.Representer) []*answer.Route {
	document, picture := answer.NewRoute(m, "pets", "/token/{id}", p.metadata), answer.NewRoute(m, "pets", "/image/{id}", p.picture)
	if p.past != nil {
		document.Moments, picture.Moments = []string{answer.AtParam}, []string{answer.AtParam}
	}
	p.documents.open(rep, document)
	return []*answer.Route{
		document,
		answer.NewRoute(m, "pets", "/token/{id}/history", p.history),
		picture,
		answer.NewRoute(m, "pets", "/tokens", p.lists.tokens),
		answer.NewRoute(m, "pets", "/changes", p.lists.changes),
		answer.NewRoute(m, "pets", "/contract", p.collection),
	}
}

// lookup returns the answer to a plain request, rendered or from the cache; see
// express.Owner. What cannot be paid for or found is for net/http to refuse.
func (p *petAPI) lookup(ctx context.Context, q *express.Request) (a *express.Answer, wait bool) {
	accept := [...]string{q.AcceptEncoding}
	enc := answer.Negotiate(accept[:])
	id, ok := p.documents.id(q.Target)
	if !ok || enc != answer.Identity {
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
	peer, ok := p.limit.Peer(q.Remote)
	if !ok || p.limit.Spend(peer, q.At, 1) > 0 {
		return nil, false
	}
	k, err := p.pets.Prepared(ctx, id)
	if err != nil {
		p.limit.GiveBack(peer, 1) // net/http takes it again
	}
	return k, err == nil
}

// pet looks up the pet that q names. Whoever asks for one that is not in memory
// pays for it, since it may cost a read of the chain.
func (p *petAPI) pet(q *answer.Request) (*pet.Prepared, error) {
	id, err := pet.ParseID(q.Args[0])
	if err != nil {
		return nil, err
	}
	if k, ok := p.pets.Peek(id); ok {
		return k, nil
	}
	if err := p.limit.Take(q, 1); err != nil {
		return nil, err
	}
	k, err := p.pets.Prepared(q.Context(), id)
	return k, answer.Unavailable(err)
}

// metadata serves a pet's document.
func (p *petAPI) metadata(q *answer.Request) (*answer.Response, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	if at := query.At(q.At); query.Err != nil {
		return nil, query.Err
	} else if !at.IsZero() {
		return p.metadataThen(q, at)
	}
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	d := &p.documents
	r := d.response(d.append(make([]byte, 0, documentSize), k), d.modified(k.ChangedAt, q.At))
	r.Lane = !r.Modified.IsZero()
	if answer.Negotiate(q.Header["Accept-Encoding"]) != answer.Identity { // the lane renders those that are not compressed
		r.Store = p.answers.storing(q, k, r)
	}
	return r, nil
}

// picture serves a pet's picture. Its ETag is the render key, so that a caller who
// holds it costs no drawing.
func (p *petAPI) picture(q *answer.Request) (*answer.Response, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	view := art.View{Frame: query.Boolean("frame", true), Background: query.Boolean("background", true)}
	animated := query.Boolean("animated", false)
	format, _ := query.Text("format")
	size, sized := query.Text("size")
	v, _ := query.Text("v")
	at := query.At(q.At)
	if query.Err != nil {
		return nil, query.Err
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
			return nil, answer.Malformed("size", "not a width that this picture comes in; "+err.Error())
		}
	}
	if view.Form, err = pack.ParseForm(format, animated, view.Scale); err != nil {
		return nil, answer.Malformed("format", err.Error())
	}
	key := pack.Key(look, view)
	r := &answer.Response{Media: view.Form.Media(), Tag: key, Cache: cache}
	r.Draw = func() ([]byte, error) { return p.draw(q, key, pack, look, view) }
	if at.IsZero() {
		r.Modified = p.documents.modified(k.ChangedAt, q.At)
		r.Store = p.answers.storing(q, k, r)
	}
	r.Lane = r.Store != nil
	return r, nil
}

// pictured looks up the pet that is to be drawn: as it is, or as it was at a
// time. It says for how long the picture may be kept.
func (p *petAPI) pictured(q *answer.Request, at time.Time) (*pet.Prepared, answer.CachePolicy, error) {
	if !at.IsZero() {
		return p.petAt(q, at)
	}
	k, err := p.pet(q)
	return k, picturePolicy, err
}

// draw takes the picture from memory, or pays for it to be drawn.
func (p *petAPI) draw(q *answer.Request, key string, pack *art.Pack, look art.Look, view art.View) ([]byte, error) {
	if png, ok := p.gallery.Peek(key); ok {
		return png, nil
	}
	if err := p.limit.Take(q, pack.Cost(view)); err != nil {
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
func (p *petAPI) history(q *answer.Request) (*answer.Response, error) {
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	if err := p.limit.Take(q, 1); err != nil {
		return nil, err
	}
	list, err := p.lists.listings.History(q.Context(), k.ID)
	if err != nil {
		return nil, answer.Unavailable(err)
	}
	return answer.JSON(petHistory{k.ID, append([]pet.Change{}, list...)}, petPolicy)
}

// A Collection describes the pets as a whole, in the form of ERC-7572.
type Collection struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"external_link,omitempty"`
}

func (p *petAPI) collection(*answer.Request) (*answer.Response, error) {
	r, err := answer.JSON(p.about, steadyPolicy)
	r.Modified = p.documents.started.Truncate(time.Second)
	return r, err
}
