package site

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// home shows every token and a strip of pets.
type home struct {
	Cards  []tokenCard
	Pets   []pet.Pet
	Quorum int // see Site.quorum
}

// homeDays is the number of days in a chart on the home page.
const homeDays = 30

func (s *Site) home(r *http.Request) (*page, error) {
	var h home
	for _, st := range s.Board.Now().States {
		h.Cards = append(h.Cards, s.tokenCard(r, st, homeDays))
	}
	if n := len(h.Cards); n%2 == 1 && n > 1 {
		h.Cards[n-1].Odd = true
	}
	h.Quorum = s.quorum()
	title := "Supply"
	if s.Pets != nil {
		h.Pets = s.strip.pets(r.Context(), s.Pets, s.hasFamily, time.Now())
		title = s.say("Supply and {many}")
	}
	c := &card{Title: "petsupply", URL: s.SiteURL + "/",
		Description: "How much of each token there is, measured on chain."}
	if len(h.Pets) > 0 {
		s.unfold(c, h.Pets[0])
	}
	return &page{template: "home", Title: title, Section: "home", Data: h, Live: true, Card: c}, nil
}

// quorum returns the smallest quorum of all chains: how many providers must give the same answers.
// It is 0 if one provider is enough on some chain, or if there are no chains.
func (s *Site) quorum() int {
	least := 0
	for i, c := range s.recentStatus().Chains {
		if i == 0 || c.Quorum < least {
			least = c.Quorum
		}
	}
	if least < 2 {
		return 0
	}
	return least
}

// A tokenCard is one token at a glance.
type tokenCard struct {
	State   supply.State
	StateID string // see stateID
	Doc     supply.Document
	Shares  []share
	Chart   *chart
	Why     *explanation
	Odd     bool // it is the last of an odd number of cards
}

// stacked is the mode of a chart with the buckets on top of each other.
const stacked = "stack"

// A share is one bucket's part of everything issued.
type share struct {
	Name   string
	Key    string // css class
	Amount ledger.Amount
	Tenths int64 // tenths of a percent, rounded so that all shares add up to 1000
	From   int64 // where its part of the bar begins, in thousandths of a percent
	Wide   int64 // how wide it is, in the same unit
}

func (s *Site) tokenCard(r *http.Request, st supply.State, days int) tokenCard {
	c := tokenCard{State: st, StateID: stateID(st), Doc: st.Document()}
	if !st.Available() {
		return c
	}
	c.Shares = shares(st.Snapshot.Figures)
	over := s.span(r.Context(), st, days)
	c.Chart, c.Why = over.lines, over.why
	if r.URL.Query().Get("mode") == stacked {
		c.Chart = over.stack
	}
	return c
}

// shares splits the amount of everything issued into one share for each bucket. The shares add up
// to the whole, in the bar and in the numbers beside it.
func shares(f supply.Figures) []share {
	list := make([]share, len(buckets))
	all, sum, given := f.Total.Add(f.Burned), ledger.Zero(0), int64(0)
	if all.Sign() <= 0 {
		return nil
	}
	byLost := make([]int, len(list)) // indices of list; first the share that lost most by rounding down
	for i := range list {
		x, b := &list[i], buckets[i]
		x.Name, x.Key, x.Amount = b.name, b.key, b.of(f)
		x.From = portion(sum, all, 100_000)
		sum = sum.Add(x.Amount)
		x.Wide = portion(sum, all, 100_000) - x.From
		x.Tenths = portion(x.Amount, all, 1000)
		given += x.Tenths
		byLost[i] = i
	}
	lost := func(i int) int64 { return portion(list[i].Amount, all, 1_000_000_000) % 1_000_000 }
	slices.SortStableFunc(byLost, func(a, b int) int { return cmp.Compare(lost(b), lost(a)) })
	for _, i := range byLost[:min(max(1000-given, 0), int64(len(byLost)))] {
		list[i].Tenths++
	}
	return list
}

// Percent returns the share as readers see it.
func (s share) Percent() string { return tenths(s.Tenths, s.Amount.Sign() > 0) }

// At and Width place the share in a bar that is 100 wide.
func (s share) At() string    { return decimal(s.From, 3) }
func (s share) Width() string { return decimal(s.Wide, 3) }

const (
	stripLong  = 12               // pets on the home page
	stripTurn  = 10 * time.Second // the time until another pet replaces one of them
	stripTries = 3 * stripLong    // at most this many pets are looked at to fill the row
)

// A strip is the row of pets on the home page. Pets that changed recently come first, and the
// others take turns. Its zero value is ready.
type strip struct {
	mu     sync.Mutex
	recent []uint64 // newest first
	others []uint64
	turned time.Time
}

// saw puts changed pets first. They get at most half of the places, so that a few busy pets do not
// push out the rest.
func (s *strip) saw(ids []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids[max(0, len(ids)-stripTries):] {
		s.recent = slices.DeleteFunc(s.recent, func(x uint64) bool { return x == id })
		s.recent = slices.Insert(s.recent, 0, id)
	}
	s.recent = s.recent[:min(len(s.recent), stripLong/2)]
}

// pets returns the current row. If the store does not answer, the row is shorter, without an error.
func (s *strip) pets(ctx context.Context, from Pets, hasFamily func(*pet.Pet) bool, now time.Time) []pet.Pet {
	s.mu.Lock()
	ids, others, due := slices.Clone(s.recent), slices.Clone(s.others), now.Sub(s.turned) >= stripTurn
	if due {
		s.turned = now
	}
	s.mu.Unlock()
	if due {
		others = turn(ctx, from, hasFamily, others)
		s.mu.Lock()
		s.others = slices.Clone(others)
		s.mu.Unlock()
	}
	for _, id := range others {
		if len(ids) < stripLong && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var out []pet.Pet
	for _, id := range ids {
		if p, err := from.Pet(ctx, id); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// hasFamily reports whether a pet's kind has a family. The strip prefers pets with a family.
func (s *Site) hasFamily(p *pet.Pet) bool { return s.Words.KindOf(p).Family != "" }

// turn adds pets until the row is full or no more are found. In a row that is full already, turn
// replaces one pet.
func turn(ctx context.Context, from Pets, hasFamily func(*pet.Pet) bool, row []uint64) []uint64 {
	for _, id := range newcomers(ctx, from, hasFamily, row, max(stripLong-len(row), 1)) {
		if len(row) < stripLong {
			row = append(row, id)
		} else {
			row[rand.IntN(len(row))] = id
		}
	}
	return row
}

// newcomers returns up to n pets that are not in the row, those with a family first.
func newcomers(ctx context.Context, from Pets, hasFamily func(*pet.Pet) bool, row []uint64, n int) []uint64 {
	var faces, others []uint64
	for try := 0; try < stripTries && len(faces) < n; try++ {
		id, err := from.Random(ctx)
		if err != nil {
			break
		}
		if slices.Contains(row, id) || slices.Contains(faces, id) || slices.Contains(others, id) {
			continue
		}
		if p, err := from.Pet(ctx, id); err == nil && !hasFamily(&p) {
			others = append(others, id)
		} else if err == nil {
			faces = append(faces, id)
		}
	}
	all := append(faces, others...)
	return all[:min(n, len(all))]
}
