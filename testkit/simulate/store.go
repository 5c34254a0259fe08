package simulate

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// file returns the store's file.
func (r *run) file() string { return filepath.Join(r.dir, fmt.Sprintf("store%d.db", r.files)) }

// reopen restarts an instance.
func (r *run) reopen(ctx context.Context, number int) {
	r.instances[number].close()
	r.instances[number] = r.open(ctx, number)
}

// killNow returns the fault that kills an instance at this write, or nil. It returns each fault
// once.
func (r *run) killNow(x *instance) *Fault {
	for i, f := range r.Faults {
		if f.Kind == "kill" && f.Instance == x.number && f.at(r.since()) && !r.kills[i] {
			r.kills[i] = true
			return &r.Faults[i]
		}
	}
	return nil
}

// kill ends an instance before, after or in the middle of a write. If it is the only instance and
// the store is SQLite, the next process opens copies of the files as they are at that moment.
func (r *run) kill(x *instance, f Fault, write func() error) error {
	before := r.content()
	if f.Amount > 0 {
		_ = write()
	}
	x.killed = true
	if r.Instances > 1 || r.postgres != "" {
		return errStore
	}
	after := r.content()
	if f.Amount == killedWithin && bytes.Equal(before[0], after[0]) && !bytes.Equal(before[1], after[1]) {
		after[1] = torn(before[1], after[1], mix(r.Seed+uint64(f.From)))
		r.seen["killed within a transaction"]++
	}
	r.files++
	for i, text := range after {
		if err := os.WriteFile(r.file()+ends[i], text, 0o600); err != nil {
			r.fail("store", "copying", "%v", err)
		}
	}
	return errStore
}

// torn returns a write-ahead log of which only a part of the last transaction is on the disk.
func torn(before, after []byte, key uint64) []byte {
	same := func(i int) bool { return i < len(before) && before[i] == after[i] }
	first, last := 0, len(after)-1
	for same(first) {
		first++
	}
	for same(last) {
		last--
	}
	cut := first + int(key%uint64(last-first+1))
	return slices.Concat(after[:cut], before[min(cut, len(before)):])
}

// ends are the suffixes of the store's files: of the database, and of its write-ahead log.
var ends = [2]string{"", "-wal"}

// content returns the content of the store's files.
func (r *run) content() (text [2][]byte) {
	for i, end := range ends {
		text[i], _ = os.ReadFile(r.file() + end) // a file that does not exist is empty
	}
	return text
}

// A restore is a backup that is put back later, with the observer's knowledge of that time.
type restore struct {
	at        time.Duration
	file      string
	published map[string][]*supply.Snapshot
	corrected map[string]*supply.Snapshot
	pets      *petView
}

// backup copies the store, and puts the copy back at the end of the fault.
func (r *run) backup(ctx context.Context, f Fault) {
	b := restore{at: time.Duration(f.To) * time.Second,
		file:      filepath.Join(r.dir, fmt.Sprintf("backup%d-%d.db", f.From, f.To)),
		published: map[string][]*supply.Snapshot{}, corrected: maps.Clone(r.corrected), pets: r.petView.clone()}
	for token, list := range r.published {
		b.published[token] = slices.Clone(list) // a copy, because the two lists grow independently
	}
	if err := r.sql(ctx, "VACUUM INTO '"+b.file+"'"); err != nil {
		r.fail("store", "a backup", "%v", err)
	}
	r.restores = append(r.restores, b)
}

// putBack restores the backups that are due, while instances run.
func (r *run) putBack(ctx context.Context) {
	r.restores = slices.DeleteFunc(r.restores, func(b restore) bool {
		if r.since() < b.at {
			return false
		}
		if err := r.replace(ctx, b.file); err != nil {
			r.fail("store", "putting a backup back", "%v", err)
		}
		r.seen["restored"]++
		r.published, r.corrected, r.petView = b.published, b.corrected, b.pets
		clear(r.failing)
		clear(r.undone)
		return true
	})
}

// replace replaces the rows of the store with those of a backup.
func (r *run) replace(ctx context.Context, file string) error {
	db, err := sql.Open("sqlite", r.file())
	if err != nil {
		return err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "ATTACH '"+file+"' AS old"); err != nil {
		return err
	}
	var tables []string
	rows, err := conn.QueryContext(ctx, "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE "+
		"'sqlite_%'")
	if err != nil {
		return err
	}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		tables = append(tables, name)
	}
	if err := rows.Close(); err != nil {
		return err
	}
	statements := []string{"BEGIN IMMEDIATE"}
	for _, t := range tables {
		if t != "lease" {
			statements = append(statements, "DELETE FROM main."+t, "INSERT INTO main."+t+" SELECT * FROM old."+t)
		}
	}
	statements = append(statements, "UPDATE lease SET holder = '', epoch = 0, expires = 0") // as in a new store
	for _, s := range append(statements, "COMMIT") {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// sql executes a statement on the store's file.
func (r *run) sql(ctx context.Context, statement string) error {
	db, err := sql.Open("sqlite", r.file())
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// changeLedger adds an entry to the ledger of a token, or removes the entry if the ledger has it.
// Then it restarts all instances with the new ledger.
func (r *run) changeLedger(ctx context.Context, token int) {
	t := &r.tokens[token]
	entry := ledger.Entry{Label: "team", Bucket: ledger.Reserved, Chain: t.Ledger[0].Chain, ERC20: t.Ledger[0].ERC20,
		Holder: team.Hex()}
	changed := slices.DeleteFunc(slices.Clone(t.Ledger), func(e ledger.Entry) bool { return e.Label == entry.Label })
	if len(changed) == len(t.Ledger) {
		changed = append(changed, entry)
	}
	r.tokens = slices.Clone(r.tokens)
	r.tokens[token].Ledger = changed
	r.ledgers[r.tokens[token].LedgerHash()] = r.tokens[token]
	for i := range r.instances {
		r.reopen(ctx, i)
	}
}
