package simulate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"modernc.org/sqlite"

	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/webhook"
)

// file returns the store's file.
func (r *run) file() string { return filepath.Join(r.dir, "store.db") }

// reopen restarts an instance.
func (r *run) reopen(ctx context.Context, number int) {
	r.instances[number].close()
	r.instances[number] = r.open(ctx, number)
}

// A faultyStore is a store whose writes fail before or after their commit, according to the faults.
type faultyStore struct {
	*store.Store
	run      *run
	instance *instance
}

var errStore = errors.New("the store does not answer")

// write writes to the store, with the current faults.
func (s *faultyStore) write(ctx context.Context, write func() error) error {
	r := s.run
	if err := ctx.Err(); err != nil {
		return err
	}
	fails := func(kind string) bool {
		return slices.ContainsFunc(r.Faults, func(f Fault) bool {
			return f.Kind == kind && f.Instance == s.instance.number && f.at(r.since())
		})
	}
	if s.instance.killed || fails("before") {
		return errStore
	}
	if f := r.killNow(s.instance); f != nil {
		if f.Amount > 0 {
			_ = write()
		}
		s.instance.killed = true
		return errStore
	}
	err := write()
	if fails("after") {
		return errStore
	}
	return err
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

// Save saves the changes, unless a current fault prevents it. It can also save them and still fail.
func (s *faultyStore) Save(ctx context.Context, changes []supply.Change) (seq int64, err error) {
	err = s.write(ctx, func() (err error) {
		seq, err = s.Store.Save(ctx, changes)
		return err
	})
	return seq, err
}

// PetWork fails while the instance is killed.
func (s *faultyStore) PetWork(ctx context.Context, realm string, limit int) (index.Work, error) {
	if s.instance.killed {
		return index.Work{}, errStore
	}
	return s.Store.PetWork(ctx, realm, limit)
}

// WritePets fails according to the current faults.
func (s *faultyStore) WritePets(ctx context.Context, b index.Batch) (out index.Written, err error) {
	err = s.write(ctx, func() (err error) {
		out, err = s.Store.WritePets(ctx, b)
		return err
	})
	s.run.petView.written = true
	// Every change of these worlds has an event, but a pet that could not be read is read later.
	garbled := s.run.faulty(0, s.run.since(), func(f Fault) bool { return f.Kind == "garble" })
	if r, ok := b.(*index.Rereading); ok && out.Drift > 0 && !r.Position.RereadAll && !garbled {
		s.run.fail("drift", "rows", "%d rows of %s differed from the chain", out.Drift, r.Realm.Key)
	}
	return out, err
}

// EnsureWebhookCursor tells the receiver where its events begin.
func (s *faultyStore) EnsureWebhookCursor(ctx context.Context, hook, feed string) (webhook.Cursor, error) {
	c, err := s.Store.EnsureWebhookCursor(ctx, hook, feed)
	if err == nil {
		s.run.receiver.begin(c.Seq)
	}
	return c, err
}

// SaveWebhookCursor fails according to the current faults.
func (s *faultyStore) SaveWebhookCursor(ctx context.Context, hook, feed string, c webhook.Cursor) error {
	return s.write(ctx, func() error { return s.Store.SaveWebhookCursor(ctx, hook, feed, c) })
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
		r.published = b.published
		r.corrected = b.corrected
		r.petView = b.pets
		clear(r.failing)
		clear(r.cause)
		clear(r.undone)
		return true
	})
}

// replace puts a backup in the place of the store, while instances have it open. Nobody leads then,
// as in a new store.
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
	err = conn.Raw(func(driver any) error {
		restore, err := driver.(interface {
			NewRestore(string) (*sqlite.Backup, error)
		}).NewRestore(file)
		if err != nil {
			return err
		}
		if _, err := restore.Step(-1); err != nil {
			return err
		}
		return restore.Finish()
	})
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "UPDATE lease SET holder = '', epoch = 0, expires = 0")
	return err
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
