package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/supply"
)

// PublishedAt returns a publication of a token. For a time, it is the last publication up to then.
// For a snapshot's id, it is the publication of that snapshot. If the snapshot was corrected later,
// p has the correction. The error is a *supply.BeforeFirst if the time is before the first
// publication, and supply.ErrNotFound if there is no such publication. The cost does not depend on
// the number of publications.
func (s *Store) PublishedAt(ctx context.Context, token string, m supply.Moment) (p supply.Point, err error) {
	defer wrap(&err, "reading the publications of %s", token)
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return p, err
	}
	defer leave()
	if p, err = s.publishedAt(ctx, token, m); err != nil {
		return p, err
	}
	corrected, err := s.corrections(ctx, token)
	p.Correction = corrected[p.ID]
	return p, err
}

func (s *Store) publishedAt(ctx context.Context, token string, m supply.Moment) (supply.Point, error) {
	which := `least <= $2 ORDER BY least DESC, number DESC LIMIT 1`
	key := any(m.At.UnixMilli())
	if m.Snapshot != "" {
		which = `snapshot = $2 ORDER BY number DESC LIMIT 1`
		key = m.Snapshot
	}
	found, err := first(ctx, s.db, readPoint(token), `
		SELECT taken, measured, snapshot, ledger, total, circulating, burned, locked, reserved, blocks
		FROM reading WHERE token = $1 AND `+which, token, key)
	switch {
	case err != nil:
		return supply.Point{}, err
	case found != nil:
		return *found, nil
	case m.Snapshot != "":
		return supply.Point{}, supply.ErrNotFound
	}
	return supply.Point{}, s.beforeFirst(ctx, token)
}

// beforeFirst returns a *supply.BeforeFirst with the time of the token's first publication, or
// supply.ErrNotFound if there is none.
func (s *Store) beforeFirst(ctx context.Context, token string) error {
	least, err := first(ctx, s.db, readColumn[int64],
		`SELECT least FROM reading WHERE token = $1 ORDER BY least LIMIT 1`, token)
	switch {
	case err != nil:
		return err
	case least == nil:
		return supply.ErrNotFound
	}
	return &supply.BeforeFirst{First: time.UnixMilli(*least).UTC()}
}

// A keptPart describes data that is kept for only some publications. The field rows is the SQL for
// the rows that have the data. The field moment is the SQL for the AsOf of a row's publication.
type keptPart struct{ rows, moment string }

var (
	keptEvidence = keptPart{`reading WHERE evidence IS NOT NULL AND token = $1`, `taken`}
	keptProofs   = keptPart{`proof WHERE token = $1 AND EXISTS (
			SELECT 1 FROM reading r WHERE r.token = $1 AND r.snapshot = proof.snapshot)`, // not of a held figure
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
		e.Kept = append(found, e.Kept...)
		if len(e.Kept) == 0 {
			return supply.ErrNotFound
		}
	}
	return &e
}

// EvidenceOf returns the evidence of a publication. The error is a *supply.Thinned if the evidence
// is no longer kept, and supply.ErrNotFound if there never was any.
func (s *Store) EvidenceOf(ctx context.Context, n *supply.Snapshot) (*supply.Evidence, error) {
	ev, err := s.Evidence(ctx, n.Token, n.ID)
	if errors.Is(err, supply.ErrNotFound) {
		err = s.thinned(ctx, n.Token, keptEvidence, n.AsOf)
	}
	return ev, err
}
