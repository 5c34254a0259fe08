package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

var _ tlog.Store = (*Store)(nil)

// Log returns the newest log with the given origin or tlog.Address, or the newest of all logs if
// name is "". The error is tlog.ErrNone if there is none.
func (s *Store) Log(ctx context.Context, name string) (tlog.Log, error) {
	return readLog(s.db.QueryRowContext(ctx, `
		SELECT id, origin, verifier_key, size, checkpoint, copied FROM tlog
		WHERE origin = $1 OR $1 = '' OR substr(verifier_key, length(origin) + 2, 8) = $1
		ORDER BY id DESC LIMIT 1`, name))
}

// readLog reads a log from a row. The argument more has scan targets for further columns.
func readLog(row *sql.Row, more ...any) (l tlog.Log, err error) {
	var signed string
	var copied int
	err = row.Scan(append([]any{&l.ID, &l.Origin, &l.VerifierKey, &l.Size, &signed, &copied}, more...)...)
	l.Copied = copied == 1
	if signed != "" {
		l.Signed = []byte(signed)
	}
	return l, ifNone(err, tlog.ErrNone)
}

// BeginLog adds a log that begins with the given leaf. It is followed by the decisions that no
// signed head of the log before has, and by everything that is published now. Only the leader may
// call it.
func (s *Store) BeginLog(ctx context.Context, origin, verifierKey string, first []byte) error {
	return s.fenced(ctx, func(tx *sql.Tx) error {
		decisions, err := unsignedDecisions(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `
			INSERT INTO tlog (id, origin, verifier_key, size, signed, checkpoint, copied)
			SELECT COALESCE(MAX(id), 0) + 1, $1, $2, 0, 0, '', 0 FROM tlog`, origin, verifierKey)
		if err != nil {
			return err
		}
		leaves, err := publishedLeaves(ctx, tx)
		if err != nil {
			return err
		}
		return s.appendLeaves(ctx, tx, slices.Concat([][]byte{first}, decisions, leaves))
	})
}

// unsignedDecisions returns the leaves of decisions that the newest log got after its last signed
// head. Nobody can read them there any more once another log begins.
func unsignedDecisions(ctx context.Context, tx *sql.Tx) ([][]byte, error) {
	leaves, err := list(ctx, tx, readColumn[[]byte], `
		SELECT leaf FROM tlog_leaf l JOIN tlog t ON t.id = l.log
		WHERE t.id = (SELECT MAX(id) FROM tlog) AND number >= signed ORDER BY number`)
	return slices.DeleteFunc(leaves, func(leaf []byte) bool {
		_, err := tlog.ParseLeaf(tlog.DecisionFormat, leaf)
		return err != nil
	}), err
}

// publishedLeaves returns leaves for everything that is published now.
func publishedLeaves(ctx context.Context, tx *sql.Tx) (leaves [][]byte, err error) {
	published, err := records(ctx, tx)
	if err != nil {
		return nil, err
	}
	for _, rec := range published {
		if rec.Snapshot == nil {
			continue
		}
		c := supply.Change{Record: rec, Publishes: true}
		for _, v := range rec.Ledgers { // all of them, because a later figure may use an old ledger again
			if v.Since != nil {
				leaves = append(leaves, tlog.LedgerVersion{Token: rec.Token, Ledger: v.Hash, Since: *v.Since}.Leaf())
			}
		}
		leaves = append(leaves, c.Leaves()...)
		if rec.Correction != nil {
			leaves = append(leaves, tlog.Decision{Token: rec.Token, Kind: string(supply.Wrong),
				Subject: rec.Snapshot.ID, Reason: rec.Correction.Reason, At: rec.Correction.At}.Leaf())
		}
	}
	return leaves, nil
}

