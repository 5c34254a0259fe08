package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// maxIDs is how many pets one batch may name.
const maxIDs = 100

// filterParams are the parameters of a listing.
var filterParams = [...]string{"egg", "rarity", "element", "background", "shiny", "realm", "owner", "cursor", "limit"}

// PetListings is where pets are selected. *directory.Directory is one.
type PetListings interface {
	// List returns a page of pets. pet.ErrBadPageToken: the page token is not its own.
	List(ctx context.Context, q pet.Query) (pet.Page, error)
	// History returns the changes that were seen in one pet, oldest first.
	History(ctx context.Context, id uint64) ([]pet.Change, error)
	// Changes returns what changed in all pets after the change with that number,
	// or from the oldest on, in order. pet.OutsideFeed: not all of it is kept.
	Changes(ctx context.Context, since *uint64, limit int) ([]pet.Change, error)
}

// petLists answers for many pets at once.
type petLists struct {
	pets       Pets
	listings   PetListings
	documents  *documents
	dictionary *pet.Dictionary
	realms     []pet.Realm
	url        string // of the pets interface's base
	limit      *limiter
}

// tokens serves many documents: those that ids names, or a page of a listing.
func (l *petLists) tokens(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	ids, named := query.text("ids")
	for _, param := range filterParams {
		if _, given := query.text(param); named && given {
			query.fail(param, "not taken together with ids")
		}
	}
	if query.err != nil {
		return nil, query.err
	}
	if named {
		return l.batch(q, ids)
	}
	return l.list(q)
}

// A missingPet stands in a batch where there is no document.
type missingPet struct {
	ID    json.RawMessage `json:"id"` // the number as it was asked for
	Error string          `json:"error"`
}

// batch serves the documents of the ids, in the asked order.
func (l *petLists) batch(q *request, text string) (*response, error) {
	words := strings.Split(text, ",")
	if len(words) > maxIDs {
		return nil, malformed("ids", fmt.Sprintf("a list of more than %d ids", maxIDs))
	}
	list := make([]any, len(words))
	var ids []uint64
	var places []int
	for i, w := range words {
		id, err := pet.ParseID(w)
		if errors.Is(err, pet.ErrBadID) {
			return nil, malformed("ids", "not a list of pet ids separated by commas")
		}
		if err != nil {
			list[i] = missingPet{json.RawMessage(w), problem(err).detail}
			continue
		}
		ids, places = append(ids, id), append(places, i)
	}
	if err := l.limit.take(q, l.notInMemory(ids)); err != nil {
		return nil, err
	}
	found, err := l.pets.Pets(q.Context(), ids)
	if err != nil {
		return nil, unavailable(err)
	}
	cache := listPolicy
	if len(ids) < len(words) {
		cache = cachePolicy{}
	}
	for i, f := range found {
		if f.Err != nil {
			list[places[i]] = missingPet{json.RawMessage(words[places[i]]), problem(f.Err).detail}
			cache = cachePolicy{} // a pet that is missing now may be minted the next second
			continue
		}
		list[places[i]] = json.RawMessage(l.documents.append(make([]byte, 0, documentSize), pet.Prepare(f.Pet)))
	}
	return jsonResponse(list, cache)
}

// notInMemory counts the pets that are not in memory.
func (l *petLists) notInMemory(ids []uint64) int {
	n := 0
	for _, id := range ids {
		if _, ok := l.pets.Peek(id); !ok {
			n++
		}
	}
	return n
}

// A page is a part of a listing.
type page struct {
	Tokens []json.RawMessage `json:"tokens"`
	Next   *string           `json:"next"` // cursor of the page after; null: this was the last
}

// list serves a page of the pets that have everything asked for.
func (l *petLists) list(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	want := l.filters(&query)
	if query.err != nil {
		return nil, query.err
	}
	if err := l.limit.take(q, 1); err != nil {
		return nil, err
	}
	found, err := l.listings.List(q.Context(), want)
	if err != nil {
		return nil, unavailable(err)
	}
	doc := page{Tokens: make([]json.RawMessage, len(found.Pets))}
	for i, p := range found.Pets {
		doc.Tokens[i] = l.documents.append(make([]byte, 0, documentSize), pet.Prepare(p))
	}
	var link []field
	if found.Next != "" {
		doc.Next = &found.Next
		next := q.URL.Query()
		next.Set("cursor", found.Next)
		link = []field{newField("Link", "<"+l.url+"/tokens?"+next.Encode()+`>; rel="next"`)}
	}
	r, err := jsonResponse(doc, listPolicy)
	r.headers = link
	return r, err
}

// filters reads the filters of a listing.
func (l *petLists) filters(q *query) pet.Query {
	dict := l.dictionary
	want := pet.Query{Traits: map[string]int{}}
	for _, filter := range []struct {
		param string
		name  func(uint8) string
	}{
		{"egg", dict.EggName}, {"rarity", pet.RarityName}, {"element", pet.ElementName}, {"background", dict.BackgroundName},
	} {
		if n := q.trait(filter.param, filter.name); n != nil {
			want.Traits[filter.param] = *n
		}
	}
	if _, given := q.text("shiny"); given {
		want.Traits["shiny"] = 0
		if q.boolean("shiny", false) {
			want.Traits["shiny"] = 1
		}
	}
	if key, given := q.text("realm"); given {
		want.Realm = l.realm(q, key)
	}
	if owner, given := q.text("owner"); given {
		if !strings.HasPrefix(owner, "0x") || !common.IsHexAddress(owner) {
			q.fail("owner", "not an address of 0x and 40 hexadecimal digits")
		}
		a := common.HexToAddress(owner)
		want.Owner = &a
	}
	want.PageToken, _ = q.text("cursor")
	want.Limit = q.number("limit", 0, 1, pet.MaxLimit)
	return want
}

// realm returns the key of the realm as configured, whatever case it was asked
// for in.
func (l *petLists) realm(q *query, key string) *string {
	var keys []string
	for _, r := range l.realms {
		if equalFold(key, r.Key) {
			return &r.Key
		}
		keys = append(keys, r.Key)
	}
	q.fail("realm", "not one of "+strings.Join(keys, ", "))
	return nil
}

// trait reads a trait by its number or its name.
func (q *query) trait(param string, name func(uint8) string) *int {
	s, given := q.text(param)
	if !given {
		return nil
	}
	for n := range 256 {
		if strconv.Itoa(n) == s || equalFold(name(uint8(n)), s) {
			return &n
		}
	}
	q.fail(param, "not a number from 0 to 255, nor a name that is known here")
	return nil
}
