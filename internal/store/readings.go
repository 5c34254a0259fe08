package store

import (
	"context"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// Sequences returns the sequence number of each token's last write.
func (s *Store) Sequences(ctx context.Context) (map[string]int64, error) {
	type write struct {
		token string
		seq   int64
	}
	writes, err := list(ctx, s.db, func(scan scanFunc, w *write) error { return scan(&w.token, &w.seq) },
		`SELECT token, seq FROM published`)
	out := make(map[string]int64, len(writes))
	for _, w := range writes {
		out[w.token] = w.seq
	}
	return out, err
}

// Records returns the records of all tokens, with the versions of their ledgers.
func (s *Store) Records(ctx context.Context) ([]supply.Record, error) {
	return records(ctx, s.db)
}

func records(ctx context.Context, q querier) ([]supply.Record, error) {
	out, err := list(ctx, q, func(scan scanFunc, rec *supply.Record) error {
		return scan(asJSON{rec}, &rec.Token, &rec.Seq)
	}, `SELECT record, token, seq FROM published ORDER BY token`)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].Ledgers, err = ledgers(ctx, q, out[i].Token)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Ledgers returns the ledger versions of the token's published figures, oldest first.
func (s *Store) Ledgers(ctx context.Context, token string) ([]ledger.Version, error) {
	return ledgers(ctx, s.db, token)
}

func ledgers(ctx context.Context, q querier, token string) ([]ledger.Version, error) {
	return list(ctx, q, func(scan scanFunc, v *ledger.Version) error {
		return scan(asJSON{v})
	}, `SELECT document FROM ledger WHERE token = $1 ORDER BY since, hash`, token)
}

// Evidence returns the evidence of a token's snapshot, or supply.ErrNotFound if it is not kept.
func (s *Store) Evidence(ctx context.Context, token, snapshot string) (_ *supply.Evidence, err error) {
	defer wrap(&err, "reading the evidence of %s", snapshot)
	ev := &supply.Evidence{}
	err = s.db.QueryRowContext(ctx, `
		SELECT evidence FROM reading WHERE token = $1 AND snapshot = $2 AND evidence IS NOT NULL
		ORDER BY taken DESC LIMIT 1`, token, snapshot).Scan(asJSON{ev})
	if err != nil {
		return nil, ifNone(err, supply.ErrNotFound)
	}
	corrected, err := s.corrections(ctx, token)
	ev.Correction = corrected[snapshot]
	return ev, err
}

// readPoint reads a row of a token's history.
func readPoint(token string) func(scanFunc, *supply.Point) error {
	return func(scan scanFunc, p *supply.Point) error {
		n := &supply.Snapshot{Token: token}
		p.Snapshot = n
		var amounts [5]string
		err := scan(millis{&n.AsOf}, millis{&n.MeasuredAt}, &n.ID, &n.LedgerHash, &amounts[0], &amounts[1],
			&amounts[2], &amounts[3], &amounts[4], asJSON{&n.Blocks})
		if err != nil {
			return err
		}
		for i, to := range []*ledger.Amount{&n.Total, &n.Circulating, &n.Burned, &n.Locked, &n.Reserved} {
			if *to, err = ledger.ParseAmount(amounts[i]); err != nil {
				return err
			}
		}
		return nil
	}
}
