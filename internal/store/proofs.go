package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// The newest keepProofs proofs of a token are kept. Of older ones, the first of each hour is kept
// for keepHourly, and the first of each day forever.
const (
	keepProofs = 100
	keepHourly = 7 * 24 * time.Hour
)

// SaveProof stores the proof of a token's snapshot, unless it is already stored. taken is the time
// at which the proof was made. Only the leader may call it.
func (s *Store) SaveProof(ctx context.Context, token string, taken time.Time, d *proof.Document) (err error) {
	defer wrap(&err, "storing the proof of %s", token)
	packed, err := packProof(d)
	if err != nil {
		return err
	}
	return s.fenced(ctx, func(tx *sql.Tx) error {
		at := taken.UnixMilli()
		_, err := tx.ExecContext(ctx, `
			INSERT INTO proof (token, snapshot, taken, hourly, daily, document) VALUES ($1, $2, $3,
				CASE WHEN EXISTS (SELECT 1 FROM proof WHERE token = $1 AND taken >= $4) THEN 0 ELSE 1 END,
				CASE WHEN EXISTS (SELECT 1 FROM proof WHERE token = $1 AND taken >= $5) THEN 0 ELSE 1 END, $6)
			ON CONFLICT DO NOTHING`,
			token, d.Snapshot, at, at-at%time.Hour.Milliseconds(), at-at%(24*time.Hour).Milliseconds(), packed)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			DELETE FROM proof WHERE token = $1 AND daily = 0 AND (hourly = 0 OR taken < $2) AND taken <
				(SELECT taken FROM proof WHERE token = $1 ORDER BY taken DESC LIMIT 1 OFFSET $3)`,
			token, taken.Add(-keepHourly).UnixMilli(), keepProofs-1)
		return err
	})
}

// packProof returns a proof as compressed JSON.
func packProof(d *proof.Document) ([]byte, error) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	err := errors.Join(json.NewEncoder(w).Encode(d), w.Close())
	return packed.Bytes(), err
}

// unpackProof returns the proof that packProof packed.
func unpackProof(packed []byte) (*proof.Document, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	d := &proof.Document{}
	return d, json.NewDecoder(r).Decode(d)
}

// Proof returns the proof of a token's snapshot, or supply.ErrNotFound.
func (s *Store) Proof(ctx context.Context, token, snapshot string) (_ *proof.Document, err error) {
	defer wrap(&err, "reading the proof of %s", snapshot)
	var packed []byte
	err = s.db.QueryRowContext(ctx, `
		SELECT document FROM proof WHERE token = $1 AND snapshot = $2`, token, snapshot).Scan(&packed)
	if err != nil {
		return nil, ifNone(err, supply.ErrNotFound)
	}
	return unpackProof(packed)
}

// ProofOf returns the proof of a publication. The error is a *supply.Thinned if the proof is no
// longer kept, and supply.ErrNotFound if there never was one.
func (s *Store) ProofOf(ctx context.Context, n *supply.Snapshot) (*proof.Document, error) {
	d, err := s.Proof(ctx, n.Token, n.ID)
	if errors.Is(err, supply.ErrNotFound) {
		err = s.thinned(ctx, n.Token, keptProofs, n.MeasuredAt)
	}
	return d, err
}
