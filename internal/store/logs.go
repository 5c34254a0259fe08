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
	published, err := records(ctx, tx, 0)
	if err != nil {
		return nil, err
	}
	for _, rec := range published {
		if rec.Snapshot == nil {
			continue
		}
		c := supply.Change{Record: rec, Publishes: true}
		versions, err := ledgers(ctx, tx, rec.Token)
		if err != nil {
			return nil, err
		}
		for _, v := range versions { // all of them, because a later figure may use an old ledger again
			if v.Since != nil {
				leaves = append(leaves, tlog.LedgerVersion{Token: rec.Token, Ledger: v.Hash, Since: *v.Since}.Leaf())
			}
		}
		leaves = append(leaves, c.Leaves()...)
		if rec.Correction != nil {
			leaves = append(leaves, tlog.Decision{Token: rec.Token, Kind: string(supply.Wrong), Subject: rec.Snapshot.ID,
				Reason: rec.Correction.Reason, At: rec.Correction.At}.Leaf())
		}
	}
	return leaves, nil
}

// A node is a hash of a log's Merkle tree, a row of tlog_hash.
type node struct {
	level  int
	number int64
	hash   merkle.Hash
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
	fresh := map[int64]merkle.Hash{} // hashes of this transaction, by index
	reader := merkle.HashReaderFunc(func(indexes []int64) ([]merkle.Hash, error) {
		return s.logNodes(ctx, tx, log, indexes, fresh)
	})
	var nodes []node
	for i, leaf := range leaves {
		if len(leaf) > tlog.MaxLeaf {
			return fmt.Errorf("a leaf has %d bytes, more than the limit of %d", len(leaf), tlog.MaxLeaf)
		}
		at := size + int64(i)
		hashes, err := merkle.StoredHashes(at, leaf, reader)
		if err != nil {
			return err
		}
		for level, h := range hashes {
			n := node{level, at >> level, h}
			fresh[merkle.StoredHashIndex(n.level, n.number)] = h
			nodes = append(nodes, n)
		}
	}
	err = database.InsertRows(ctx, s.db, tx, "tlog_hash", []string{"log", "number", "level", "hash"}, "", nodes,
		func(args []any, n *node) []any { return append(args, log, n.number, n.level, n.hash[:]) })
	if err != nil {
		return err
	}
	number := size
	err = database.InsertRows(ctx, s.db, tx, "tlog_leaf", []string{"log", "number", "leaf"}, "", leaves,
		func(args []any, leaf *[]byte) []any {
			number++
			return append(args, log, number-1, *leaf)
		})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE tlog SET size = $2 WHERE id = $1`, log, number)
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
		_, err = tx.ExecContext(ctx, `UPDATE tlog SET checkpoint = $3, signed = $2 WHERE id = $1`, log, size, string(signed))
		return err
	})
}

// LogHashes returns hashes of a level of a log's tree. first is the number of the first one, and
// count is how many. With level tlog.Entries it returns leaves instead. tlog.ErrNone means that
// some are missing.
func (s *Store) LogHashes(ctx context.Context, log int64, level int, first int64, count int) (out [][]byte, err error) {
	defer wrap(&err, "reading the log from %d on", first)
	if count > 1 { // the signer reads single hashes, and must not wait for callers
		leave, err := s.turns.Enter(ctx)
		if err != nil {
			return nil, err
		}
		defer leave()
	}
	query := `SELECT hash FROM tlog_hash WHERE log = $1 AND number >= $2 AND number < $3 AND level = $4 ORDER BY number`
	args := []any{log, first, first + int64(count), level}
	if level == tlog.Entries {
		query = `SELECT leaf FROM tlog_leaf WHERE log = $1 AND number >= $2 AND number < $3 ORDER BY number`
		args = args[:3]
	}
	out, err = list(ctx, s.db, readColumn[[]byte], query, args...)
	if err == nil && len(out) != count {
		return nil, tlog.ErrNone
	}
	return out, err
}

// LogNodes returns the hashes of a log's tree at the given indexes, as merkle.StoredHashIndex
// computes them.
func (s *Store) LogNodes(ctx context.Context, log int64, indexes []int64) ([]merkle.Hash, error) {
	return s.logNodes(ctx, s.db, log, indexes, nil)
}

// logNodes is LogNodes with a map of known hashes. It reads only the others from the store.
func (s *Store) logNodes(ctx context.Context, q querier, log int64, indexes []int64, known map[int64]merkle.Hash,
) (_ []merkle.Hash, err error) {
	defer wrap(&err, "reading hashes of the log")
	found := map[int64]merkle.Hash{}
	var want []string
	args := []any{log}
	for _, index := range indexes {
		if h, ok := known[index]; ok {
			found[index] = h
			continue
		}
		level, number := merkle.SplitStoredHashIndex(index)
		args = append(args, level, number)
		want = append(want, fmt.Sprintf("(level = $%d AND number = $%d)", len(args)-1, len(args)))
	}
	if len(want) > 0 {
		nodes, err := list(ctx, q, func(scan scanFunc, n *node) error {
			var hash []byte
			err := scan(&n.level, &n.number, &hash)
			copy(n.hash[:], hash)
			return err
		}, `SELECT level, number, hash FROM tlog_hash WHERE log = $1 AND (`+strings.Join(want, " OR ")+`)`, args...)
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			found[merkle.StoredHashIndex(n.level, n.number)] = n.hash
		}
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

// FindLeaf returns a log that has a leaf with the given hash, and the leaf's index. It prefers the
// given log, then the newest. tlog.ErrNone means that no log has the leaf.
func (s *Store) FindLeaf(ctx context.Context, log int64, leaf merkle.Hash) (l tlog.Log, index int64, err error) {
	defer wrap(&err, "looking for a leaf of the log")
	l, err = readLog(s.db.QueryRowContext(ctx, `
		SELECT id, origin, verifier_key, size, checkpoint, copied, number FROM tlog_hash h JOIN tlog t ON t.id = h.log
		WHERE h.hash = $2 AND h.level = 0
		ORDER BY CASE WHEN t.id = $1 THEN 0 ELSE 1 END, t.id DESC, number LIMIT 1`, log, leaf[:]), &index)
	return l, index, err
}
