package site

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A kind is a kind of pets, as pages list it.
type kind struct {
	choice
	Pets   uint64           // 0 if not known
	Sample *pet.Pet         // a pet of this kind, if the page shows one
	traits map[string][]int // the values of fields that select it
	// distance is 0 if a word of the kind's name begins with the search text, 1 if only a word of
	// its family's name does, and 2 otherwise.
	distance int
}

const (
	longestSearch = 200 // bytes
	kindsShown    = 24
	kindsListed   = 6  // kinds of which the page shows pets; each takes one listing
	kindPets      = 24 // showKinds fills a page up to this many pets
)

// search answers a text from the search box. A pet's number, alone or after the name of its realm,
// leads to the pet's page. An address leads to the pets of that owner. Any other text fills g with
// pets of that name, kinds of that name or family, and pets of these kinds. If there are none and
// the text is a value of a filter, it leads to the pets that have this value.
func (s *Site) search(r *http.Request, in url.Values, g *gallery, c *pet.Census) (*page, error) {
	text := strings.TrimSpace(in.Get("id"))
	if len(in["id"]) > 1 || text == "" || len(text) > longestSearch {
		return nil, errFilter
	}
	if strings.HasPrefix(text, "0x") && common.IsHexAddress(text) {
		return &page{redirect: s.ownerLink(common.HexToAddress(text))}, nil
	}
	if id, err := s.number(text, in.Get("of")); !errors.Is(err, pet.ErrBadID) {
		if err != nil {
			return nil, err
		}
		return s.goToPet(id), nil
	}
	found, err := s.Pets.List(r.Context(), pet.Query{Name: text, Limit: pageSize})
	if err != nil {
		return nil, err
	}
	g.Pets, g.Looked, g.Chosen = found.Pets, pet.Clean(text), true
	g.Called = len(g.Pets)
	g.Found = s.kindsNamed(text, c)
	if err := s.showKinds(r, g); err != nil {
		return nil, err
	}
	if len(g.Pets)+len(g.Found) == 0 {
		for _, f := range g.Filters {
			for _, o := range f.Options {
				if strings.EqualFold(text, o.Name) || o.Name == "Yes" && strings.EqualFold(text, f.Label) {
					return &page{redirect: s.galleryLink(url.Values{f.Name: {o.Value}})}, nil
				}
			}
		}
	}
	g.Chips = []choice{{Name: "Search: " + g.Looked, Link: s.base + "/gallery"}}
	g.Count = s.countFound(g)
	return nil, nil
}

// countFound returns how many pets a search finds: the pets of all kinds in g.Found, and other pets
// of that name. It returns 0 if this is not known.
func (s *Site) countFound(g *gallery) (n uint64) {
	if g.Called == pageSize || len(g.Found) == kindsShown {
		return 0 // there may be more than were read
	}
	links := map[string]bool{}
	for _, k := range g.Found {
		if k.Pets == 0 {
			return 0
		}
		n += k.Pets
		links[k.Link] = true
	}
	for _, p := range g.Pets[:g.Called] {
		if !links[s.kindLink(s.Words.KindOf(&p))] {
			n++
		}
	}
	return n
}

// number reads a number as a person types it, with the separators that pages show. If text begins
// with the name or key of a realm, or if the argument "of" is such a key, the number counts within
// that realm.
func (s *Site) number(text, of string) (uint64, error) {
	if i := strings.LastIndexAny(text, " \u00a0"); of == "" && i > 0 {
		for _, r := range s.Realms {
			said := strings.TrimSpace(text[:i])
			if r.Offset != nil && (strings.EqualFold(said, r.Name) || strings.EqualFold(said, r.Key)) {
				of, text = r.Key, text[i:]
				break
			}
		}
	}
	id, err := pet.ParseID(strings.NewReplacer(",", "", " ", "", "\u00a0", "", "#", "").Replace(text))
	if err != nil || of == "" {
		return id, err
	}
	i := slices.IndexFunc(s.Realms, func(r pet.Realm) bool { return r.Key == of && r.Offset != nil })
	if i < 0 {
		return 0, fmt.Errorf("realm %q: %w", of, errFilter)
	}
	if id < pet.Band {
		id += *s.Realms[i].Offset
	}
	return id, nil
}

// showKinds adds about the same number of pets of each of the first kinds that were found. It stops
// when the caller is over its limit of costly work.
func (s *Site) showKinds(r *http.Request, g *gallery) error {
	listed := g.Found[:min(len(g.Found), kindsListed)]
	for i, k := range listed {
		room := kindPets - len(g.Pets)
		if room <= 0 || s.Charge(r, readCost) > 0 {
			return nil
		}
		of := pet.Query{Traits: k.traits, Limit: (room + len(listed) - i - 1) / (len(listed) - i)}
		found, err := s.Pets.List(r.Context(), of)
		if err != nil {
			return err
		}
		for _, p := range found.Pets {
			if !slices.ContainsFunc(g.Pets, func(o pet.Pet) bool { return o.ID == p.ID }) {
				g.Pets = append(g.Pets, p)
			}
		}
	}
	return nil
}

// hasWord reports whether a word of a name begins with a lower-case text.
func hasWord(name, text string) bool {
	return strings.Contains(" "+strings.ReplaceAll(strings.ToLower(name), "-", " "), " "+text)
}

// kindsNamed returns the kinds with a text in their name, or in their family's, the closest first.
// It leaves out kinds without pets.
func (s *Site) kindsNamed(text string, c *pet.Census) []kind {
	text = strings.ToLower(text)
	var out []kind
	for _, k := range s.Words.Kinds() {
		if !strings.Contains(strings.ToLower(k.Name), text) && !strings.Contains(strings.ToLower(k.Family), text) {
			continue
		}
		found := kind{choice: choice{Name: k.Name, Link: s.kindLink(k)}, traits: s.kindTraits(k), distance: 2}
		if hasWord(k.Name, text) {
			found.distance = 0
		} else if hasWord(k.Family, text) {
			found.distance = 1
		}
		if c != nil {
			n, known := c.Count(pet.Query{Traits: found.traits})
			if known && n == 0 {
				continue
			}
			found.Pets = n
		}
		out = append(out, found)
	}
	slices.SortFunc(out, func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), strings.Compare(a.Name, b.Name), strings.Compare(a.Link, b.Link))
	})
	return out[:min(len(out), kindsShown)]
}

// kindTraits returns the values of fields that select a kind.
func (s *Site) kindTraits(k collection.Kind) map[string][]int {
	out := map[string][]int{}
	for i, f := range s.Words.Collection.KindFields() {
		out[f.Key] = []int{int(k.Numbers[i])}
	}
	return out
}

// kindLink returns the address of the gallery with all pets of a kind.
func (s *Site) kindLink(k collection.Kind) string {
	q := url.Values{}
	for key, values := range s.kindTraits(k) {
		q.Set(key, strconv.Itoa(values[0]))
	}
	return s.base + "/gallery?" + q.Encode()
}
