package web

import (
	"context"
	"errors"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/art/gallery"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/web/answer"
	"petsupply/internal/web/express"
)

// Pets looks up pets. *directory.Directory is one.
type Pets interface {
	// Peek returns a pet if it is in memory. After the pet has changed, Peek returns another
	// pointer.
	Peek(id uint64) (*pet.Prepared, bool)
	// Prepared returns one pet, from memory if possible. The error is pet.ErrNotFound if the pet
	// does not exist, and pet.ErrUnavailable if it cannot be looked up now.
	Prepared(ctx context.Context, id uint64) (*pet.Prepared, error)
	// Pets returns a result for each id, in the same order.
	Pets(ctx context.Context, ids []uint64) ([]pet.Found, error)
}

// A petAPI answers requests about pets.
type petAPI struct {
	answerer *answer.Answerer
	base     *answer.Base
	pets     Pets
	listings PetListings
	words    *pet.Words
	filters  []*collection.Field // fields that a listing can select by
	realms   []pet.Realm
	packs    art.Packs
	gallery  *gallery.Gallery
	about    Collection
	describe func(error) *answer.Problem

	documents petDocuments
	answers   *petCache
}

// pet looks up the pet that q names. It charges the caller if the pet is not in memory.
func (p *petAPI) pet(q *answer.Request) (*pet.Prepared, error) {
	id, err := pet.ParseID(q.Args[0])
	if err != nil {
		return nil, err
	}
	if k, ok := p.pets.Peek(id); ok {
		return k, nil
	}
	if err := q.Pay(0); err != nil {
		return nil, err
	}
	k, err := p.pets.Prepared(q.Context(), id)
	return k, unavailable(err)
}

// laneWait is how long the lane waits for a pet from the store. It is much longer than a look-up
// takes, and shorter than the lane's patience.
const laneWait = 200 * time.Millisecond

// load returns a pet for a request in the lane, from memory if possible. If load fails for any
// reason, net/http looks the pet up again, and tells the caller why.
func (p *petAPI) load(q *express.Request, id uint64) (*pet.Prepared, bool) {
	if k, ok := p.pets.Peek(id); ok {
		return k, true
	}
	if !p.answerer.ChargePeer(q.From, q.At, petCost.Units) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), laneWait)
	defer cancel()
	k, err := p.pets.Prepared(ctx, id)
	return k, err == nil
}

// metadata serves a pet's document.
func (p *petAPI) metadata(q *answer.Request) (*answer.Response, error) {
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	d := &p.documents
	r := d.response(d.append(make([]byte, 0, documentSize), k), d.modified(k.ChangedAt, q.At))
	// An uncompressed document is not stored, because the lane renders it for each request.
	if answer.Negotiate(answer.Joined(q.Header, "Accept-Encoding")) != answer.Identity {
		r.Store = p.answers.storing(q, k, r)
	}
	return r, nil
}

// picture serves a pet's picture. Its ETag is made from Pack.Key, which is known before the picture
// is drawn. So nothing is drawn for a caller that has the picture.
func (p *petAPI) picture(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	viewOf := readView(query)
	version, _ := query.Text("v")
	if query.Err != nil {
		return nil, query.Err
	}
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	cache := q.Route.Cache
	pack := p.packs.Current()
	look := pack.LookOf(k.Pet)
	if versioned, l, ok := p.packs.Find(version, k.Pet); ok && version != "" {
		pack = versioned
		look = l
		cache = versionPolicy
	}
	view, err := viewOf(pack)
	if err != nil {
		return nil, err
	}
	key := pack.Key(look, view)
	r := &answer.Response{Media: "image/png", Tag: key, Cache: cache,
		Modified: p.documents.modified(k.ChangedAt, q.At)}
	r.Draw = func() ([]byte, error) { return p.draw(q, key, pack, look, view) }
	r.Store = p.answers.storing(q, k, r)
	return r, nil
}

// readView reads the form of the picture that a caller wants. It returns a function that turns this
// form into a view of a pack. The error of that function says that the pack does not have the form.
func readView(q *answer.Query) func(*art.Pack) (art.View, error) {
	v := art.View{Frame: q.Boolean("frame", true), Background: q.Boolean("background", true)}
	animated := q.Boolean("animated", false)
	format, _ := q.Text("format")
	size, sized := q.Text("size")
	return func(pack *art.Pack) (_ art.View, err error) {
		v.Scale = pack.Scale()
		if sized {
			v.Scale, err = pack.ParseSize(size)
			if err != nil {
				return v, answer.Malformed("size", "not valid: "+err.Error())
			}
		}
		v.Form, err = pack.ParseForm(format, animated)
		if err != nil {
			return v, answer.Malformed("format", "not valid: "+err.Error())
		}
		return v, nil
	}
}

// pictureBytes returns an upper bound for the size of a picture, which is reserved before it is
// drawn. Pixels are drawn several times as large, so a picture has much less than a byte for each.
func pictureBytes(pack *art.Pack, view art.View) int {
	width := view.Scale * pack.Grid()
	bound := 32<<10 + width*width/64
	if view.Form == art.Moving {
		bound *= 4
	}
	return min(bound, maxPictureBytes)
}

// maxPictureBytes fits into the share of one address.
const maxPictureBytes = 4 << 20

// draw returns the picture from memory. If it is not there, draw charges the caller and draws it.
func (p *petAPI) draw(q *answer.Request, key string, pack *art.Pack, look art.Look, view art.View) ([]byte, error) {
	if png, ok := p.gallery.Peek(key); ok {
		return png, nil
	}
	if err := q.Charge(pack.Cost(view), pictureBytes(pack, view)); err != nil {
		return nil, err
	}
	return p.gallery.Picture(q.Context(), pack, look, view)
}

// A petHistory has the known changes of one pet.
type petHistory struct {
	ID      uint64       `json:"id"`
	Changes []pet.Change `json:"changes"`
}

// history serves a pet's changes, also those of a burned pet.
func (p *petAPI) history(q *answer.Request) (*answer.Response, error) {
	id, err := pet.ParseID(q.Args[0])
	if err != nil {
		return nil, err
	}
	if err := q.Pay(0); err != nil {
		return nil, err
	}
	if _, err := p.pets.Prepared(q.Context(), id); err != nil && !errors.Is(err, pet.ErrBurned) {
		return nil, unavailable(err)
	}
	list, err := p.listings.History(q.Context(), id)
	if err != nil {
		return nil, unavailable(err)
	}
	return answer.JSON(petHistory{id, append([]pet.Change{}, list...)}, q.Route.Cache)
}

// A Collection describes the pets as a whole, in the form of ERC-7572.
type Collection struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"external_link,omitempty"`
}

func (p *petAPI) collection(q *answer.Request) (*answer.Response, error) {
	r, err := answer.JSON(p.about, q.Route.Cache)
	r.Modified = p.documents.started.Truncate(time.Second)
	return r, err
}
