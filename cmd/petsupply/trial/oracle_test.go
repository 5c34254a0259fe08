package trial

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/check"
	"petsupply/testkit/contracts"
	"petsupply/testkit/kingdom"
)

// An oracle knows the truth. It reads the nodes themselves, at the blocks that an answer names.
type oracle struct {
	*kingdom.Kingdom
	books map[string]kingdom.Book
}

// book returns the truth about a token at the blocks.
func (o *oracle) book(ctx context.Context, token string, blocks map[string]uint64) (kingdom.Book, error) {
	key := fmt.Sprint(token, blocks)
	if b, ok := o.books[key]; ok {
		return b, nil
	}
	at := map[string]kingdom.Moment{}
	for chain, number := range blocks {
		at[chain] = kingdom.Moment{Block: rpc.BlockNumberOrHashWithNumber(rpc.BlockNumber(number))}
	}
	b, err := o.BookAt(ctx, token, at)
	if err == nil {
		o.books[key] = b
	}
	return b, err
}

// units reads a figure in units of 18 decimals.
func units(t testing.TB, figure string) *big.Int {
	t.Helper()
	whole, part, _ := strings.Cut(figure, ".")
	n, ok := new(big.Int).SetString(whole+part+strings.Repeat("0", max(0, 18-len(part))), 10)
	if !ok || len(part) > 18 {
		t.Fatalf("%q is no figure", figure)
	}
	return n
}

// figures compares total, circulating, burned, locked and reserved with the truth.
func (o *oracle) figures(t testing.TB, what, token string, blocks map[string]uint64, said [5]string) {
	t.Helper()
	b, err := o.book(t.Context(), token, blocks)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []*big.Int{b.Total, b.Circulating, b.Burned, b.Locked, b.Reserved} {
		if got := units(t, said[i]); got.Cmp(want) != 0 {
			t.Errorf("%s: %s at %v: figure %d is %s, in truth %s", what, token, blocks, i, got, want)
		}
	}
}

// judge compares all answers that the watcher got with the truth.
func (o *oracle) judge(t testing.TB, w *watcher) (figures, pets int) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.docs {
		blocks := map[string]uint64{}
		for _, b := range d.Blocks {
			blocks[b.Chain] = b.Number
			o.isBlock(t, b.Chain, b.Number, b.Hash)
		}
		o.figures(t, "an answer", strings.ToLower(d.Symbol), blocks, d.figures())
	}
	for _, d := range w.petDocs {
		o.comparePet(t, d)
	}
	return len(w.docs), len(w.petDocs)
}

// isBlock checks that a chain has this block.
func (o *oracle) isBlock(t testing.TB, chain string, number uint64, hash string) {
	t.Helper()
	for _, c := range o.Chains {
		if c.Name != chain {
			continue
		}
		b, err := c.Block(t.Context(), rpc.BlockNumber(number))
		if err != nil || b.Hash.Hex() != hash {
			t.Errorf("block %d of %s is %s, not %s (%v)", number, chain, b.Hash, hash, err)
		}
		return
	}
	t.Errorf("there is no chain %s", chain)
}

// memory is the largest number of blocks that a stopped service may have missed.
const memory = 200

