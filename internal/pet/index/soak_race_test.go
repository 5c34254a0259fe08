//go:build race || soak

package index_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/anvil"
	"petsupply/testkit/check"
	"petsupply/testkit/contracts"
	"petsupply/testkit/postgres"
)

// TestSoak plays a random game in four realms, with bridges and reorgs, while an indexing process
// is killed again and again. Now and then, and at the end, every pet must match the contracts.
func TestSoak(t *testing.T) {
	actions, kills := 160, 3
	if check.Soak {
		actions, kills = 10_000, 50
	}
	t.Run("sqlite", func(t *testing.T) {
		play(t, "sqlite://"+filepath.Join(t.TempDir(), "pets.db"), actions, kills)
	})
	t.Run("postgres", func(t *testing.T) { play(t, postgres.Start(t), actions*3/8, kills) })
}

func play(t *testing.T, url string, actions, kills int) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	g := &game{T: t, kingdom: four(t, "latest"), dice: rand.New(rand.NewPCG(seed, 0)), at: map[uint64]int{},
		sent: map[uint64]bool{}}
	for i, l := range g.lands {
		if l.realm.Offset != nil {
			g.hatch(i, 25)
		}
		must(t, l.Mine(t.Context(), 25)) // enough blocks for reorgs
	}
	file := g.charge(url)
	indexer := g.spawn(file)
	due := make([]int, kills)
	for i := range due {
		due[i] = g.dice.IntN(actions)
	}
	slices.Sort(due)
	checks := 0
	for g.played < actions && !t.Failed() {
		g.round()
		if g.dice.IntN(4) == 0 {
			g.reorg()
		}
		for len(due) > 0 && g.played >= due[0] {
			due = due[1:]
			<-time.After(time.Duration(g.dice.IntN(60)) * time.Millisecond)
			indexer.kill()
			if len(due)%max(1, kills/4) == 0 {
				g.inspect(url)
				checks++
			}
			indexer = g.spawn(file)
		}
	}
	indexer.kill()
	pets := g.inspect(url)
	t.Logf("%d actions in %d blocks, %d reorgs, %d kills, %d checks: %d pets, all as their contracts say", g.played,
		g.blocks, g.reorgs, kills, checks+1, pets)
}

// inspect catches up in this process and compares everything.
func (g *game) inspect(url string) int {
	g.Helper()
	a := g.indexAt(g, url)
	a.catchUp(g)
	n := a.check(g)
	if err := a.Resign(g.Context()); err != nil {
		g.Fatal(err)
	}
	return n
}

// A game makes moves with pets. It knows just enough about them to make most moves valid. The
// contracts revert the others.
type game struct {
	*testing.T
	*kingdom
	dice                   *rand.Rand
	at                     map[uint64]int // land by id
	sent                   map[uint64]bool
	played, blocks, reorgs int
}

func (g *game) hatch(land, count int) {
	g.lands[land].do(g, "hatch", alice, num(uint64(count)), num(g.dice.Uint64()))
	g.look(land)
}

// round makes a few moves in one block of one land.
func (g *game) round() {
	land := g.dice.IntN(len(g.lands))
	l := g.lands[land]
	var txs []anvil.Tx
	for range 1 + g.dice.IntN(7) {
		if tx, ok := g.move(land, l); ok {
			txs = append(txs, tx)
		}
	}
	if len(txs) == 0 {
		return
	}
	_, err := l.Do(g.Context(), txs...)
	if err != nil && !errors.Is(err, anvil.ErrReverted) {
		g.Fatal(err)
	}
	g.played += len(txs)
	g.blocks++
	if err != nil || g.dice.IntN(20) == 0 {
		g.look(land)
	}
}

// move chooses a move for a pet of the land, or for a pet in transit.
func (g *game) move(land int, l *land) (anvil.Tx, bool) {
	var here, away []uint64
	for id, at := range g.at {
		if at == land {
			here = append(here, id)
		}
	}
	for id := range g.sent {
		away = append(away, id)
	}
	slices.Sort(here) // maps have no order, but a seed must be reproducible
	slices.Sort(away)
	kind := g.dice.IntN(100)
	switch {
	case kind < 8 && l.realm.Offset != nil:
		return l.tx("hatch", alice, num(uint64(1+g.dice.IntN(3))), num(g.dice.Uint64())), true
	case kind < 30 && len(away) > 0:
		id := away[g.dice.IntN(len(away))]
		delete(g.sent, id)
		g.at[id] = land
		return l.tx("arrive", g.someone(), g.body(id)), true
	case len(here) == 0:
		return anvil.Tx{}, false
	}
	id := here[g.dice.IntN(len(here))]
	switch {
	case kind < 45:
		delete(g.at, id)
		g.sent[id] = true
		return l.tx("send", num(id), num(1)), true
	case kind < 55:
		return l.tx("rename", num(id), []string{"", "Bo", "Łódź \u202eдом", "<script>", "🐾\x00\x1b"}[g.dice.IntN(5)]), true
	case kind < 65:
		return l.tx("feed", num(id), uint8(g.dice.IntN(256))), true
	case kind < 70:
		return l.tx("feedMany", num(id), num(id+uint64(g.dice.IntN(400))), uint8(g.dice.IntN(256))), true
	case kind < 78:
		return l.tx("equip", num(id), new(big.Int).Lsh(num(g.dice.Uint64()), uint(g.dice.IntN(192)))), true
	case kind < 84:
		return l.tx("reroll", num(id)), true
	case kind < 92:
		return l.tx("update", num(id), g.body(id)), true
	}
	owner := g.ownersOf(l, []uint64{id})[id]
	return l.tx("transferFrom", owner, g.someone(), num(id)), true
}

