package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/supply"
)

// Releases returns the releases that were asked for and not yet decided, oldest
// first.
func (s *Store) Releases(ctx context.Context) ([]supply.Release, error) {
	out, err := list(ctx, s.db, readRelease, `
		SELECT id, token, candidate, accept, reason, asked, granted FROM released WHERE decided = 0 ORDER BY asked, id`)
	if err != nil {
		return nil, fmt.Errorf("asking for releases: %w", err)
	}
	return out, nil
}

// AskRelease asks the leader to let the token's held figure through. It returns
// what is held; supply.ErrNotHeld if nothing is. Any process may ask.
func (s *Store) AskRelease(ctx context.Context, token, reason string) (supply.Release, *supply.Hold, error) {
	records, err := s.Records(ctx, 0)
	if err != nil {
		return supply.Release{}, nil, err
	}
	i := slices.IndexFunc(records, func(rec supply.Record) bool { return rec.Token == token && rec.Hold != nil })
	if i < 0 {
		return supply.Release{}, nil, supply.ErrNotHeld
	}
	held := records[i].Hold
	r, err := s.ask(ctx, supply.Release{Token: token, Candidate: held.Candidate.ID, Reason: reason})
	return r, held, err
}

// AskAccept asks the leader to let the token's next figure change what figures
// never change.
func (s *Store) AskAccept(ctx context.Context, token string, what supply.Accept, reason string) (supply.Release, error) {
	return s.ask(ctx, supply.Release{Token: token, Accept: what, Reason: reason})
}

// AskCorrection asks the leader to say of a snapshot that was published that it
// was wrong; supply.ErrNotFound if there is none of that id.
func (s *Store) AskCorrection(ctx context.Context, snapshot, reason string) (supply.Release, error) {
	var token string
	err := s.db.QueryRowContext(ctx, `
		SELECT token FROM reading WHERE token IN (SELECT token FROM published) AND snapshot = $1 AND kind = 'live' LIMIT 1`, snapshot).Scan(&token)
	if errors.Is(err, sql.ErrNoRows) {
		return supply.Release{}, supply.ErrNotFound
	}
	if err != nil {
		return supply.Release{}, err
	}
	return s.ask(ctx, supply.Release{Token: token, Candidate: snapshot, Accept: supply.AcceptCorrection, Reason: reason})
}

// AskCopy asks the leader to say in the log that a frozen copy was made. The token
// is any that is configured: the log has no other writer.
func (s *Store) AskCopy(ctx context.Context, token, root, provenance string) (supply.Release, error) {
	return s.ask(ctx, supply.Release{Token: token, Candidate: root, Accept: supply.AcceptCopy, Reason: provenance})
}

func (s *Store) ask(ctx context.Context, r supply.Release) (supply.Release, error) {
	r.ID, r.At = rand.Text(), time.Now().UTC().Truncate(time.Millisecond)
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO released (id, token, candidate, accept, reason, asked, decided, granted) VALUES ($1, $2, $3, $4, $5, $6, 0, 0)`,
		r.ID, r.Token, r.Candidate, r.Accept, r.Reason, r.At.UnixMilli())
	return r, err
}

// Release returns the release of that id, and whether it has been decided.
func (s *Store) Release(ctx context.Context, id string) (r supply.Release, decided bool, err error) {
	var at int64
	row := s.db.QueryRowContext(ctx, `
		SELECT id, token, candidate, accept, reason, asked, granted, decided FROM released WHERE id = $1`, id)
	err = readRelease(func(to ...any) error { return row.Scan(append(to, &at)...) }, &r)
	if errors.Is(err, sql.ErrNoRows) {
		err = supply.ErrNotFound
	}
	return r, at != 0, err
}
