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

// takeReleases lets through what operators released since the last time.
func (r *Refresher) takeReleases(ctx context.Context) error {
	asked, err := r.store.Releases(ctx)
	if err != nil || len(asked) == 0 {
		return err
	}
	decided := map[string][]Release{}
	next := map[string]Record{}
	for _, a := range asked {
		rec, ok := next[a.Token]
		if !ok {
			rec = r.records[a.Token]
			rec.Token = a.Token
		}
		rec, a.Granted = rec.Release(a.Candidate)
		next[a.Token] = rec
		decided[a.Token] = append(decided[a.Token], a)
	}
	var changes []Change
	for i := range r.tokens {
		t := &r.tokens[i]
		if rec, ok := next[t.Path]; ok {
			c := r.change(t, rec)
			c.Decided = decided[t.Path]
			changes = append(changes, c)
		}
	}
	if err := r.save(ctx, changes); err != nil {
		return err
	}
	for _, c := range changes {
		for _, a := range c.Decided {
			r.log.Info("release decided", "token", a.Token, "candidate", a.Candidate, "granted", a.Granted, "reason", a.Reason)
			if a.Granted {
				r.meter.count(map[string]Outcome{a.Token: Released})
			}
		}
	}
	return nil
}
