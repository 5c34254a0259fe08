package web

import (
	"math/big"
	"strconv"
	"strings"

	"petsupply/internal/art/card"
	"petsupply/internal/art/gallery"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

// pngType is the media type of cards.
const pngType = "image/png"

// card serves the preview picture of a pet's page. If the query parameter v is the version of the
// current content, caches may keep the answer for a year.
func (p *petAPI) card(q *answer.Request) (*answer.Response, error) {
	query := q.Query()
	version, _ := query.Text("v")
	if query.Err != nil {
		return nil, query.Err
	}
	k, err := p.pet(q)
	if err != nil {
		return nil, err
	}
	c := card.NewPet(p.packs.Current(), k.Pet, p.lists.realms, p.foot(k.Pet.ID))
	key := "card-" + c.Version()
	r := &answer.Response{Media: pngType, Tag: key, Cache: picturePolicy}
	r.Modified = p.documents.modified(k.ChangedAt, q.At)
	if version == c.Version() {
		r.Cache = versionPolicy
	}
	r.Draw = func() ([]byte, error) { return drawCard(q, p.gallery, key, c.Draw) }
	return r, nil
}

// foot returns the last line of a pet's card.
func (p *petAPI) foot(id uint64) string {
	return card.Foot(p.site+"/pet/"+strconv.FormatUint(id, 10), p.demo)
}

// drawCard returns a card from memory. If it is not there, drawCard charges the caller and draws
// it.
func drawCard(q *answer.Request, g *gallery.Gallery, key string, draw func() []byte) ([]byte, error) {
	if png, ok := g.Peek(key); ok {
		return png, nil
	}
	if err := q.Pay(card.Cost, maxPicture); err != nil {
		return nil, err
	}
	return g.Card(q.Context(), key, draw)
}

// card serves the preview picture of a token's page.
func (s *supplyAPI) card(q *answer.Request) (*answer.Response, error) {
	_, st, err := s.state(q)
	if err != nil {
		return nil, err
	}
	st = st.At(q.At)
	if !st.Available() {
		return nil, noFigure(st)
	}
	c := tokenCardOf(st)
	c.Page = card.Foot(s.site+"/token/"+st.Token.Path, false)
	key, cache := "card-"+c.Version(), supplyPolicy
	if !st.RefuseAt.IsZero() {
		cache = cache.Within(st.RefuseAt.Sub(q.At))
	}
	return &answer.Response{Media: pngType, Tag: key, Cache: cache, Draw: func() ([]byte, error) {
		return drawCard(q, s.gallery, key, c.Draw)
	}}, nil
}

// tokenCardOf returns the texts and figures of a token's card.
func tokenCardOf(st supply.State) card.Token {
	n := st.Snapshot
	asOf := "as of " + n.AsOf.UTC().Format("2 January 2006, 15:04 UTC")
	if st.Status != supply.Fresh {
		asOf += " · " + string(st.Status)
	}
	total, ok1 := new(big.Rat).SetString(n.Total.String())
	circulating, ok2 := new(big.Rat).SetString(n.Circulating.String())
	share := 0.0
	if ok1 && ok2 && total.Sign() > 0 {
		share, _ = circulating.Quo(circulating, total).Float64() // exact enough for the length of a bar
	}
	return card.Token{
		Name: st.Token.Name, Symbol: st.Token.Symbol, Share: share, AsOf: asOf,
		Circulating: grouped(n.Circulating), Total: grouped(n.Total),
	}
}

// grouped writes an amount with commas between groups of three digits. It cuts the decimals after
// two digits, and leaves them out if both are zero.
func grouped(a ledger.Amount) string {
	whole, rest, _ := strings.Cut(a.String(), ".")
	whole = ledger.Grouped(whole)
	if rest = rest[:min(len(rest), 2)]; strings.Trim(rest, "0") != "" {
		whole += "." + rest
	}
	return whole
}
