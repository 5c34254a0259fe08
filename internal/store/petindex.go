package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store/database"
)

var _ index.Store = (*Store)(nil)

// PetWork returns the work for a realm's indexer, with at most limit wanted ids.
func (s *Store) PetWork(ctx context.Context, realm string, limit int) (w index.Work, err error) {
	defer wrap(&err, "reading the position of %s", realm)
	p := new(index.Position)
	reindex := 0
	compared := int64(0)
	err = s.db.QueryRowContext(ctx,
		`SELECT position, reindex, `+s.clock()+` - compared FROM pet_realm WHERE realm = $1`,
		realm).Scan(asJSON{p}, &reindex, &compared)
	switch {
	case err == nil:
		w.Position = p
		w.Reindex = reindex == 1
		w.Compared = time.Duration(compared) * time.Millisecond
	case !errors.Is(err, sql.ErrNoRows):
		return w, err
	}
	w.Marks = func(ctx context.Context) (_ []index.BlockMark, err error) {
		defer wrap(&err, "reading the followed blocks of %s", realm)
		return list(ctx, s.db, scanMark,
			`SELECT number, block_time, hash, touched FROM pet_mark WHERE realm = $1 ORDER BY number`, realm)
	}
	w.Wanted, w.Span, w.Aside, err = s.queue(ctx, realm, limit)
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
	m.Hash = common.HexToHash(hash)
	m.IDs = marked.IDs
	m.Spans = marked.Spans
	return err
}

// PetIDs returns the ids of pets that the realm has or once had. It returns at most limit ids of
// the given span, in ascending order.
func (s *Store) PetIDs(ctx context.Context, realm string, in pet.Span, limit int) (_ []uint64, err error) {
	defer wrap(&err, "listing the ids of %s", realm)
	return list(ctx, s.db, readColumn[uint64],
		fmt.Sprintf(`SELECT id FROM pet WHERE realm = $1 AND id >= $2 AND id <= $3 ORDER BY id LIMIT %d`, limit),
		realm, int64(min(in.From, pet.MaxID+1)), int64(min(in.To, pet.MaxID)))
}

// PetsToCheck returns the ids of pets that a bridge owns in any realm, and those of PetIDs. It
// returns at most limit ids of the given span, in ascending order.
func (s *Store) PetsToCheck(ctx context.Context, realm string, in pet.Span, limit int) (_ []uint64, err error) {
	defer wrap(&err, "listing the ids to check in %s", realm)
	return list(ctx, s.db, readColumn[uint64], fmt.Sprintf(`
		SELECT id FROM (SELECT id FROM pet WHERE realm = $1 AND id >= $2 AND id <= $3
			ORDER BY id LIMIT %[1]d) AS stored
		UNION
		SELECT id FROM (SELECT id FROM pet WHERE presence = %[2]d AND id >= $2 AND id <= $3
			ORDER BY id LIMIT %[1]d) AS held
		ORDER BY id LIMIT %[1]d`, limit, pet.InCustody),
		realm, int64(min(in.From, pet.MaxID+1)), int64(min(in.To, pet.MaxID)))
}

// WritePets writes a step of a realm's indexer in one transaction. Only the leader may call it.
func (s *Store) WritePets(ctx context.Context, b index.Batch) (out index.Written, err error) {
	err = s.fenced(ctx, func(tx *sql.Tx) (err error) {
		switch b := b.(type) {
		case *index.Reading:
			out, err = s.writeReading(ctx, tx, b)
		case *index.Following:
			out, err = s.writeFollowing(ctx, tx, b)
		case *index.Rereading:
			out, err = s.writeRereading(ctx, tx, b)
		case *index.Undoing:
			out, err = s.writeUndoing(ctx, tx, b)
		}
		return err
	})
	if err != nil {
		return out, fmt.Errorf("writing a step of an indexer: %w", err)
	}
	return out, nil
}

