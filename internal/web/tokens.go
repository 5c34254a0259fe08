package web

import (
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

// filters are the parameters of a listing.
var filters = [...]string{"egg", "rarity", "element", "background", "shiny", "realm", "owner", "cursor", "limit"}

// tokens serves many documents: those that ids names, or a page of a listing.
func (s *Server) tokens(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	ids, named := query.text("ids")
	for _, param := range filters {
		if _, given := query.text(param); named && given {
			query.fail(param, "not taken together with ids")
		}
	}
	if query.err != nil {
		return nil, query.err
	}
	if named {
		return s.batch(q, ids)
	}
	return s.list(q)
}

// A missing stands in a batch where there is no document.
type missing struct {
	ID    json.RawMessage `json:"id"` // the number as it was asked for
	Error string          `json:"error"`
}

// batch serves the documents of the ids, in the asked order.
func (s *Server) batch(q *request, text string) (*response, error) {
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
			list[i] = missing{json.RawMessage(w), problem(err).detail}
			continue
		}
		ids, places = append(ids, id), append(places, i)
	}
	if err := s.limit.take(q, s.afar(ids)); err != nil {
		return nil, err
	}
	found, err := s.pets.Pets(q.Context(), ids)
	if err != nil {
		return nil, away(err)
	}
	cache, reign := listPolicy, s.reignAt(q.at)
	if len(ids) < len(words) {
		cache = policy{}
	}
	for i, f := range found {
		if f.Err != nil {
			list[places[i]] = missing{json.RawMessage(words[places[i]]), problem(f.Err).detail}
			cache = policy{} // a pet that is missing now may be minted the next second
			continue
		}
		list[places[i]] = json.RawMessage(reign.append(make([]byte, 0, usual), pet.Prepare(f.Pet)))
	}
	body, err := Encode(list)
	return &response{media: jsonType, body: body, cache: cache, squeeze: true}, err
}

// afar counts the pets that are not in memory.
func (s *Server) afar(ids []uint64) int {
	n := 0
	for _, id := range ids {
		if s.peek != nil {
			if _, ok := s.peek(id); ok {
				continue
			}
		}
		n++
	}
	return n
}

// A page is a part of a listing.
type page struct {
	Tokens []json.RawMessage `json:"tokens"`
	Next   *string           `json:"next"` // cursor of the page after; null: this was the last
}

// list serves a page of the pets that have everything asked for.
func (s *Server) list(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	want := s.wanted(&query)
	if query.err != nil {
		return nil, query.err
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	found, err := s.pets.List(q.Context(), want)
	if err != nil {
		return nil, away(err)
	}
	doc, reign := page{Tokens: make([]json.RawMessage, len(found.Pets))}, s.reignAt(q.at)
	for i, p := range found.Pets {
		doc.Tokens[i] = reign.append(make([]byte, 0, usual), pet.Prepare(p))
	}
	r := &response{media: jsonType, cache: listPolicy, squeeze: true}
	if found.Next != "" {
		doc.Next = &found.Next
		next := q.URL.Query()
		next.Set("cursor", found.Next)
		r.own = []field{fieldOf("Link", "<"+s.links.Pets+"/tokens?"+next.Encode()+`>; rel="next"`)}
	}
	r.body, err = Encode(doc)
	return r, err
}

// wanted reads the filters of a listing.
func (s *Server) wanted(q *query) pet.Query {
	dict := s.packs.Current().Dictionary()
	want := pet.Query{
		Egg:        q.trait("egg", dict.EggName),
		Rarity:     q.trait("rarity", pet.RarityName),
		Element:    q.trait("element", pet.ElementName),
		Background: q.trait("background", dict.BackgroundName),
	}
	if _, given := q.text("shiny"); given {
		n := 0
		if q.boolean("shiny", false) {
			n = 1
		}
		want.Shiny = &n
	}
	if key, given := q.text("realm"); given {
		want.Realm = s.realm(key)
		if want.Realm == nil {
			q.fail("realm", "not one of "+strings.Join(s.realmKeys(), ", "))
		}
	}
	if owner, given := q.text("owner"); given {
		if !strings.HasPrefix(owner, "0x") || !common.IsHexAddress(owner) {
			q.fail("owner", "not an address of 0x and 40 hexadecimal digits")
		}
		a := common.HexToAddress(owner)
		want.Owner = &a
	}
	want.PageToken, _ = q.text("cursor")
	if n := q.number("limit", 1, pet.MaxLimit); n != nil {
		want.Limit = *n
	}
	return want
}

// realm returns the key of the realm as configured, whatever case it was asked
// for in; nil: there is none.
func (s *Server) realm(key string) *string {
	for _, r := range s.realms {
		if equalFold(r.Key, key) {
			return &r.Key
		}
	}
	return nil
}

func (s *Server) realmKeys() []string {
	keys := make([]string, len(s.realms))
	for i, r := range s.realms {
		keys[i] = r.Key
	}
	return keys
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
