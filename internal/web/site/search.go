package site

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A kind is a kind of pets, as pages list it.
type kind struct {
	choice
	Pets   uint64    // 0 if not known
	Sample *pet.Pet  // a pet of this kind, if the page shows one
	Family string    // on the page of a search: its family, if the name alone does not contain the text
	of     pet.Query // selects its pets that fit the chosen filters
	none   bool      // no pet of this kind fits these filters
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
// leads to the pet's page. If several realms have or had a pet of that number, the chosen filters
// decide between them. If they do not leave one, search fills g with these pets. An address leads
// to the pets of that owner. Any other text fills g with pets of that name, kinds of that name or
// family, and pets of these kinds. All of them fit the chosen filters, which are in q. If there are
// none and the text names values of filters, it leads to the pets that have these values. The text
// may name a kind besides, as in "mythic fox".
func (s *Site) search(r *http.Request, in url.Values, g *gallery, q pet.Query, c *pet.Census) (*page, error) {
	text := strings.TrimSpace(in.Get("id"))
	if len(in["id"]) > 1 || text == "" || len(text) > longestSearch {
		return nil, errFilter
	}
	if id, err := s.number(text, in.Get("of")); !errors.Is(err, pet.ErrBadID) {
		if err != nil {
			return nil, err
		}
		if in.Get("of") == "" && !strings.ContainsFunc(text, unicode.IsLetter) {
			same, burned, err := s.numbered(r, id)
			fitting := slices.DeleteFunc(slices.Clone(same), func(p pet.Pet) bool { return !s.fits(&p, q) })
			switch {
			case err != nil:
				return nil, err
			case len(same) > 1 && len(fitting) == 1:
				return s.goToPet(fitting[0].ID), nil
			case len(same)+len(burned) > 1:
				g.Pets, g.Burned, g.Typed, g.Count = fitting, burned, text, uint64(len(fitting))
				for _, p := range same {
					if !s.fits(&p, q) {
						g.Unfit = append(g.Unfit, choice{Name: s.fullName(&p), Link: s.base + petPath(p.ID)})
					}
				}
				s.chips(g)
				return nil, nil
			case len(same) == 1:
				return s.goToPet(same[0].ID), nil
			case len(burned) == 1:
				return &page{redirect: burned[0].Link}, nil
			}
		}
		return s.goToPet(id), nil
	}
	chosen := g.chosen()
	if strings.HasPrefix(text, "0x") && common.IsHexAddress(text) {
		chosen.Set("owner", common.HexToAddress(text).Hex())
		return &page{redirect: s.galleryLink(chosen)}, nil
	}
	if wait := s.Charge(r, valuesCost(q)); wait > 0 {
		return nil, limited(wait)
	}
	if err := s.searchNames(r, g, text, q, chosen, c); err != nil {
		return nil, err
	}
	if len(g.Pets)+len(g.Found) == 0 {
		values, rest := g.valuesNamed(s.Words, text)
		if rest != "" && len(s.kindsNamed(rest, pet.Query{}, nil, nil)) > 0 {
			chosen.Set("id", rest)
			rest = ""
		}
		if len(values) > 0 && rest == "" {
			maps.Copy(chosen, values)
			return &page{redirect: s.galleryLink(chosen)}, nil
		}
	}
	s.chips(g)
	g.Count = s.countFound(g)
	return nil, nil
}

// searchNames fills g with the pets and kinds that a text names, and with pets of these kinds. All of
// them fit the chosen filters, which are in q.
func (s *Site) searchNames(r *http.Request, g *gallery, text string, q pet.Query, chosen url.Values,
	c *pet.Census) error {
	q.Name, q.Order, q.PageToken = text, pet.ByID, ""
	found, err := s.Pets.List(r.Context(), q)
	if err != nil {
		return err
	}
	g.Pets, g.Typed, g.Called, g.Unread = found.Pets, text, len(found.Pets), found.Next != ""
	g.Found = s.kindsNamed(text, q, chosen, c)
	return s.showKinds(r, g)
}

// valuesNamed returns the values of filters that a text names, such as "mythic fire season 2", at most
// one of each filter. It also returns the other words of the text, in lower case.
func (g *gallery) valuesNamed(w *pet.Words, text string) (out url.Values, others string) {
	out = url.Values{}
	for rest := strings.Join(strings.Fields(strings.ToLower(text)), " "); rest != ""; {
		best, name, value := "", "", "" // the longest name at the start of rest
		for _, f := range g.Filters {
			for _, o := range f.Options {
				if f.Max > 0 {
					break // a number is named together with its label
				}
				word := strings.ToLower(o.Name)
				if o.Name == "Yes" {
					word = strings.ToLower(f.Label)
				}
				if len(word) > len(best) && strings.HasPrefix(rest+" ", word+" ") && !out.Has(f.Name) {
					best, name, value = word, f.Name, o.Value
				}
			}
			if after, ok := strings.CutPrefix(rest, strings.ToLower(f.Label)+" "); ok && f.Max > 0 && !out.Has(f.Name) {
				number, _, _ := strings.Cut(after, " ")
				if f.accepts(w, number) {
					best, name, value = strings.ToLower(f.Label)+" "+number, f.Name, number
				}
			}
		}
		if best == "" {
			best, _, _ = strings.Cut(rest, " ")
			others = strings.TrimSpace(others + " " + best)
		} else {
			out.Set(name, value)
		}
		rest = strings.TrimSpace(rest[len(best):])
	}
	return out, others
}

// countFound returns how many pets a search finds: all pets of the kinds in g.Found, and the pets
// of other kinds whose given names match. It returns 0 if this is not known.
func (s *Site) countFound(g *gallery) (n uint64) {
	if g.Unread || len(g.Found) == kindsShown {
		return 0 // there may be more than were read
	}
	named := map[string]bool{} // the found kinds
	for _, k := range g.Found {
		if k.Pets == 0 {
			return 0
		}
		n += k.Pets
		named[k.Name] = true
	}
	for _, p := range g.Pets[:g.Called] {
		if !named[s.kindName(s.Words.KindOf(&p))] {
			n++
		}
	}
	return n
}

// number reads a number as a person types it, with the separators that pages show. If text begins
// with the name or key of a realm, or if the argument "of" is such a key, the number counts within
// that realm. A number of pet.Band or more is always a whole id.
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

// numbered returns the pets that have the number id in their native realms, and links to those that
// were burned. It returns nothing if id is pet.Band or more, because no pet has such a number.
func (s *Site) numbered(r *http.Request, id uint64) (found []pet.Pet, burned []choice, err error) {
	for _, realm := range s.Realms {
		if realm.Offset == nil || id >= pet.Band {
			continue
		}
		if wait := s.Charge(r, readCost); wait > 0 {
			return nil, nil, limited(wait)
		}
		p, err := s.Pets.Pet(r.Context(), id+*realm.Offset)
		if err == nil {
			found = append(found, p)
		} else if errors.Is(err, pet.ErrBurned) {
			burned = append(burned, choice{Name: fmt.Sprintf("#%d of %s", id, realm.Name),
				Link: s.base + petPath(id+*realm.Offset)})
		}
	}
	return found, burned, nil
}

// fits reports whether a pet meets the conditions of q on realm, owner and traits.
func (s *Site) fits(p *pet.Pet, q pet.Query) bool {
	for key, values := range q.Traits {
		if !slices.Contains(values, int(s.Words.Number(p, s.Words.Collection.FieldNamed(key)))) {
			return false
		}
	}
	return (len(q.Realms) == 0 || slices.Contains(q.Realms, p.Realm)) && (q.Owner == nil || p.Owner == *q.Owner)
}

// showKinds adds about the same number of pets of each of the first kinds that were found. It stops
// when the page has kindPets pets, or when the caller is over its limit of costly work. It removes
// kinds of which it found no pet that fits the filters.
func (s *Site) showKinds(r *http.Request, g *gallery) error {
	listed := g.Found[:min(len(g.Found), kindsListed)]
	for i := range listed {
		k := &listed[i]
		k.of.Limit = (kindPets - len(g.Pets) + len(listed) - i - 1) / (len(listed) - i)
		if k.of.Limit <= 0 || s.Charge(r, readCost+valuesCost(k.of)) > 0 {
			break
		}
		found, err := s.Pets.List(r.Context(), k.of)
		if err != nil {
			return err
		}
		if found.Next == "" && k.Pets == 0 {
			k.Pets, k.none = uint64(len(found.Pets)), len(found.Pets) == 0
		}
		for _, p := range found.Pets {
			if !slices.ContainsFunc(g.Pets, func(o pet.Pet) bool { return o.ID == p.ID }) {
				g.Pets = append(g.Pets, p)
			}
		}
	}
	g.Found = slices.DeleteFunc(g.Found, func(k kind) bool { return k.none })
	return nil
}

// hasWord reports whether a word of a name begins with a lower-case text.
func hasWord(name, text string) bool {
	return strings.Contains(" "+strings.ReplaceAll(strings.ToLower(name), "-", " "), " "+text)
}

// kindsNamed returns the kinds that have every word of a text in their name or in the name of their
// family, the closest first. It leaves out kinds of which no pet fits the filters in q. Links to
// kinds keep the filters.
func (s *Site) kindsNamed(text string, q pet.Query, chosen url.Values, c *pet.Census) []kind {
	text, q.Name = strings.ToLower(text), ""
	words := strings.Fields(text)
	var out []kind
	for _, k := range s.Words.Kinds() {
		lacks := func(names string) bool {
			names = strings.ToLower(names)
			return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(names, word) })
		}
		if lacks(k.Name + "\n" + k.Family) {
			continue
		}
		of, ok := s.ofKind(q, k)
		if !ok {
			continue
		}
		found := kind{choice: choice{Name: s.kindName(k), Link: s.kindLink(k, chosen)}, of: of, distance: 2}
		if lacks(k.Name) {
			found.Family = k.Family
		}
		if hasWord(k.Name, text) {
			found.distance = 0
		} else if hasWord(k.Family, text) {
			found.distance = 1
		}
		if c != nil {
			n, known := c.Count(of)
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

// ofKind narrows q to the pets of a kind. ok is false if q excludes the kind.
func (s *Site) ofKind(q pet.Query, k collection.Kind) (of pet.Query, ok bool) {
	traits := s.kindTraits(k)
	for key, values := range q.Traits {
		if own := traits[key]; own == nil {
			traits[key] = values
		} else if !slices.Contains(values, own[0]) {
			return q, false
		}
	}
	q.Traits = traits
	return q, true
}

// kindTraits returns the values of fields that select a kind.
func (s *Site) kindTraits(k collection.Kind) map[string][]int {
	out := map[string][]int{}
	for i, f := range s.Words.Collection.KindFields() {
		out[f.Key] = []int{int(k.Numbers[i])}
	}
	return out
}

// familyLink returns the address of the gallery with all pets of a family. It searches for the
// name of the family if filters would find pets of other kinds too.
func (s *Site) familyLink(name string) string {
	q, kinds := url.Values{}, 0
	for _, k := range s.Words.Kinds() {
		if k.Family != name {
			continue
		}
		kinds++
		for i, f := range s.Words.Collection.KindFields() {
			if v := strconv.FormatUint(k.Numbers[i], 10); !slices.Contains(q[f.Key], v) {
				q.Add(f.Key, v)
			}
		}
	}
	found, values := 1, 0 // kinds that the filters find, and values of all filters
	for _, list := range q {
		found, values = found*len(list), values+len(list)
	}
	if found != kinds || values > mostValues {
		q = url.Values{"id": {name}}
	}
	return s.galleryLink(q)
}

// kindLink returns the address of the gallery with all pets of a kind that also fit other filters.
func (s *Site) kindLink(k collection.Kind, others url.Values) string {
	q := url.Values{}
	maps.Copy(q, others)
	for key, values := range s.kindTraits(k) {
		q.Set(key, strconv.Itoa(values[0]))
	}
	return s.galleryLink(q)
}