func (s *Store) writeReading(ctx context.Context, tx *sql.Tx, b *index.Reading) (out index.Written, err error) {
	t, err := s.observed(ctx, tx, &b.Step)
	if err != nil {
		return out, err
	}
	t.applyAll(&b.Step, true, nil)
	for i := range b.Pets {
		id := b.Pets[i].ID
		if b.Realm.Native(id) && pet.Published(t.places[id]) == nil {
			t.lost = append(t.lost, id) // burned in this realm, perhaps minted in another
		}
	}
	if b.Position.Following() {
		t.announce(b.Realm.Key, b.At.Number, b.At.Time)
	}
	if b.Begin {
		if _, err := t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1`, b.Realm.Key); err != nil {
			return out, err
		}
		if _, err := t.ExecContext(ctx, `UPDATE pet_realm SET reindex = 0 WHERE realm = $1`, b.Realm.Key); err != nil {
			return out, err
		}
		if err := t.compared(ctx, b.Realm.Key, "0"); err != nil {
			return out, err
		}
	}
	return t.finish(ctx, &b.Step, b.Marks)
}

func (s *Store) writeFollowing(ctx context.Context, tx *sql.Tx, b *index.Following) (out index.Written, err error) {
	t, err := s.observed(ctx, tx, &b.Step)
	if err != nil {
		return out, err
	}
	t.applyAll(&b.Step, false, b.Touched)
	err = s.db.ExecEach(ctx, tx, `DELETE FROM pet_wanted WHERE first_id = last_id AND first_id`, b.Realm.Key, b.Done)
	if err != nil {
		return out, err
	}
	out, err = t.finish(ctx, &b.Step, b.Marks)
	if err == nil && !b.Compared.IsZero() {
		err = t.compared(ctx, b.Realm.Key, fmt.Sprintf("%s - %d", s.clock(), time.Since(b.Compared).Milliseconds()))
	}
	return out, err
}

func (s *Store) writeRereading(ctx context.Context, tx *sql.Tx, b *index.Rereading) (out index.Written, err error) {
	t, err := s.observed(ctx, tx, &b.Step)
	if err != nil {
		return out, err
	}
	if err := t.checkVanished(b); err != nil {
		return out, err
	}
	t.silent = b.Position.RereadAll
	t.applyAll(&b.Step, false, nil)
	drift := 0
	for i := range b.Pets {
		id := b.Pets[i].ID
		was := stateIn(t.stored[id], b.Realm.Key)
		if was != stateIn(t.places[id], b.Realm.Key) {
			drift++
		}
		if p := pet.Published(t.places[id]); p != nil && p.InTransit {
			t.lost = append(t.lost, id) // the pet may be in a realm that was configured after the pet left
		}
	}
	empty, err := t.readSpan(ctx, b.Realm.Key, b.Done)
	if err != nil {
		return out, err
	}
	if b.Position.RereadAll && empty {
		b.Position.RereadAll = false
		t.announce(b.Realm.Key, b.At.Number, b.At.Time)
	}
	out, err = t.finish(ctx, &b.Step, nil)
	out.Drift = drift
	return out, err
}

func (s *Store) writeUndoing(ctx context.Context, tx *sql.Tx, b *index.Undoing) (out index.Written, err error) {
	var ids []uint64
	for id := range b.Later {
		ids = append(ids, id)
	}
	t, err := s.newPetTx(ctx, tx, ids)
	if err != nil {
		return out, err
	}
	for _, id := range t.ids {
		t.update(id, func(old []pet.Place) ([]pet.Place, *pet.Change) { return b.Registry.Undo(old, b.Realm, b.At) })
	}
	_, err = t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number > $2`, b.Realm.Key,
		int64(b.At.Number))
	if err != nil {
		return out, err
	}
	if err := t.compared(ctx, b.Realm.Key, "0"); err != nil {
		return out, err
	}
	return t.finish(ctx, &b.Step, nil)
}