// comparePet compares a pet's document with its realm at that block.
func (o *oracle) comparePet(t testing.TB, d petDoc) {
	t.Helper()
	var raw struct {
		ID                                   uint64
		Name                                 string
		Appearance                           uint16
		Rarity, Background, Shiny            uint8
		HungryAt, EquippableAt, EquippedTo   string
		FedBy                                *string
		Season, EggType, Element, BonusCount uint8
	}
	if err := json.Unmarshal(d.RawData, &raw); err != nil {
		t.Fatal(err)
	}
	for _, r := range o.Realms {
		if r.Name != d.Data.Realm {
			continue
		}
		fed := (common.Address{}).Hex() // for the first struct, which does not have this field
		if raw.FedBy != nil {
			fed = *raw.FedBy
		}
		said := fmt.Sprintln(raw.ID, raw.Appearance, raw.Rarity, raw.Background, raw.Shiny, raw.HungryAt,
			raw.EquippableAt, raw.EquippedTo, raw.Season, raw.EggType, raw.Element, raw.BonusCount, fed, raw.Name)
		truth := func(block uint64) (owner, state string, err error) {
			a, p, err := o.petAt(t.Context(), r, raw.ID, block)
			return a.Hex(), fmt.Sprintln(p.Id, p.Appearance, p.Rarity, p.Background, p.Shiny, p.HungryAt,
				p.EquippableAt, p.EquippedTo, p.Season, p.EggType, p.Element, p.BonusCount, p.FedBy.Hex(), p.Name), err
		}
		owner, want, err := truth(d.Data.Block)
		switch gone := (common.Address{}).Hex(); {
		case err != nil && d.Data.InTransit && d.Data.Owner == gone:
			// The pet has left, perhaps while the service was down. Its last known state must have
			// been true at some earlier block.
			least := max(d.Data.Block, memory) - memory
			for block := d.Data.Block - 1; said != want && block > least; block-- {
				_, want, _ = truth(block)
			}
		case err != nil:
			t.Errorf("pet %d: %v", raw.ID, err)
			return
		case d.Data.Owner != owner:
			t.Errorf("pet %d in %s at block %d is said to be owned by %s, in truth by %s", raw.ID, r.Name, d.Data.Block,
				d.Data.Owner, owner)
		}
		if said != want {
			t.Errorf("pet %d in %s at block %d:\nsaid     %sin truth %s", raw.ID, r.Name, d.Data.Block, said, want)
		}
		return
	}
	t.Errorf("pet %d is said to be in %q", raw.ID, d.Data.Realm)
}

// petAt reads a pet from its realm at a block.
func (o *oracle) petAt(ctx context.Context, r *kingdom.Realm, id, block uint64) (common.Address, contracts.Pet, error) {
	method := "getPetV2"
	if r.Struct == 1 {
		method = "getPet"
	}
	at := rpc.BlockNumberOrHashWithNumber(rpc.BlockNumber(block))
	number := new(big.Int).SetUint64(id)
	owner, err := r.Chain.CallAt(ctx, at, r.Contract, "ownerOf", number)
	if err != nil {
		return common.Address{}, contracts.Pet{}, fmt.Errorf("asking %s at block %d: %w", r.Name, block, err)
	}
	out, err := r.Chain.CallAt(ctx, at, r.Contract, method, number)
	if err != nil {
		return common.Address{}, contracts.Pet{}, fmt.Errorf("asking %s at block %d: %w", r.Name, block, err)
	}
	return owner[0].(common.Address), contracts.PetOf(out[0]), nil
}

// A rowKey names a row of history.
type rowKey struct {
	token  string
	number int64
}

// A pastRow is a row of history.
type pastRow struct {
	figures          [5]string // total, circulating, burned, locked, reserved
	snapshot, blocks string
	taken            int64
}

// pastRows remembers the rows of history, and checks that none is lost, changed or duplicated.
type pastRows struct{ rows map[rowKey]pastRow }

// look reads history and compares it with the rows that it knows. Each row differs from the
// previous one, or comes half of stale_after later.
func (p *pastRows) look(t testing.TB, db *sql.DB) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `
		SELECT token, number, total, circulating, burned, locked, reserved, snapshot, blocks, taken, measured
		FROM reading ORDER BY token, number`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	now := map[rowKey]pastRow{}
	var token string // of the row before
	var before pastRow
	var last int64 // when the row before was measured
	for rows.Next() {
		var key rowKey
		var row pastRow
		var measured int64
		f := &row.figures
		if err := rows.Scan(&key.token, &key.number, &f[0], &f[1], &f[2], &f[3], &f[4], &row.snapshot, &row.blocks,
			&row.taken, &measured); err != nil {
			t.Fatal(err)
		}
		if key.token == token {
			gap := measured - last // below 0 if a clock went back
			if row.figures == before.figures && gap >= 0 && gap < 2000 {
				t.Errorf("history of %s has the same figures twice in a row: %s", token, row.figures)
			}
			if row.taken < before.taken {
				t.Errorf("history of %s goes back from %d to %d", token, before.taken, row.taken)
			}
		}
		token = key.token
		before = row
		last = measured
		now[key] = row
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for key, row := range p.rows {
		if now[key] != row {
			t.Errorf("a row of history was lost or changed: %v", key)
		}
	}
	p.rows = now
}

