package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/supply"
)

// Releases returns the releases that were asked for and not yet decided, oldest
// first.
func (s *Store) Releases(ctx context.Context) ([]supply.Release, error) {
	rows, err := s.db.QueryContext(ctx, `
		SELECT id, token, candidate, reason, asked, granted FROM released WHERE decided = 0 ORDER BY asked, id`)
	if err != nil {
		return nil, fmt.Errorf("asking for releases: %w", err)
	}
	defer rows.Close()
	var out []supply.Release
	for rows.Next() {
		r, err := scanRelease(rows.Scan)
		if err != nil {
			return nil, fmt.Errorf("asking for releases: %w", err)
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// AskRelease asks the leader to let the token's held figure through. It returns
// what is held; supply.ErrNotHeld if nothing is. Any process may ask.
func (s *Store) AskRelease(ctx context.Context, token, reason string) (supply.Release, *supply.Hold, error) {
	records, err := s.Records(ctx, 0)
	if err != nil {
		return supply.Release{}, nil, err
	}
	for _, rec := range records {
		if rec.Token != token {
			continue
		}
		if rec.Hold == nil {
			break
		}
		r := supply.Release{ID: rand.Text(), Token: token, Candidate: rec.Hold.Candidate.ID, Reason: reason,
			At: time.Now().UTC().Truncate(time.Millisecond)}
		_, err := s.db.ExecContext(ctx, `
			INSERT INTO released (id, token, candidate, reason, asked, decided, granted) VALUES ($1, $2, $3, $4, $5, 0, 0)`,
			r.ID, r.Token, r.Candidate, r.Reason, r.At.UnixMilli())
		return r, rec.Hold, err
	}
	return supply.Release{}, nil, supply.ErrNotHeld
}

// Release returns the release of that id, and whether it has been decided.
func (s *Store) Release(ctx context.Context, id string) (r supply.Release, decided bool, err error) {
	var at int64
	row := s.db.QueryRowContext(ctx, `
		SELECT id, token, candidate, reason, asked, granted, decided FROM released WHERE id = $1`, id)
	r, err = scanRelease(func(to ...any) error { return row.Scan(append(to, &at)...) })
	if errors.Is(err, sql.ErrNoRows) {
		err = supply.ErrNotFound
	}
	return r, at != 0, err
}

func scanRelease(scan func(...any) error) (supply.Release, error) {
	var r supply.Release
	var asked, granted int64
	err := scan(&r.ID, &r.Token, &r.Candidate, &r.Reason, &asked, &granted)
	r.At, r.Granted = time.UnixMilli(asked).UTC(), granted != 0
	return r, err
}