// compared sets when a realm was last compared with its chain. The time is an SQL expression.
func (t *petTx) compared(ctx context.Context, realm, at string) error {
	_, err := t.ExecContext(ctx, `UPDATE pet_realm SET compared = `+at+` WHERE realm = $1`, realm)
	return err
}

// observed begins the transaction of a step that has read pets.
func (s *Store) observed(ctx context.Context, tx *sql.Tx, b *index.Step) (*petTx, error) {
	ids := make([]uint64, len(b.Pets))
	for i := range b.Pets {
		ids[i] = b.Pets[i].ID
	}
	t, err := s.newPetTx(ctx, tx, ids)
	if err == nil && b.Registry.Untraited() {
		err = t.addImported(ctx, b.Pets)
	}
	return t, err
}

// applyAll applies the observations of a step.
func (t *petTx) applyAll(b *index.Step, first bool, touched map[uint64]bool) {
	in := pet.ObservedAt{Realm: b.Realm, Block: b.At.Number, Time: b.At.Time, First: first, Next: b.Position.Natives}
	for i := range b.Pets {
		seen := &b.Pets[i]
		in.Event = touched[seen.ID]
		t.update(seen.ID, func(old []pet.Place) ([]pet.Place, *pet.Change) { return b.Registry.Apply(old, *seen, in) })
	}
}

// stateIn returns the state of a pet in one realm: its owner, name and traits.
func stateIn(places []pet.Place, realm string) (out pet.Pet) {
	for _, p := range places {
		if p.Realm == realm {
			out = pet.Pet{Owner: p.Owner, Name: p.Name, Value: p.Value}
		}
	}
	return out
}

// minVanished is how many pets must vanish without an event to make a contract suspicious.
const minVanished = 10

// checkVanished rejects a step in which at least minVanished pets vanish without an event, if they
// are at least half of the pets. The contract is probably broken, as after a bad upgrade.
func (t *petTx) checkVanished(b *index.Rereading) error {
	vanished := 0
	stayed := 0
	for i := range b.Pets {
		nobody := common.Address{}
		switch {
		case stateIn(t.stored[b.Pets[i].ID], b.Realm.Key).Owner == nobody:
		case b.Pets[i].Owner == nobody:
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
		vanished, b.Registry.Collection.Many, b.At.Number, b.Realm.Key)
}

// finish writes the pets of a step, what is to be read later, the marks for reorgs, and the
// position.
func (t *petTx) finish(ctx context.Context, b *index.Step, marks []index.BlockMark) (out index.Written, err error) {
	out.Changed = len(t.changes)
	realm := b.Realm.Key
	if err := t.save(ctx); err != nil {
		return out, err
	}
	if err := t.want(ctx, realm, b.Later); err != nil {
		return out, err
	}
	if err := t.wantSpans(ctx, realm, b.Spans); err != nil {
		return out, err
	}
	if err := t.wantLost(ctx, b.Registry.Realms, realm); err != nil {
		return out, err
	}
	err = database.InsertRows(ctx, t.store.db, t.Tx, "pet_mark",
		[]string{"realm", "number", "block_time", "hash", "touched"},
		`ON CONFLICT (realm, number) DO UPDATE
			SET block_time = excluded.block_time, hash = excluded.hash, touched = excluded.touched`, marks,
		func(args []any, m *index.BlockMark) []any {
			return append(args, realm, int64(m.Number), toMillis(m.Time), m.Hash.Hex(),
				asJSON{markedPets{m.IDs, m.Spans}})
		})
	if err != nil {
		return out, err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM pet_mark WHERE realm = $1 AND number < $2`, realm,
		int64(b.Position.OldestMark())); err != nil {
		return out, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO pet_realm (realm, position, natives, compared, reindex)
		VALUES ($1, $2, $3, 0, 0) ON CONFLICT (realm) DO UPDATE
		SET position = excluded.position, natives = excluded.natives`, realm,
		asJSON{b.Position}, int64(b.Position.Natives))
	return out, err
}
