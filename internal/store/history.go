package store

import (
	"context"
	"errors"
	"slices"
	"time"

	"petsupply/internal/supply"
)

// maxPoints limits one answer of History.
const maxPoints = 10_000

// History returns the token's figures between two times, oldest first, each exactly as measured.
// points limits the number of rows. It counts as at least 2 and at most maxPoints. The first row is
// the figure that was in force at the earlier time, or else the first figure after it. If there are
// too many other rows, History divides the time into points-1 equal stretches and returns the last
// row of each. An index finds these rows, so the cost does not depend on the number of stored rows.
func (s *Store) History(ctx context.Context, token string, from, to time.Time,
	points int) (_ []supply.Point, err error) {
	defer wrap(&err, "reading the history of %s", token)
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	points = min(max(points, 2), maxPoints)
	first, low, last, err := s.bounds(ctx, token, from, to)
	if err != nil || first == 0 {
		return nil, err
	}
	others := points - 1 // leaves room for the first row
	count, err := s.countTimes(ctx, token, low, last, others+1)
	if err != nil {
		return nil, err
	}
	chosen := `chosen (at) AS (SELECT taken FROM reading WHERE token = $1 AND taken > $3 AND taken <= $4)`
	args := []any{token, first, low, last}
	if count > others {
		chosen = `stretch (low, high) AS (
			SELECT CAST($3 AS BIGINT), CAST($3 AS BIGINT) + $5
			UNION ALL SELECT high, high + $5 FROM stretch WHERE high < $4
		), chosen (at) AS (
			SELECT (SELECT MAX(taken) FROM reading
				WHERE token = $1 AND taken > low AND taken <= high AND taken <= $4) FROM stretch
		)`
		args = append(args, (last-low)/int64(others)+1)
	}
	out, err := list(ctx, s.db, readPoint(token), `
		WITH RECURSIVE `+chosen+`
		SELECT taken, measured, snapshot, ledger, total, circulating, burned, locked, reserved, blocks
		FROM (SELECT CAST($2 AS BIGINT) AS at UNION SELECT at FROM chosen) AS these
		CROSS JOIN reading WHERE token = $1 AND taken = at
		ORDER BY taken, number DESC`, args...)
	if err != nil {
		return nil, err
	}
	corrected, err := s.corrections(ctx, token)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Correction = corrected[out[i].ID]
	}
	// If several rows have the same time, the last published one comes first and is kept.
	return slices.CompactFunc(out, func(a, b supply.Point) bool { return a.AsOf.Equal(b.AsOf) }), nil
}

// countTimes returns how many times later than low, and not later than last, have rows. It stops
// counting at most.
func (s *Store) countTimes(ctx context.Context, token string, low, last int64, most int) (count int, err error) {
	err = s.db.QueryRowContext(ctx, `
		SELECT COUNT(*) FROM (
			SELECT DISTINCT taken FROM reading WHERE token = $1 AND taken > $2 AND taken <= $3 ORDER BY taken LIMIT $4
		) AS times`, token, low, last, most).Scan(&count)
	return count, err
}

// bounds returns three times for History, or zeros if there are no rows. first is the time of the
// earliest row to return: the figure that was in force at the start of the period, or else the
// earliest row in the period. The other rows are later than low. last is the time of the latest
// row to return.
func (s *Store) bounds(ctx context.Context, token string, from, to time.Time) (first, low, last int64, err error) {
	var next int64
	_, err = list(ctx, s.db, func(scan scanFunc, _ *struct{}) error { return scan(&next, &last) }, `
		SELECT COALESCE((SELECT MIN(taken) FROM reading WHERE token = $1 AND taken >= $2 AND taken <= $3), 0),
			COALESCE((SELECT MAX(taken) FROM reading WHERE token = $1 AND taken >= $2 AND taken <= $3), 0)`,
		token, from.UnixMilli(), to.UnixMilli())
	if err != nil {
		return 0, 0, 0, err
	}
	published, err := s.publishedAt(ctx, token, supply.Moment{At: from})
	switch _, none := errors.AsType[*supply.BeforeFirst](err); {
	case none, errors.Is(err, supply.ErrNotFound):
		return next, next, last, nil
	case err != nil:
		return 0, 0, 0, err
	}
	first = published.AsOf.UnixMilli()
	if next == 0 {
		return first, first, first, nil
	}
	return first, max(first, next-1), last, nil
}

// Gaps returns gaps between a token's published measurements, oldest first. It leaves out gaps that
// ended before the given time, and gaps that are not longer than the given duration. Gaps are
// measured by the leader's clock.
func (s *Store) Gaps(ctx context.Context, token string, since time.Time,
	longest time.Duration) (_ []supply.Gap, err error) {
	defer wrap(&err, "reading the gaps of %s", token)
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	read := func(scan scanFunc, g *supply.Gap) error { return scan(millis{&g.From}, millis{&g.To}) }
	return list(ctx, s.db, read, `
		SELECT before, measured FROM (
			SELECT measured, LAG(measured) OVER (ORDER BY number) AS before FROM reading
			WHERE token = $1 AND taken >= COALESCE(
				(SELECT MAX(taken) FROM reading WHERE token = $1 AND taken <= $2), 0)
		) AS pair
		WHERE measured - before > $3 ORDER BY measured`, token, since.UnixMilli(), longest.Milliseconds())
}

// EvidenceAt returns evidence of the token for a time. Only some rows have evidence: see
// keepEvidence. EvidenceAt uses the last of them up to that time, or else the first one after it.
// The error is supply.ErrNotFound if no row has evidence.
func (s *Store) EvidenceAt(ctx context.Context, token string, at time.Time) (_ *supply.Evidence, err error) {
	defer wrap(&err, "reading the evidence of %s", token)
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	for _, nearest := range []string{"taken <= $2 ORDER BY taken DESC", "taken > $2 ORDER BY taken"} {
		ev, err := first(ctx, s.db, func(scan scanFunc, ev *supply.Evidence) error { return scan(asJSON{ev}) },
			`SELECT evidence FROM reading WHERE token = $1 AND evidence IS NOT NULL AND `+nearest+` LIMIT 1`, token,
			at.UnixMilli())
		if ev != nil || err != nil {
			return ev, err
		}
	}
	return nil, supply.ErrNotFound
}
