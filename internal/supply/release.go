package supply

import (
	"context"
	"time"
)

// A Release is an operator's word that a held figure is right.
type Release struct {
	ID        string    `json:"id"`
	Token     string    `json:"token"`
	Candidate string    `json:"candidate"` // the id of the snapshot that was seen
	Reason    string    `json:"reason"`
	At        time.Time `json:"at"`
	Granted   bool      `json:"granted"` // false: another figure was held by then
}

// releasePoll is how soon a release takes effect.
const releasePoll = time.Second

// decideReleases grants or voids what operators released since the last time,
// publishes what was granted, and returns the decisions once they are stored.
func (w *recordWriter) decideReleases(ctx context.Context) ([]Release, error) {
	asked, err := w.store.Releases(ctx)
	if err != nil || len(asked) == 0 {
		return nil, err
	}
	var changes []Change
	var all []Release
	for i := range w.tokens {
		t := &w.tokens[i]
		next := w.records[t.Path]
		var decided []Release
		for _, a := range asked {
			if a.Token == t.Path {
				next, a.Granted = next.Release(a.Candidate)
				decided = append(decided, a)
			}
		}
		if len(decided) > 0 {
			c := w.change(t, next)
			c.Decided = decided
			changes, all = append(changes, c), append(all, decided...)
		}
	}
	if err := w.save(ctx, changes); err != nil {
		return nil, err
	}
	return all, nil
}
