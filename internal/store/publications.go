package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply"
)

// timeClock is the clock of a publication's time; a chain's is its id.
const timeClock = 0

// hashKey is by how much of its hash a block is looked for.
func hashKey(h common.Hash) string { return h.Hex()[2:18] }

// placePublication enters what is published under its time and its blocks. On
// each clock, what was published before is not found by a later moment: where a
// clock went back, it is as if what came before had not gone further.
func placePublication(ctx context.Context, tx *sql.Tx, n *supply.Snapshot, number int64) error {
	place := func(clock, value int64, hash string) error {
		_, err := tx.ExecContext(ctx, `UPDATE publication SET least = $3 WHERE token = $1 AND clock = $2 AND least > $3`, n.Token, clock, value)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO publication (token, clock, least, number, hash) VALUES ($1, $2, $3, $4, $5)`,
			n.Token, clock, value, number, hash)
		return err
	}
	if err := place(timeClock, n.AsOf.UnixMilli(), ""); err != nil {
		return err
	}
	for _, b := range n.Blocks {
		if err := place(int64(b.ChainID), int64(b.Number), hashKey(b.Hash)); err != nil {
			return err
		}
	}
	return nil
}

// PublishedAt returns the last publication of a token that shows no more than a
// moment; by a block's hash, the last that was read at that very block; by a
// snapshot's id, that one. With it comes what was said later of it, if it was
// wrong. Before the first one the error is a *supply.BeforeFirst; where there is
// none at all, supply.ErrNotFound. It costs the same however much was published.
func (s *Store) PublishedAt(ctx context.Context, token string, m supply.Moment) (p supply.Point, err error) {
	defer wrap(&err, "reading what was published of %s", token)
	leave, err := s.histories.Enter(ctx)
	if err != nil {
		return p, err
	}
	defer leave()
	if p, err = s.publishedAt(ctx, token, m); err != nil {
		return p, err
	}
	corrected, err := s.corrections(ctx, token)
	p.Correction = corrected[p.Snapshot]
	return p, err
}

func (s *Store) publishedAt(ctx context.Context, token string, m supply.Moment) (supply.Point, error) {
	clock, value := int64(m.ChainID), int64(min(m.Number, math.MaxInt64))
	if !m.At.IsZero() {
		clock, value = timeClock, m.At.UnixMilli()
	}
	last, key := `least <= $3 ORDER BY least DESC, number DESC`, any(value)
	if m.Hash != nil {
		last, key = `hash = $3 AND clock <> 0 ORDER BY number DESC`, hashKey(*m.Hash)
	}
	which, args := `number = (SELECT number FROM publication WHERE token = $1 AND clock = $2 AND `+last+` LIMIT 1)`, []any{token, clock, key}
	if m.Snapshot != "" {
		which, args = `snapshot = $2 ORDER BY number DESC LIMIT 1`, []any{token, m.Snapshot}
	}
	found, err := first(ctx, s.db, readPoint, `
		SELECT kind, taken, measured, snapshot, ledger, total, circulating, burned, locked, reserved, blocks
		FROM reading WHERE token = $1 AND kind = 'live' AND `+which, args...)
	switch {
	case err != nil:
		return supply.Point{}, err
	case found != nil && (m.Hash == nil || readAt(*found, m)):
		return *found, nil
	case m.Hash != nil, m.Snapshot != "":
		return supply.Point{}, supply.ErrNotFound
	}
	return supply.Point{}, s.beforeFirst(ctx, token, clock, m)
}

// readAt says whether p was read at the very block that m is.
func readAt(p supply.Point, m supply.Moment) bool {
	return slices.ContainsFunc(p.Blocks, func(b supply.Block) bool { return b.ChainID == m.ChainID && b.Hash == *m.Hash })
}

// beforeFirst names the first moment of the same clock at which something of the
// token was published.
func (s *Store) beforeFirst(ctx context.Context, token string, clock int64, m supply.Moment) error {
	var least int64
	err := s.db.QueryRowContext(ctx, `SELECT least FROM publication WHERE token = $1 AND clock = $2 ORDER BY least LIMIT 1`, token, clock).Scan(&least)
	switch {
	case err != nil:
		return ifNone(err, supply.ErrNotFound)
	case clock == timeClock:
		m.At = time.UnixMilli(least).UTC()
	default:
		m.Number = uint64(least)
	}
	return &supply.BeforeFirst{First: m}
}

// A keptPart is a part of publications that is thinned out: the rows that have it,
// in the order of their taken, and the moment that such a row is of.
type keptPart struct{ rows, moment string }

var (
	keptEvidence = keptPart{`reading WHERE evidence IS NOT NULL AND kind = 'live' AND token = $1`, `taken`}
	keptProofs   = keptPart{`proof WHERE token = $1`, `(SELECT r.taken FROM reading r WHERE r.token = $1 AND r.snapshot = proof.snapshot LIMIT 1)`}
)

// thinned is the error for a publication, by the part's clock of that time, of
// which the part is not kept: a *supply.Thinned with the neighbours for which it
// is, or supply.ErrNotFound where it is kept for none.
func (s *Store) thinned(ctx context.Context, token string, kept keptPart, at time.Time) error {
	var e supply.Thinned
	for _, nearest := range []string{"taken <= $2 ORDER BY taken DESC", "taken > $2 ORDER BY taken"} {
		found, err := list(ctx, s.db, func(scan scanFunc, k *supply.KeptAt) error {
			var taken int64
			err := scan(&taken, &k.Snapshot)
			k.AsOf = fromMillis(taken)
			return err
		}, `SELECT `+kept.moment+`, snapshot FROM `+kept.rows+` AND `+nearest+` LIMIT 1`, token, at.UnixMilli())
		if err != nil {
			return fmt.Errorf("reading what is kept of %s: %w", token, err)
		}
		e.Kept = append(e.Kept, found...)
	}
	if len(e.Kept) == 0 {
		return supply.ErrNotFound
	}
	return &e
}

// EvidenceOf returns the evidence of a publication. Where that was thinned out
// the error is a *supply.Thinned.
func (s *Store) EvidenceOf(ctx context.Context, token string, p supply.Point) (*supply.Evidence, error) {
	ev, err := s.Evidence(ctx, token, p.Snapshot)
	if errors.Is(err, supply.ErrNotFound) {
		err = s.thinned(ctx, token, keptEvidence, p.AsOf)
	}
	return ev, err
}