// appendLeaves appends leaves to the newest log, if there is one. It runs in the transaction that
// publishes the figures, so that log and figures always agree.
func (s *Store) appendLeaves(ctx context.Context, tx *sql.Tx, leaves [][]byte) (err error) {
	defer wrap(&err, "appending to the log")
	var log, size int64
	err = tx.QueryRowContext(ctx, `SELECT id, size FROM tlog ORDER BY id DESC LIMIT 1`).Scan(&log, &size)
	if errors.Is(err, sql.ErrNoRows) || len(leaves) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	reader := merkle.HashReaderFunc(func(indexes []int64) ([]merkle.Hash, error) {
		return logNodes(ctx, tx, log, indexes)
	})
	for _, leaf := range leaves {
		if len(leaf) > tlog.MaxLeaf {
			return fmt.Errorf("a leaf has %d bytes, more than the limit of %d", len(leaf), tlog.MaxLeaf)
		}
		hashes, err := merkle.StoredHashes(size, leaf, reader)
		if err != nil {
			return err
		}
		index := merkle.StoredHashIndex(0, size)
		err = database.InsertRows(ctx, s.db, tx, "tlog_hash", []string{"log", "number", "hash"}, "", hashes,
			func(args []any, h *merkle.Hash) []any {
				index++
				return append(args, log, index-1, h[:])
			})
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO tlog_leaf (log, number, hash, leaf) VALUES ($1, $2, $3, $4)`,
			log, size, hashes[0][:], leaf)
		if err != nil {
			return err
		}
		size++
	}
	_, err = tx.ExecContext(ctx, `UPDATE tlog SET size = $2 WHERE id = $1`, log, size)
	return err
}

// SaveCheckpoint saves the newest checkpoint of a log, unless a larger one is stored. A stored
// checkpoint of the same size also stays if it begins with the new one, because it may have more
// signatures. If the stored one has the same size and another root, the error is tlog.ErrSigned.
// Only the leader may call it.
func (s *Store) SaveCheckpoint(ctx context.Context, log, size int64, signed []byte) error {
	return s.fenced(ctx, func(tx *sql.Tx) error {
		var had int64
		var before string
		err := tx.QueryRowContext(ctx, `SELECT signed, checkpoint FROM tlog WHERE id = $1`, log).Scan(&had, &before)
		if err != nil || had > size || had == size && strings.HasPrefix(before, string(signed)) {
			return err
		}
		head, _, _ := strings.Cut(before, "\n\n")
		if had == size && before != "" && !strings.HasPrefix(string(signed), head+"\n\n") {
			return fmt.Errorf("saving a checkpoint of %d leaves: %w", size, tlog.ErrSigned)
		}
		_, err = tx.ExecContext(ctx, `UPDATE tlog SET checkpoint = $3, signed = $2 WHERE id = $1`, log, size,
			string(signed))
		return err
	})
}

// LogLeaves returns count leaves of a log, beginning with the one with the number first. tlog.ErrNone
// means that some are missing.
func (s *Store) LogLeaves(ctx context.Context, log, first int64, count int) (out [][]byte, err error) {
	defer wrap(&err, "reading the log from %d on", first)
	if count > 1 { // the signer reads single leaves, and must not wait for callers
		leave, err := s.turns.Enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	out, err = list(ctx, s.db, readColumn[[]byte],
		`SELECT leaf FROM tlog_leaf WHERE log = $1 AND number >= $2 AND number < $3 ORDER BY number`,
		log, first, first+int64(count))
	if err == nil && len(out) != count {
		return nil, tlog.ErrNone
	}
	return out, err
}

// LogNodes returns the hashes of a log's tree at the given indexes, as merkle.StoredHashIndex
// computes them.
func (s *Store) LogNodes(ctx context.Context, log int64, indexes []int64) ([]merkle.Hash, error) {
	if len(indexes) > 64 { // a tile; the signer reads fewer, and must not wait for callers
		leave, err := s.turns.Enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	return logNodes(ctx, s.db, log, indexes)
}

// logNodes is LogNodes without waiting in the queue.
func logNodes(ctx context.Context, q querier, log int64, indexes []int64) (_ []merkle.Hash, err error) {
	defer wrap(&err, "reading hashes of the log")
	if len(indexes) == 0 {
		return nil, nil
	}
	var places []string
	args := []any{log}
	for _, index := range indexes {
		args = append(args, index)
		places = append(places, fmt.Sprintf("$%d", len(args)))
	}
	found := map[int64]merkle.Hash{}
	_, err = list(ctx, q, func(scan scanFunc, index *int64) error {
		var hash []byte
		if err := scan(index, &hash); err != nil {
			return err
		}
		found[*index] = merkle.Hash(hash)
		return nil
	}, `SELECT number, hash FROM tlog_hash WHERE log = $1 AND number IN (`+strings.Join(places, ", ")+`)`, args...)
	if err != nil {
		return nil, err
	}
	out := make([]merkle.Hash, len(indexes))
	for i, index := range indexes {
		h, ok := found[index]
		if !ok {
			return nil, fmt.Errorf("hash %d: %w", index, tlog.ErrNone)
		}
		out[i] = h
	}
	return out, nil
}

// FindLeaf returns a log that has a leaf with the given hash, and the leaf's number. It prefers the
// given log, then the newest. tlog.ErrNone means that no log has the leaf.
func (s *Store) FindLeaf(ctx context.Context, log int64, leaf merkle.Hash) (l tlog.Log, number int64, err error) {
	defer wrap(&err, "looking for a leaf of the log")
	l, err = readLog(s.db.QueryRowContext(ctx, `
		SELECT id, origin, verifier_key, size, checkpoint, copied, number FROM tlog_leaf l JOIN tlog t ON t.id = l.log
		WHERE l.hash = $2
		ORDER BY CASE WHEN t.id = $1 THEN 0 ELSE 1 END, t.id DESC, number LIMIT 1`, log, leaf[:]), &number)
	return l, number, err
}