// judge compares every row with the truth.
func (p *pastRows) judge(t testing.TB, o *oracle) {
	t.Helper()
	for key, row := range p.rows {
		var named []struct {
			Chain  string
			Number uint64
		}
		check.Must(t, json.Unmarshal([]byte(row.blocks), &named))
		blocks := map[string]uint64{}
		for _, b := range named {
			blocks[b.Chain] = b.Number
		}
		o.figures(t, "history", key.token, blocks, row.figures)
	}
}

// served checks that every answered figure is in history.
func (p *pastRows) served(t testing.TB, w *watcher) {
	t.Helper()
	type published struct {
		token   string
		figures [5]string
	}
	stored := map[published]bool{}
	for key, row := range p.rows {
		stored[published{key.token, row.figures}] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, d := range w.docs {
		if !stored[published{strings.ToLower(d.Symbol), d.figures()}] {
			t.Errorf("a figure of %s was answered and is not in history: total %s of %v", d.Symbol, *d.Total, d.AsOf)
		}
	}
}

// comparePets compares the pets of the store with those of the kingdom: each is in one place, and none
// is missing or surplus.
func (o *oracle) comparePets(t testing.TB, db *sql.DB) int {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), `SELECT id, realm, in_transit FROM pet WHERE here = 1`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	places := o.Places()
	seen := map[uint64]bool{}
	for rows.Next() {
		var id uint64
		var realm string
		var transit int
		if err := rows.Scan(&id, &realm, &transit); err != nil {
			t.Fatal(err)
		}
		p, ok := places[id]
		if !ok || seen[id] {
			t.Errorf("pet %d is in the store twice, or nowhere else", id)
			continue
		}
		seen[id] = true
		// Only instances that saw a pet leave know its last realm while it travels.
		if p.Transit != (transit == 1) || !p.Transit && p.Realm.Key != realm {
			t.Errorf("pet %d is in %s (in transit: %v), in the store in %s (%v)", id, p.Realm.Key, p.Transit, realm,
				transit == 1)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for id, p := range places {
		if !seen[id] {
			t.Errorf("pet %d of %s (in transit: %v) is not in the store: %s",
				id, p.Realm.Key, p.Transit, rowsOf(t, db, id))
		}
	}
	var count, last int
	if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*), COALESCE(MAX(seq), 0) FROM pet_change`).Scan(&count,
		&last); err != nil || count != last {
		t.Errorf("%d changes of pets, the last is number %d (%v)", count, last, err)
	}
	return len(seen)
}

// rowsOf returns the store's rows of a pet.
func rowsOf(t testing.TB, db *sql.DB, id uint64) (out string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(),
		`SELECT realm, here, in_transit, block, since_block, arrived_at, changed_at, presence
		FROM pet WHERE id = $1`, id)
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	for rows.Next() {
		var realm string
		var here, transit, block, since, arrived, changed, hold int64
		if err := rows.Scan(&realm, &here, &transit, &block, &since, &arrived, &changed, &hold); err != nil {
			return err.Error()
		}
		out += fmt.Sprintf("%s here %d transit %d hold %d block %d since %d arrived %d change %d; ",
			realm, here, transit, hold, block, since, arrived, changed)
	}
	return out
}
