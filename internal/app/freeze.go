package app

import (
	"context"
	"net/http"
	"path/filepath"
	"time"

	"petsupply/internal/config"
	"petsupply/internal/frozen"
	"petsupply/internal/pet"
)

// A StillApp is a service on a private copy of a store, which nothing changes.
type StillApp struct {
	*App
	answers http.Handler
	signed  bool
}

// Still copies the store to the folder work, and returns a service on the copy. It calls rows with
// the number of rows copied since the last call. Close the result before a.
func (a *App) Still(ctx context.Context, work string, rows func(int)) (*StillApp, error) {
	file := filepath.Join(work, "petsupply.db")
	if err := a.Store.Copy(ctx, "sqlite://"+file, rows); err != nil {
		return nil, err
	}
	s := *a.Settings
	s.Store = "sqlite://" + file
	s.Limits = config.Limits{}
	s.TLS = nil
	s.Art = a.Packs
	c, err := Open(ctx, &s, a.log)
	if err != nil {
		return nil, err
	}
	v, err := c.NewService(ctx, ServiceConfig{})
	if err != nil {
		c.Close()
		return nil, err
	}
	still := &StillApp{App: c, answers: v.web, signed: true}
	if v.keeper != nil {
		l := v.keeper.Latest()
		still.signed = l == nil || l.SignedSize() == l.Size
	}
	return still, nil
}

// Signed reports whether the log's newest checkpoint has all its leaves. If it does not, an audit
// would reject the copy.
func (a *StillApp) Signed() bool { return a.signed }

// PetCount returns the number of pets, or 0 if it is not known.
func (a *StillApp) PetCount(ctx context.Context) int {
	census, err := a.Pets.Census(ctx)
	if err != nil {
		return 0
	}
	n, _ := census.Count(pet.Query{})
	return int(n)
}

// Source returns what there is to copy, at the moment of the newest figures.
func (a *StillApp) Source() frozen.Source {
	s := a.Settings
	out := frozen.Source{Answers: a.answers, SupplyURL: s.SupplyURL, PetsURL: s.PetsURL, At: time.Unix(0, 0)}
	for _, st := range a.Board.Now().States {
		out.Tokens = append(out.Tokens, st.Token.Path)
		if st.Snapshot != nil && st.Snapshot.AsOf.After(out.At) {
			out.At = st.Snapshot.AsOf
		}
	}
	if len(s.Realms) > 0 {
		out.ListPets = a.Store.ListPets
	}
	return out
}
