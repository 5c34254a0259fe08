package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
)

// AskDecision stores a decision for the leader to grant or refuse. It returns the decision with its
// id and time. Any process may call it.
func (s *Store) AskDecision(ctx context.Context, d supply.Decision) (supply.Decision, error) {
	newID := s.NewID
	if newID == nil {
		newID = rand.Text
	}
	d.Reason = strings.ToValidUTF8(d.Reason, "\ufffd") // the log is JSON, which must be UTF-8
	d.ID = newID()
	d.At = s.now().UTC().Truncate(time.Millisecond)
	err := s.besideLeader(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO decision (id, kind, token, subject, reason, asked, decided, granted)
			VALUES ($1, $2, $3, $4, $5, $6, 0, 0)`,
			d.ID, d.Kind, d.Token, d.Subject, d.Reason, d.At.UnixMilli())
		return err
	})
	return d, err
}

// OpenDecisions returns the decisions that no leader has handled yet, oldest first.
func (s *Store) OpenDecisions(ctx context.Context) (_ []supply.Decision, err error) {
	defer wrap(&err, "reading open decisions")
	return list(ctx, s.db, readDecision, `
		SELECT `+decisionColumns+` FROM decision WHERE decided = 0 ORDER BY asked, id`)
}

// Decision returns the decision with that id, and whether a leader has handled it.
func (s *Store) Decision(ctx context.Context, id string) (d supply.Decision, decided bool, err error) {
	var at int64
	row := s.db.QueryRowContext(ctx, `
		SELECT `+decisionColumns+`, decided FROM decision WHERE id = $1`, id)
	err = readDecision(func(to ...any) error { return row.Scan(append(to, &at)...) }, &d)
	return d, at != 0, ifNone(err, supply.ErrNotFound)
}

// corrections returns the last correction of each of a token's snapshots, by snapshot id. It leaves
// out corrections that were undone.
func (s *Store) corrections(ctx context.Context, token string) (map[string]*supply.Correction, error) {
	rows, err := list(ctx, s.db, readDecision, `
		SELECT `+decisionColumns+` FROM decision
		WHERE token = $1 AND kind IN ($2, $3) AND granted = 1 ORDER BY decided, asked, id`,
		token, supply.Wrong, supply.Right)
	found := map[string]*supply.Correction{}
	for _, d := range rows {
		found[d.Subject] = &supply.Correction{Reason: d.Reason, At: d.At}
		if d.Kind == supply.Right {
			delete(found, d.Subject)
		}
	}
	return found, err
}

// decisionColumns are what readDecision reads. The last one is Undoes.
const decisionColumns = `id, kind, token, subject, reason, asked, granted, kind = 'right' AND EXISTS (
	SELECT 1 FROM decision w WHERE w.subject = decision.subject AND w.kind = 'wrong' AND w.granted = 1)`

func readDecision(scan scanFunc, d *supply.Decision) error {
	return scan(&d.ID, &d.Kind, &d.Token, &d.Subject, &d.Reason, millis{&d.At}, &d.Granted, &d.Undoes)
}

// Held returns the hold of a token, or supply.ErrNotHeld.
func (s *Store) Held(ctx context.Context, token string) (*supply.Hold, error) {
	records, err := s.Records(ctx)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(records, func(rec supply.Record) bool { return rec.Token == token && rec.Hold != nil })
	if i < 0 {
		return nil, supply.ErrNotHeld
	}
	return records[i].Hold, nil
}

// ChangedSince reports whether a snapshot after this one has other figures or another ledger.
func (s *Store) ChangedSince(ctx context.Context, token, snapshot string) (changed bool, err error) {
	err = s.db.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM reading a JOIN reading b ON b.token = a.token AND b.number > a.number
		WHERE a.token = $1 AND a.snapshot = $2 AND (b.ledger <> a.ledger OR b.total <> a.total
		OR b.burned <> a.burned OR b.locked <> a.locked OR b.reserved <> a.reserved))`, token, snapshot).Scan(&changed)
	return changed, err
}

// TokenOf returns the token of a published snapshot, or supply.ErrNotFound.
func (s *Store) TokenOf(ctx context.Context, snapshot string) (token string, err error) {
	err = s.db.QueryRowContext(ctx, `
		SELECT token FROM reading WHERE token IN (SELECT token FROM published) AND snapshot = $1 LIMIT 1`,
		snapshot).Scan(&token)
	return token, ifNone(err, supply.ErrNotFound)
}
