package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// The newest keepProofs proofs of a token are kept. Of older ones, the first of each hour is kept
// for keepHourly, and the first of each day forever.
const (
	keepProofs = 100
	keepHourly = 7 * 24 * time.Hour
)

// A part is a trie node or a contract's code in a proof.
type part struct {
	chain      int64
	kind       string // "node" or "code"
	hash, data []byte
}

// SaveProof stores the proof of a token's snapshot, unless it is already stored. taken is the time
// at which the proof was made. Only the leader may call it.
func (s *Store) SaveProof(ctx context.Context, token string, taken time.Time, d *proof.Document) (err error) {
	defer wrap(&err, "storing the proof of %s", token)
	thin := *d
	var parts []part
	thin.Chains = slices.Clone(d.Chains)
	for i := range thin.Chains {
		c := &thin.Chains[i]
		for _, n := range c.Nodes {
			parts = append(parts, part{int64(c.ChainID), "node", crypto.Keccak256(n), n})
		}
		for _, n := range c.Codes {
			parts = append(parts, part{int64(c.ChainID), "code", crypto.Keccak256(n), n})
		}
		c.Nodes = nil
		c.Codes = nil
	}
	return s.fenced(ctx, func(tx *sql.Tx) error {
		at := taken.UnixMilli()
		done, err := tx.ExecContext(ctx, `
			INSERT INTO proof (token, snapshot, taken, hourly, daily, document) VALUES ($1, $2, $3,
				CASE WHEN EXISTS (SELECT 1 FROM proof WHERE token = $1 AND taken >= $4) THEN 0 ELSE 1 END,
				CASE WHEN EXISTS (SELECT 1 FROM proof WHERE token = $1 AND taken >= $5) THEN 0 ELSE 1 END, $6)
			ON CONFLICT DO NOTHING`,
			token, d.Snapshot, at, at-at%time.Hour.Milliseconds(), at-at%(24*time.Hour).Milliseconds(), asJSON{thin})
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if err := s.insertParts(ctx, tx, token, d.Snapshot, parts); err != nil {
			return err
		}
		return thinProofs(ctx, tx, token, taken)
	})
}

func (s *Store) insertParts(ctx context.Context, tx *sql.Tx, token, snapshot string, parts []part) error {
	err := database.InsertRows(ctx, s.db, tx, "proof_part", []string{"hash", "data"}, "ON CONFLICT DO NOTHING", parts,
		func(args []any, p *part) []any { return append(args, p.hash, p.data) })
	if err != nil {
		return err
	}
	return database.InsertRows(ctx, s.db, tx, "proof_use", []string{"token", "snapshot", "chain", "kind", "hash"},
		"ON CONFLICT DO NOTHING", parts,
		func(args []any, p *part) []any { return append(args, token, snapshot, p.chain, p.kind, p.hash) })
}

// thinProofs removes the token's expired proofs.
func thinProofs(ctx context.Context, tx *sql.Tx, token string, now time.Time) error {
	old, err := list(ctx, tx, readColumn[string], `
		SELECT snapshot FROM proof WHERE token = $1 AND daily = 0 AND (hourly = 0 OR taken < $2) AND taken <
			(SELECT taken FROM proof WHERE token = $1 ORDER BY taken DESC LIMIT 1 OFFSET $3)`,
		token, now.Add(-keepHourly).UnixMilli(), keepProofs-1)
	if err != nil {
		return err
	}
	for _, snapshot := range old {
		if err := dropProof(ctx, tx, token, snapshot); err != nil {
			return err
		}
	}
	return nil
}

// DropProof removes the proof of a token's snapshot, if it is stored. Only the leader may call it.
func (s *Store) DropProof(ctx context.Context, token, snapshot string) (err error) {
	defer wrap(&err, "removing the proof of %s", snapshot)
	return s.fenced(ctx, func(tx *sql.Tx) error { return dropProof(ctx, tx, token, snapshot) })
}

// dropProof removes a proof, and the parts that only this proof uses.
func dropProof(ctx context.Context, tx *sql.Tx, token, snapshot string) error {
	for _, statement := range []string{
		`DELETE FROM proof_part WHERE hash IN (SELECT hash FROM proof_use WHERE token = $1 AND snapshot = $2)
				AND NOT EXISTS (SELECT 1 FROM proof_use u WHERE u.hash = proof_part.hash AND (u.token <> $1 OR u.snapshot <> $2))`,
		`DELETE FROM proof_use WHERE token = $1 AND snapshot = $2`,
		`DELETE FROM proof WHERE token = $1 AND snapshot = $2`,
	} {
		if _, err := tx.ExecContext(ctx, statement, token, snapshot); err != nil {
			return err
		}
	}
	return nil
}

// Proof returns the proof of a token's snapshot, or supply.ErrNotFound.
func (s *Store) Proof(ctx context.Context, token, snapshot string) (_ *proof.Document, err error) {
	defer wrap(&err, "reading the proof of %s", snapshot)
	d := &proof.Document{}
	err = s.db.QueryRowContext(ctx, `
		SELECT document FROM proof WHERE token = $1 AND snapshot = $2`, token, snapshot).Scan(asJSON{d})
	if err != nil {
		return nil, ifNone(err, supply.ErrNotFound)
	}
	parts, err := list(ctx, s.db, func(scan scanFunc, p *part) error { return scan(&p.chain, &p.kind, &p.data) }, `
		SELECT u.chain, u.kind, p.data FROM proof_use u JOIN proof_part p ON p.hash = u.hash
		WHERE u.token = $1 AND u.snapshot = $2 ORDER BY u.hash`, token, snapshot)
	if err != nil {
		return nil, err
	}
	for i := range d.Chains {
		c := &d.Chains[i]
		c.Nodes = []hexutil.Bytes{}
		c.Codes = []hexutil.Bytes{}
		for _, p := range parts {
			switch {
			case p.chain != int64(c.ChainID):
			case p.kind == "node":
				c.Nodes = append(c.Nodes, p.data)
			default:
				c.Codes = append(c.Codes, p.data)
			}
		}
	}
	return d, nil
}

// ProofOf returns the proof of a publication. The error is a *supply.Thinned if the proof is no
// longer kept, and supply.ErrNotFound if there never was one.
func (s *Store) ProofOf(ctx context.Context, token string, p supply.Point) (*proof.Document, error) {
	d, err := s.Proof(ctx, token, p.Snapshot)
	if errors.Is(err, supply.ErrNotFound) {
		err = s.thinned(ctx, token, keptProofs, p.MeasuredAt)
	}
	return d, err
}
