package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store/database"
)

var _ index.Store = (*Store)(nil)

// maxAside is where PetWork stops counting the pets that are set aside. These are wanted pets that
// could not be read and are tried again later.
const maxAside = 10_000

// PetWork returns the work for a realm's indexer, with at most limit wanted ids.
func (s *Store) PetWork(ctx context.Context, realm string, limit int) (w index.Work, err error) {
	defer wrap(&err, "reading the position of %s", realm)
	p, reindex := new(index.Position), 0
	switch err := s.db.QueryRowContext(ctx, `SELECT position, reindex FROM pet_realm WHERE realm = $1`,
		realm).Scan(asJSON{p}, &reindex); {
	case err == nil:
		w.Position, w.Reindex = p, reindex == 1
	case !errors.Is(err, sql.ErrNoRows):
		return w, err
	}
	w.Marks = func(ctx context.Context) (_ []index.BlockMark, err error) {
		defer wrap(&err, "reading the followed blocks of %s", realm)
		return list(ctx, s.db, scanMark,
			`SELECT number, block_time, hash, touched FROM pet_mark WHERE realm = $1 ORDER BY number`, realm)
	}
	now := time.Now().UnixMilli()
	err = s.db.QueryRowContext(ctx,
		fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT 1 FROM pet_wanted WHERE realm = $1 AND due > $2 LIMIT %d) AS aside`,
			maxAside), realm, now).Scan(&w.Aside)
	if err != nil {
		return w, err
	}
	w.Wanted, err = list(ctx, s.db, readColumn[uint64],
		fmt.Sprintf(`SELECT id FROM pet_wanted WHERE realm = $1 AND due <= $2 ORDER BY due, id LIMIT %d`, limit), realm, now)
	return w, err
}

// markedPets is the JSON form in which the pets of an index.BlockMark are stored.
type markedPets struct {
	IDs   []uint64   `json:"ids,omitempty"`
	Spans []pet.Span `json:"spans,omitempty"`
}

func scanMark(scan scanFunc, m *index.BlockMark) error {
	var hash string
	var marked markedPets
	err := scan(&m.Number, millis{&m.Time}, &hash, asJSON{&marked})
	m.Hash, m.IDs, m.Spans = common.HexToHash(hash), marked.IDs, marked.Spans
	return err
}

// PetIDs returns the ids of pets that the realm has or once had. It returns at most limit ids of
// the given span, in ascending order.
func (s *Store) PetIDs(ctx context.Context, realm string, in pet.Span, limit int) (_ []uint64, err error) {
	defer wrap(&err, "listing the ids of %s", realm)
	return list(ctx, s.db, readColumn[uint64],
		fmt.Sprintf(`SELECT id FROM pet WHERE realm = $1 AND id >= $2 AND id <= $3 ORDER BY id LIMIT %d`, limit),
		realm, int64(min(in.From, pet.MaxID)), int64(min(in.To, pet.MaxID)))
}

// PetsInCustody returns the ids of pets that any of the realms has in custody, in ascending order.
// It begins at the id in the parameter from, and returns at most limit ids.
func (s *Store) PetsInCustody(ctx context.Context, realms []string, from uint64, limit int) (ids []uint64, err error) {
	for _, realm := range realms {
		some, err := list(ctx, s.db.Leader, readColumn[uint64], fmt.Sprintf(`SELECT id FROM pet
			WHERE presence = %d AND realm = $1 AND id >= $2 ORDER BY id LIMIT %d`, pet.InCustody, limit),
			realm, int64(min(from, pet.MaxID+1)))
		if err != nil {
			return nil, fmt.Errorf("listing the pets in custody of %s: %w", realm, err)
		}
		ids = append(ids, some...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[:min(limit, len(ids))], nil
}

// WritePets writes a step of a realm's indexer in one transaction. Only the leader may call it.
func (s *Store) WritePets(ctx context.Context, b index.Batch) (out index.Written, err error) {
	defer wrap(&err, "writing %d pets of %s", len(b.Observations)+len(b.Swept), b.Realm.Key)
	err = s.fencedPets(ctx, func(tx *sql.Tx) (err error) {
		out, err = s.writeBatch(ctx, tx, b)
		return err
	})
	return out, err
}

func (s *Store) writeBatch(ctx context.Context, tx *sql.Tx, b index.Batch) (out index.Written, err error) {
	at := pet.ObservedAt{Realm: b.Realm, Block: b.At.Number, Time: b.At.Time, Afresh: b.Bootstrap, Undo: b.Undo,
		Quiet: b.Quiet, Next: b.Position.Natives}
	_, at.Counted = b.Kingdom.CountCall(b.Realm)
	ids := make([]uint64, 0, len(b.Observations)+len(b.Swept))
	for _, list := range [][]pet.Observation{b.Observations, b.Swept} {
		for i := range list {
			ids = append(ids, list[i].ID)
		}
	}
	t, err := s.newPetTx(ctx, tx, ids)
	if err != nil {
		return out, err
	}
	if err := t.checkVanished(b); err != nil {
		return out, err
	}
	if b.Kingdom.Untraited() {
		if err := t.addImported(ctx, b.Observations, b.Swept); err != nil {
			return out, err
		}
	}
	if at.Unread, err = t.unread(ctx, b.Kingdom.Realms, b.Realm.Key); err != nil {
		return out, err
	}
	settle := func(seen *pet.Observation) {
		at.Event = b.Touched[seen.ID]
		t.settle(seen.ID, func(old []pet.Place) ([]pet.Place, *pet.Change) {
			return b.Kingdom.Settle(old, *seen, at)
		})
	}
	for i := range b.Observations {
		seen := &b.Observations[i]
		settle(seen)
		if b.Bootstrap && b.Realm.Native(seen.ID) && pet.Published(t.places[seen.ID]) == nil {
			t.lost = append(t.lost, seen.ID) // burned in this realm, perhaps minted in another
		}
	}
	for i := range b.Swept {
		seen := &b.Swept[i]
		was := t.said(b.Realm.Key, seen.ID)
		if settle(seen); t.said(b.Realm.Key, seen.ID) != was {
			out.Drift++
		}
		if p := pet.Published(t.places[seen.ID]); p != nil && p.InTransit {
			t.lost = append(t.lost, seen.ID) // the pet may be in a realm that was configured after the pet left
		}
	}
	for _, c := range t.changes {
		out.Changed = append(out.Changed, c.ID)
	}
	if b.Announce {
		t.announce(b.Realm.Key, b.At.Number, b.At.Time)
	}
	if err := t.save(ctx); err != nil {
		return out, err
	}
	return out, t.saveProgress(ctx, b)
}

// said returns a pet's owner, name and traits in a realm.
func (t *petTx) said(realm string, id uint64) pet.Pet {
	for _, p := range t.places[id] {
		if p.Realm == realm {
			return pet.Pet{Owner: p.Owner, Name: p.Name, Value: p.Value}
		}
	}
	return pet.Pet{}
}

// unread reports whether any open realm, except the one with the key in ignored, has not been read
// completely yet. Only places in realms that are no longer configured depend on the answer. So
// unread returns false if the pets of the transaction have no such places.
func (t *petTx) unread(ctx context.Context, realms []pet.Realm, ignored string) (bool, error) {
	// waiting has every configured realm. The value is true for open realms, except the one to
	// ignore. The query below sets it to false for realms that were read completely.
	waiting := map[string]bool{}
	for _, r := range realms {
		waiting[r.Key] = !r.Closed && r.Key != ignored
	}
	forgotten := false
	for _, places := range t.places {
		forgotten = forgotten || slices.ContainsFunc(places, func(p pet.Place) bool {
			_, configured := waiting[p.Realm]
			return !configured
		})
	}
	if !forgotten {
		return false, nil
	}
	_, err := list(ctx, t, func(scan scanFunc, realm *string) error {
		var p index.Position
		if err := scan(realm, asJSON{&p}); err != nil {
			return err
		}
		waiting[*realm] = waiting[*realm] && !p.Following()
		return nil
	}, `SELECT realm, position FROM pet_realm`)
	return slices.Contains(slices.Collect(maps.Values(waiting)), true), err
}

// minVanished is how many pets must vanish without an event to make a contract suspicious.
const minVanished = 10

// checkVanished rejects a step in which at least minVanished pets vanish without an event, if they
// are at least half of the pets that were read without an event. Pets in Answered do not count. The
// contract is probably broken, as after a bad upgrade. checkVanished accepts every step of a reorg,
// or of a realm that is read from the start.
func (t *petTx) checkVanished(b index.Batch) error {
	if b.Bootstrap || b.Undo != nil {
		return nil
	}
	vanished, stayed := 0, 0
	for _, seen := range slices.Concat(b.Observations, b.Swept) {
		had := slices.ContainsFunc(t.places[seen.ID], func(p pet.Place) bool {
			return p.Realm == b.Realm.Key && p.Owner != common.Address{}
		})
		switch {
		case !had || b.Touched[seen.ID] || slices.Contains(b.Answered, seen.ID):
		case seen.Owner == common.Address{}:
			vanished++
		default:
			stayed++
		}
	}
	if vanished < minVanished || vanished < stayed {
		return nil
	}
	return fmt.Errorf("ownerOf() of %s fails for %d %s at block %d, but no event says that they are gone; "+
		"the contract may be broken; if it is not, run petsupply reindex to read %s from the start", b.Realm.Contract,
		vanished,
		b.Kingdom.Collection.Many, b.At.Number, b.Realm.Key)
}

// saveProgress removes the answered requests for pets, adds new requests, and saves the marks for
// reorgs and the indexer's position.
func (t *petTx) saveProgress(ctx context.Context, b index.Batch) error {
	realm := b.Realm.Key
	if err := t.store.db.ExecEach(ctx, t.Tx, `DELETE FROM pet_wanted`, realm, b.Answered); err != nil {
		return err
	}
	if err := t.want(ctx, realm, slices.Collect(maps.Keys(b.Want)),
		func(id uint64) time.Time { return b.Want[id] }); err != nil {
		return err
	}
	if err := t.wantLost(ctx, b.Kingdom.Realms, realm); err != nil {
		return err
	}
	if b.Begin {
		if _, err := t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1`, realm); err != nil {
			return err
		}
	}
	if b.Undo != nil && !b.UndoMore {
		if _, err := t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number > $2`, realm,
			int64(b.Undo.Number)); err != nil {
			return err
		}
	}
	err := database.InsertRows(ctx, t.store.db, t.Tx, "pet_mark",
		[]string{"realm", "number", "block_time", "hash", "touched"},
		`ON CONFLICT (realm, number) DO UPDATE
			SET block_time = excluded.block_time, hash = excluded.hash, touched = excluded.touched`, b.Marks,
		func(args []any, m *index.BlockMark) []any {
			return append(args, realm, int64(m.Number), toMillis(m.Time), m.Hash.Hex(), asJSON{markedPets{m.IDs, m.Spans}})
		})
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number < $2`, realm,
		int64(b.Keep)); err != nil {
		return err
	}
	set := "position = excluded.position"
	if b.Reindexed {
		set += ", reindex = 0"
	}
	_, err = t.ExecContext(ctx, `INSERT INTO pet_realm (realm, position, reindex) VALUES ($1, $2, 0)
		ON CONFLICT (realm) DO UPDATE SET `+set, realm, asJSON{b.Position})
	return err
}