func (g *game) someone() common.Address { return []common.Address{alice, bob}[g.dice.IntN(2)] }

// body returns random traits.
func (g *game) body(id uint64) contracts.Pet {
	n := func() uint8 { return uint8(g.dice.Uint32()) }
	return contracts.Pet{
		Id: num(id), OriginId: n(), Name: "drawn", Season: n(), EggType: n(), Rarity: n(), Element: n(),
		BonusCount: n(), ProfBonus: n(), ProfBonusScalar: n(), CraftBonus: n(), CraftBonusScalar: n(),
		CombatBonus: n(), CombatBonusScalar: n(),
		Appearance: uint16(g.dice.Uint32()), Background: n(), Shiny: n(), HungryAt: g.dice.Uint64(),
		EquippableAt: g.dice.Uint64(),
		EquippedTo:   new(big.Int).Lsh(num(g.dice.Uint64()), uint(g.dice.IntN(192))), FedBy: g.someone(), FoodType: n(),
	}
}

// reorg replaces the last 1 to 20 blocks of a land, more often few than many.
func (g *game) reorg() {
	land := g.dice.IntN(len(g.lands))
	l := g.lands[land]
	height, err := l.Height(g.Context())
	if err != nil {
		g.Fatal(err)
	}
	depth := 1 + g.dice.IntN(1+g.dice.IntN(20))
	if uint64(depth)+6 > height {
		g.Fatalf("a reorg of %d blocks would undo the contract itself", depth)
	}
	var txs []anvil.Tx
	if tx, ok := g.move(land, l); ok && g.dice.IntN(2) == 0 {
		txs = append(txs, tx)
	}
	if err := l.Reorg(g.Context(), depth, txs...); err != nil {
		g.Fatal(err)
	}
	g.reorgs++
	g.look(land)
}

// look updates the game's knowledge from a land.
func (g *game) look(land int) {
	l := g.lands[land]
	ids := g.everyID(g)
	owners := g.ownersOf(l, ids)
	for _, id := range ids {
		owner, there := owners[id]
		native := l.realm.Native(id)
		at, known := g.at[id]
		switch {
		case there && owner != custody && !known:
			g.at[id] = land
			delete(g.sent, id)
		case known && at == land && (!there || owner == custody):
			delete(g.at, id)
			g.sent[id] = true
		}
		if native && !there { // the pet never hatched
			delete(g.at, id)
			delete(g.sent, id)
		}
	}
}

func (g *game) ownersOf(l *land, ids []uint64) map[uint64]common.Address {
	var calls []rpc.BatchElem
	for _, id := range ids {
		data, err := g.abi.Pack("ownerOf", num(id))
		if err != nil {
			g.Fatal(err)
		}
		tx := map[string]any{"to": l.realm.Contract, "data": hexutil.Bytes(data)}
		calls = append(calls, rpc.BatchElem{Method: "eth_call", Args: []any{tx, "latest"}, Result: new(hexutil.Bytes)})
	}
	for part := range slices.Chunk(calls, 500) {
		if err := l.RPC.BatchCallContext(g.Context(), part); err != nil {
			g.Fatal(err)
		}
	}
	owners := make(map[uint64]common.Address)
	for i, c := range calls {
		if c.Error == nil {
			owners[ids[i]] = common.BytesToAddress(*c.Result.(*hexutil.Bytes))
		}
	}
	return owners
}

// charge describes the kingdom for an indexing process.
func (g *game) charge(url string) string {
	c := charge{Store: url, Realms: g.realms}
	for _, l := range g.lands {
		c.URLs, c.IDs = append(c.URLs, l.URL), append(c.IDs, l.evm.ID)
	}
	text, err := json.Marshal(c)
	if err != nil {
		g.Fatal(err)
	}
	file := filepath.Join(g.TempDir(), "charge.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		g.Fatal(err)
	}
	return file
}

// A worker is an indexing process.
type worker struct {
	t    *testing.T
	cmd  *exec.Cmd
	said bytes.Buffer
}

func (g *game) spawn(file string) *worker {
	g.Helper()
	w := &worker{t: g.T, cmd: exec.Command(os.Args[0], "-index", file)}
	w.cmd.Stderr = &w.said
	if err := w.cmd.Start(); err != nil {
		g.Fatal(err)
	}
	g.Cleanup(func() { w.cmd.Process.Kill() })
	return w
}

// kill ends the process like a power failure. The test fails if the process had already ended by
// itself.
func (w *worker) kill() {
	w.t.Helper()
	w.cmd.Process.Kill()
	if err := w.cmd.Wait(); err == nil || w.cmd.ProcessState.Exited() {
		w.t.Errorf("the indexing process ended by itself: %v: %s", err, w.said.String())
	}
}
