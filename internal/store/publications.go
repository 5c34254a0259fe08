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

// Publications are searched by time or by the number of a block. The column clock of the table
// "publication" says which. timeClock means a time in milliseconds. Any other value is the id of the
// chain whose blocks are counted.
const timeClock = 0

// hashKey returns the part of a block's hash that is stored and searched.
func hashKey(h common.Hash) string { return h.Hex()[2:18] }

// placePublication indexes a publication by its time and its blocks. If a clock went back,
// placePublication lowers the values of that clock's earlier entries to the new value. So a search
// finds the later publication.
func placePublication(ctx context.Context, tx *sql.Tx, n *supply.Snapshot, number int64) error {
	place := func(clock, value int64, hash string) error {
		_, err := tx.ExecContext(ctx,
			`UPDATE publication SET least = $3 WHERE token = $1 AND clock = $2 AND least > $3`, n.Token, clock, value)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO publication (token, clock, least, number, hash) VALUES ($1, $2, $3, $4, $5)`,
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

// PublishedAt returns a publication of a token. For a time or a block's number, it is the last
// publication up to then. For a block's hash, it is the last publication that was read at that
// block. For a snapshot's id, it is the publication of that snapshot. If the snapshot was corrected
// later, p has the correction. The error is a *supply.BeforeFirst if the time or number is before
// the first publication, and supply.ErrNotFound if there is no such publication. The cost does not
// depend on the number of publications.
func (s *Store) PublishedAt(ctx context.Context, token string, m supply.Moment) (p supply.Point, err error) {
	defer wrap(&err, "reading the publications of %s", token)
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
	which, args := `number = (SELECT number FROM publication WHERE token = $1 AND clock = $2 AND `+last+` LIMIT 1)`,
		[]any{token, clock, key}
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

// readAt reports whether p was read at the block of m.
func readAt(p supply.Point, m supply.Moment) bool {
	return slices.ContainsFunc(p.Blocks, func(b supply.Block) bool { return b.ChainID == m.ChainID && b.Hash == *m.Hash })
}

// beforeFirst returns a *supply.BeforeFirst with the moment of the token's first publication, or
// supply.ErrNotFound if there is none. If clock is timeClock, the moment is a time. Otherwise it is
// the number of a block on the chain of m.
func (s *Store) beforeFirst(ctx context.Context, token string, clock int64, m supply.Moment) error {
	least, err := first(ctx, s.db, readColumn[int64],
		`SELECT least FROM publication WHERE token = $1 AND clock = $2 ORDER BY least LIMIT 1`, token, clock)
	switch {
	case err != nil:
		return err
	case least == nil:
		return supply.ErrNotFound
	case clock == timeClock:
		m.At = time.UnixMilli(*least).UTC()
	default:
		m.Number = uint64(*least)
	}
	return &supply.BeforeFirst{First: m}
}

// A keptPart describes data that is kept for only some publications. The field rows is the SQL for
// the rows that have the data. The field moment is the SQL for the AsOf of a row's publication.
type keptPart struct{ rows, moment string }

var (
	keptEvidence = keptPart{`reading WHERE evidence IS NOT NULL AND kind = 'live' AND token = $1`, `taken`}
	keptProofs   = keptPart{`proof WHERE token = $1`,
		`(SELECT r.taken FROM reading r WHERE r.token = $1 AND r.snapshot = proof.snapshot LIMIT 1)`}
)

// thinned returns the error for a publication whose evidence or proof is missing. The newest
// evidence or proof is never dropped. So if no later publication has any, the missing one was never
// made, and the error is supply.ErrNotFound. Otherwise it counts as dropped, and the error is a
// *supply.Thinned with the nearest publications that still have evidence or a proof. The argument
// at is the publication's AsOf for evidence, and its MeasuredAt for a proof.
func (s *Store) thinned(ctx context.Context, token string, kept keptPart, at time.Time) error {
	var e supply.Thinned
	for _, nearest := range []string{"taken > $2 ORDER BY taken", "taken <= $2 ORDER BY taken DESC"} {
		found, err := list(ctx, s.db, func(scan scanFunc, k *supply.KeptAt) error {
			return scan(millis{&k.AsOf}, &k.Snapshot)
		}, `SELECT `+kept.moment+`, snapshot FROM `+kept.rows+` AND `+nearest+` LIMIT 1`, token, at.UnixMilli())
		if err != nil {
			return fmt.Errorf("reading which evidence or proofs of %s are kept: %w", token, err)
		}
		if e.Kept = append(found, e.Kept...); len(e.Kept) == 0 {
			return supply.ErrNotFound
		}
	}
	return &e
}

// EvidenceOf returns the evidence of a publication. The error is a *supply.Thinned if the evidence
// is no longer kept, and supply.ErrNotFound if there never was any.
func (s *Store) EvidenceOf(ctx context.Context, token string, p supply.Point) (*supply.Evidence, error) {
	ev, err := s.Evidence(ctx, token, p.Snapshot)
	if errors.Is(err, supply.ErrNotFound) {
		err = s.thinned(ctx, token, keptEvidence, p.AsOf)
	}
	return ev, err
}
