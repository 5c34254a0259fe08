package site

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// Past is where pages find what was. *store.Store is one.
type Past interface {
	// PublishedAt returns the last publication of a token that shows no more than
	// a moment; *supply.BeforeFirst before the first one.
	PublishedAt(ctx context.Context, token string, m supply.Moment) (supply.Point, error)
	// Ledgers returns the versions by which figures of the token were published,
	// oldest first.
	Ledgers(ctx context.Context, token string) ([]ledger.Version, error)
	// PetAt returns a pet as it was at a time; *pet.BeforeFirst before it was seen.
	PetAt(ctx context.Context, id uint64, at time.Time) (pet.Pet, error)
}

// A chooser lets people choose a moment of what a page shows.
type chooser struct {
	Page     string    // its path
	From, To time.Time // the slider's ends
	At       time.Time // zero: now
}

// Value is the chosen moment as a field of a form has it.
func (c chooser) Value() string {
	if c.At.IsZero() {
		return c.To.UTC().Format(fieldTime)
	}
	return c.At.UTC().Format(fieldTime)
}

// fieldTime is how browsers write the time of a form's field; here it is UTC.
const fieldTime = "2006-01-02T15:04"

// A pastPage shows a token or a pet as it was.
type pastPage struct {
	Chooser chooser
	Name    string
	Source  string // what programs read instead

	Doc  *supply.Document // nil: it is a pet
	Pet  *pet.Pet
	Meta document
}

// at reads the moment that a page is asked for, zero for none. A block is for
// programs alone.
func (s *Site) at(r *http.Request) (time.Time, error) {
	in := r.URL.Query()
	switch {
	case in.Has("block"):
		return time.Time{}, errMoment
	case !in.Has("at"):
		return time.Time{}, nil
	case s.Past == nil || len(in["at"]) > 1:
		return time.Time{}, errMoment
	}
	text := in.Get("at")
	for _, layout := range []string{fieldTime, fieldTime + ":05", time.RFC3339} {
		if t, err := time.Parse(layout, text); err == nil {
			return past(t)
		}
	}
	if n, err := strconv.ParseInt(text, 10, 36); err == nil && n > 0 {
		return past(time.Unix(n, 0))
	}
	return time.Time{}, errMoment
}

// past is a time that is not in the future.
func past(t time.Time) (time.Time, error) {
	if t.After(time.Now()) || t.Year() < 1970 {
		return time.Time{}, errMoment
	}
	return t.UTC(), nil
}

// tokenPast shows a token as it was.
func (s *Site) tokenPast(r *http.Request, st supply.State, at time.Time) (*page, error) {
	if err := s.pay(r); err != nil {
		return nil, err
	}
	p, err := s.Past.PublishedAt(r.Context(), st.Token.Path, supply.Moment{At: at})
	var early *supply.BeforeFirst
	if errors.As(err, &early) {
		return nil, tooEarly(early.First.At)
	}
	if err != nil {
		return nil, err
	}
	ledgers, err := s.Past.Ledgers(r.Context(), st.Token.Path)
	if err != nil {
		return nil, err
	}
	doc := st.Earlier(p, ledgers).Document()
	t := pastPage{Name: st.Token.Name, Doc: &doc, Source: fmt.Sprintf("%s/%s?at=%d", s.SupplyURL, st.Token.Path, at.Unix()), Chooser: s.choose(st, 0, at)}
	return &page{template: "then", Title: st.Token.Name + " supply at " + at.Format(time.DateTime), Section: st.Token.Path, Data: t}, nil
}

// choose is the chooser of a token's page, whose slider has the days of its
// chart, or a year.
func (s *Site) choose(st supply.State, days int, at time.Time) chooser {
	c := chooser{Page: "/token/" + st.Token.Path, At: at}
	if st.Snapshot != nil && s.Past != nil {
		c.From, c.To = beginning(st, cmp.Or(days, 365)), st.Snapshot.AsOf
	}
	return c
}

// petPast shows a pet as it was.
func (s *Site) petPast(r *http.Request, id uint64, at time.Time) (*page, error) {
	if err := s.pay(r); err != nil {
		return nil, err
	}
	p, err := s.Past.PetAt(r.Context(), id, at)
	var early *pet.BeforeFirst
	if errors.As(err, &early) {
		return nil, tooEarly(early.First)
	}
	if err != nil {
		return nil, err
	}
	t := pastPage{Pet: &p, Source: fmt.Sprintf("%s/token/%d?at=%d", s.PetsURL, id, at.Unix()),
		Chooser: chooser{Page: fmt.Sprintf("/pet/%d", id), From: p.ChangedAt, To: time.Now().UTC(), At: at}}
	if err := json.Unmarshal(s.documents.Append(nil, pet.Prepare(p), s.version(p)), &t.Meta); err != nil {
		return nil, fmt.Errorf("reading the document of pet %d: %w", id, err)
	}
	t.Name = t.Meta.Name
	return &page{template: "then", Title: t.Name + " at " + at.Format(time.DateTime), Section: "gallery", Data: t}, nil
}
