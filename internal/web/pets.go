package web

import (
	"context"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
)

// Pets is where pets are looked up. *directory.Directory is one.
type Pets interface {
	// Prepared returns one pet, from memory where it can. pet.ErrNotFound: there is
	// none; pet.ErrUnavailable: that cannot be said now.
	Prepared(ctx context.Context, id uint64) (*pet.Prepared, error)
	// Pets returns what was found for each id, in the same order.
	Pets(ctx context.Context, ids []uint64) ([]pet.Found, error)
	// List returns a page of pets. pet.ErrBadPageToken: the page token is not its own.
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	// History returns the changes that were seen in one pet, oldest first.
	History(ctx context.Context, id uint64) ([]pet.Change, error)
}

// Packs are the art packs that are served. art.Packs is one.
type Packs interface {
	// Current is the pack of all pictures that name no version.
	Current() *art.Pack
	// Find returns the pack under which look has the picture version v.
	Find(v string, look art.Look) (*art.Pack, bool)
}

// Gallery draws. *art.Gallery is one.
type Gallery interface {
	// Picture returns a PNG, drawn at most once however many ask. art.ErrBusy:
	// too many others are waiting.
	Picture(ctx context.Context, p *art.Pack, look art.Look, view art.View) ([]byte, error)
	// Peek returns the picture with this render key if it is in memory.
	Peek(key string) ([]byte, bool)
}

const pngType = "image/png"

// openPets makes the routes of the pets interface.
func (s *Server) openPets() []*route {
	document := s.routeOf("pets", "/token/{id}", s.metadata)
	s.mould = s.newMould(document)
	return []*route{
		document,
		s.routeOf("pets", "/token/{id}/history", s.changes),
		s.routeOf("pets", "/image/{id}", s.picture),
		s.routeOf("pets", "/tokens", s.tokens),
		s.routeOf("pets", "/contract", s.collection),
	}
}

// pet looks up the pet that q names. Whoever asks for one that is not in memory
// pays for it, since it may cost a read of the chain.
func (s *Server) pet(q *request) (*pet.Prepared, error) {
	id, err := pet.ParseID(q.args[0])
	if err != nil {
		return nil, err
	}
	if s.peek != nil {
		if k, ok := s.peek(id); ok {
			return k, nil
		}
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	k, err := s.pets.Prepared(q.Context(), id)
	return k, away(err)
}

// metadata serves a pet's document.
func (s *Server) metadata(q *request) (*response, error) {
	epoch := s.hot.begin()
	p, err := s.pet(q)
	if err != nil {
		return nil, err
	}
	reign := s.reignAt(q.at)
	r := documentOf(reign.append(make([]byte, 0, usual), p), reign.modified(p.ChangedAt, q.at))
	r.keep = func() { s.offer(q, epoch, p.ID, r) }
	return r, nil
}

// usual is room enough for most documents.
const usual = 3584

// documentOf is the answer with a pet's metadata.
func documentOf(body []byte, modified time.Time) *response {
	return &response{media: jsonType, tag: string(appendMark(nil, body)), body: body, cache: petPolicy, modified: modified, squeeze: true}
}

// A reign is that of a pack: since when it has been the current one, or the
// process started, and who writes in its words.
type reign struct {
	pack   *art.Pack
	since  time.Time
	scribe *pet.DocumentWriter
}

func (s *Server) newReign(p *art.Pack, since time.Time) *reign {
	return &reign{p, since, pet.NewDocumentWriter(p.Dictionary(), s.links, s.realms)}
}

// append appends a pet's metadata as it is published.
func (r *reign) append(dst []byte, k *pet.Prepared) []byte {
	return r.scribe.Append(dst, k, r.pack.V(art.LookOf(k.Pet)))
}

// reignAt is the reign of the current pack. A new pack makes every kept answer
// of pets an old one.
func (s *Server) reignAt(now time.Time) *reign {
	for {
		r, pack := s.reign.Load(), s.packs.Current()
		switch {
		case r == nil:
			s.reign.CompareAndSwap(nil, s.newReign(pack, s.started))
		case r.pack == pack:
			return r
		default:
			// Never the same second as the pack before.
			since := r.since.Truncate(time.Second).Add(time.Second)
			if now.After(since) {
				since = now
			}
			if s.reign.CompareAndSwap(r, s.newReign(pack, since)) {
				s.hot.clear()
			}
		}
	}
}

// settled is how old a change must be before its second is surely over for
// everyone who could still report another change in it.
const settled = time.Minute

// modified is when a pet's representations last became what they are: by a
// change of the pet, of the art pack, or of what this process was started with.
// It is not said of a change so recent that another could still fall into the
// same second.
func (r *reign) modified(changed, now time.Time) time.Time {
	if now.Sub(changed) < settled {
		return time.Time{}
	}
	t := changed
	if r.since.After(t) {
		t = r.since
	}
	if t = t.UTC().Truncate(time.Second); t.After(now) {
		return time.Time{}
	}
	return t
}

// picture serves a pet's PNG. Its ETag is the render key, so that a caller who
// holds it costs no drawing.
func (s *Server) picture(q *request) (*response, error) {
	epoch := s.hot.begin()
	query := query{raw: q.URL.RawQuery}
	view := art.View{Frame: query.boolean("frame", true), Background: query.boolean("background", true)}
	size, sized := query.text("size")
	v, _ := query.text("v")
	if query.err != nil {
		return nil, query.err
	}
	p, err := s.pet(q)
	if err != nil {
		return nil, err
	}
	look, pack, cache := art.LookOf(p.Pet), s.packs.Current(), picturePolicy
	if v != "" {
		if versioned, ok := s.packs.Find(v, look); ok {
			pack, cache = versioned, versionPolicy
		}
	}
	view.Scale = pack.Scale()
	if sized {
		if view.Scale, err = pack.ParseSize(size); err != nil {
			return nil, malformed("size", "not a width that this picture comes in; "+err.Error())
		}
	}
	key := pack.Key(look, view)
	r := &response{media: pngType, tag: key, cache: cache, modified: s.reignAt(q.at).modified(p.ChangedAt, q.at)}
	r.draw = func() ([]byte, error) { return s.draw(q, key, pack, look, view) }
	r.keep = func() { s.offer(q, epoch, p.ID, r) }
	return r, nil
}

// draw takes the picture from memory, or pays for it to be drawn.
func (s *Server) draw(q *request, key string, pack *art.Pack, look art.Look, view art.View) ([]byte, error) {
	if png, ok := s.gallery.Peek(key); ok {
		return png, nil
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	return s.gallery.Picture(q.Context(), pack, look, view)
}

// A biography is what was seen to change in one pet.
type biography struct {
	ID      uint64       `json:"id"`
	Changes []pet.Change `json:"changes"`
}

// changes serves a pet's history.
func (s *Server) changes(q *request) (*response, error) {
	p, err := s.pet(q)
	if err != nil {
		return nil, err
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	list, err := s.pets.History(q.Context(), p.ID)
	if err != nil {
		return nil, away(err)
	}
	if list == nil {
		list = []pet.Change{}
	}
	body, err := Encode(biography{p.ID, list})
	return &response{media: jsonType, body: body, cache: petPolicy, squeeze: true}, err
}

// A Collection describes the pets as a whole, in the form of ERC-7572.
type Collection struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"external_link,omitempty"`
}

func (s *Server) collection(*request) (*response, error) {
	body, err := Encode(s.about)
	return &response{media: jsonType, body: body, cache: steadyPolicy, modified: s.started.Truncate(time.Second), squeeze: true}, err
}
