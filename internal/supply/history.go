package supply

import (
	"context"
	"strings"
	"time"

	"petsupply/internal/supply/ledger"
)

// A Point is a published snapshot in the history. The store keeps its id, token, times, figures,
// ledger and blocks. The other fields of the snapshot are not set.
type Point struct {
	*Snapshot
	Correction *Correction // nil if not corrected
}

// A Gap is a long time between two consecutive published measurements. If To is zero, the gap has
// not ended.
type Gap struct{ From, To time.Time }

// A Moment selects an earlier state: the last one at a time, or that of a snapshot.
type Moment struct {
	Snapshot string    // id of the snapshot; "" if At selects the state
	At       time.Time // zero if Snapshot selects the state
}

// String describes the moment for people.
func (m Moment) String() string {
	if m.Snapshot != "" {
		return "snapshot " + m.Snapshot
	}
	return formatMillis(m.At)
}

// Passed reports whether s is later than the moment, so that the publication at the moment can no
// longer change. It returns true if the moment is that of a snapshot, and false if s is nil.
func (m Moment) Passed(s *Snapshot) bool {
	return s != nil && (m.Snapshot != "" || s.AsOf.After(m.At))
}

// BeforeFirst is the error for a time before the first publication. First is the time of that
// publication.
type BeforeFirst struct{ First time.Time }

func (e *BeforeFirst) Error() string {
	return "nothing was published yet at that time; the first figures are from " + formatMillis(e.First)
}

// A KeptAt is a snapshot whose evidence or proof is still kept: see Thinned.
type KeptAt struct {
	AsOf     time.Time `json:"asOf"`
	Snapshot string    `json:"snapshot"`
}

// Thinned is the error if the evidence or the proof of a snapshot is no longer kept. Kept has the
// nearest earlier and later snapshots for which it is kept.
type Thinned struct{ Kept []KeptAt }

func (e *Thinned) Error() string {
	text := "the data is no longer kept for this snapshot"
	if len(e.Kept) == 0 {
		return text
	}
	var list []string
	for _, k := range e.Kept {
		list = append(list, "at="+formatMillis(k.AsOf))
	}
	return text + "; the nearest snapshots that have it: " + strings.Join(list, " and ")
}

// Publications has earlier publications of tokens. *store.Store implements it.
type Publications interface {
	// PublishedAt returns the last publication of a token at or before a time, or the publication
	// of a snapshot. The error is a *BeforeFirst if the time is before the first publication, and
	// ErrNotFound if there is no such publication.
	PublishedAt(ctx context.Context, token string, m Moment) (Point, error)
	// Ledgers returns the ledger versions of the token's published figures, oldest first.
	Ledgers(ctx context.Context, token string) ([]ledger.Version, error)
}

// StateAt returns the state of a token as of a moment, without its evidence. s is the token's
// current state. With an error the result has no figure.
func (s State) StateAt(ctx context.Context, from Publications, m Moment) (State, error) {
	p, err := from.PublishedAt(ctx, s.Token.Path, m)
	if err != nil {
		return State{Token: s.Token}, err
	}
	ledgers, err := from.Ledgers(ctx, s.Token.Path)
	if err != nil {
		return State{Token: s.Token}, err
	}
	return s.earlier(p, ledgers), nil
}

// earlier returns the state that was published with p. s is the token's current state, and ledgers
// are its ledger versions, oldest first. The result has no evidence.
func (s State) earlier(p Point, ledgers []ledger.Version) State {
	earlier := State{Snapshot: p.Snapshot, Status: Past, Confirmed: p.MeasuredAt, Correction: p.Correction}
	if s.Status == Demo {
		earlier.Status = Demo
	}
	earlier.Ledger = ledger.Document{Token: s.Token.Path, Symbol: s.Token.Symbol, Earlier: []ledger.Version{}}
	for i := len(ledgers) - 1; i >= 0; i-- {
		switch v := ledgers[i]; {
		case v.Hash == p.LedgerHash:
			earlier.Ledger.Version = v
		case v.Since != nil && !v.Since.After(p.MeasuredAt):
			earlier.Ledger.Earlier = append(earlier.Ledger.Earlier, v)
		}
	}
	token := *s.Token
	if earlier.Ledger.Hash != "" {
		token.Decimals = earlier.Ledger.Decimals
	}
	earlier.Token = &token
	return earlier
}
