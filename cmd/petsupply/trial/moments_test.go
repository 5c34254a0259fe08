package trial

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/anvil"
	"petsupply/testkit/check"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/postgres"
)

var tokens = []string{"jewel", "crystal", "jade"}

// TestAnyMoment lets the kingdom change, with bridges, renames and reorgs, and records all
// publications of an instance on SQLite, and of the leader of two on PostgreSQL. For random moments
// each of the three must answer with the publication of that moment, also after a restart.
func TestAnyMoment(t *testing.T) {
	blocks, moments := 20, 20
	if check.Soak {
		blocks, moments = 2000, 500
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	l := &life{world: newWorld(t), dice: rand.New(rand.NewPCG(seed, 0))}
	if err := l.Settle(t.Context()); err != nil { // the founding blocks are too old for a first figure
		t.Fatal(err)
	}
	l.chronicle(t, "sqlite", "", 1)
	l.chronicle(t, "pgx", postgres.Start(t), 2)
	l.begin(t)
	for look := 0; (l.blocks < blocks || !l.lived()) && !t.Failed(); look++ {
		if look%10 == 1 {
			l.undone(t)
		}
		l.pass(t)
		l.keep(t)
	}
	for _, again := range []bool{false, true} {
		for _, c := range l.chronicles {
			for _, p := range c.spots {
				if again {
					p.kill()
					p.start(t)
				}
				c.ask(t, l, p, moments)
			}
		}
	}
	for _, c := range l.chronicles {
		t.Logf("%s: %d blocks, %d reorgs, %d publications of JEWEL, %d of orphans; %d answers compared, %d refusals",
			c.driver, l.blocks, l.reorgs, len(c.rows["jewel"]), c.orphans(l), c.compared, c.refused)
		if c.compared < 5*moments || c.refused == 0 || c.orphans(l) == 0 {
			t.Error("there are too few answers, refusals or orphans to judge")
		}
	}
}

// A life is the kingdom together with the services that publish it.
type life struct {
	*world
	dice           *rand.Rand
	chronicles     []*chronicle
	blocks, reorgs int
	gone           map[string]bool // hashes of replaced blocks
}

// A chronicle is a store, its instances, and all its publications in order.
type chronicle struct {
	driver   string
	db       *sql.DB
	spots    []*instance               // the first leads
	rows     map[string][]publication  // by token
	docs     map[string]map[string]any // documents of tokens, by snapshot
	compared int                       // answers
	refused  int                       // answers for which there was no data
}

// A publication is a row of history.
type publication struct {
	Figures          [5]string // total, circulating, burned, locked, reserved
	Snapshot, Ledger string
	AsOf             time.Time
	Blocks           []namedBlock
}

type namedBlock struct {
	Chain  string
	Number uint64
	Hash   string
}

// chronicle prepares a number of instances on a store.
func (l *life) chronicle(t *testing.T, driver, store string, instances int) {
	t.Helper()
	c := &chronicle{driver: driver, rows: map[string][]publication{}, docs: map[string]map[string]any{}}
	data, config := t.TempDir(), filepath.Join(t.TempDir(), "petsupply.yaml")
	source := "file:" + filepath.Join(data, "petsupply.db") + "?mode=ro&_pragma=busy_timeout(5000)"
	// the first instance leads throughout
	top := "lease: 1m\ntlog: {key: \"MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=\"}"
	if store != "" {
		source, top = store, top+"\nstore: \""+store+"\""
	}
	for i := range instances {
		c.spots = append(c.spots, newInstance(t, binary(t, "old"), "--config", config, "--data",
			filepath.Join(data, []string{"", "follower"}[i])))
	}
	top += fmt.Sprintf("\nsupply_url: http://%[1]s/supply\npets_url: http://%[1]s/pets\nsite_url: http://%[1]s",
		c.spots[0].listen)
	text := l.Config(kingdom.Settings{Top: top, Refresh: "1s", Index: "100ms"})
	// so that no figure is published twice
	text = replace(t, text, "stale_after: 1m, refuse_after: 10m", "stale_after: 12h, refuse_after: 24h")
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	if c.db, err = sql.Open(driver, source); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.db.Close()
		for _, p := range c.spots {
			if t.Failed() {
				t.Logf("%s:\n%s", p, tail(p.out.String()))
			}
		}
	})
	l.chronicles = append(l.chronicles, c)
}

// begin starts everything.
func (l *life) begin(t *testing.T) {
	t.Helper()
	l.gone = map[string]bool{}
	for _, c := range l.chronicles {
		for _, p := range c.spots {
			p.run(t)
		}
	}
	for _, c := range l.chronicles {
		for _, p := range c.spots {
			within(t, patience, "figures", func() bool {
				for _, token := range tokens {
					if status, _, _, err := get(t.Context(), probing, "http://"+p.listen+"/supply/"+token); err != nil ||
						status != http.StatusOK {
						return false
					}
				}
				return true
			})
		}
	}
	l.remembered(t)
	for _, c := range l.chronicles {
		c.read(t)
	}
}

// indexed waits until every store has everything.
func (l *life) indexed(t *testing.T) {
	t.Helper()
	for _, c := range l.chronicles {
		l.db = c.db
		within(t, patience, "the index to catch up", func() bool { return l.world.indexed(t) })
	}
}

// lived reports whether there are enough publications: every service has published every token at
// several moments.
func (l *life) lived() bool {
	for _, c := range l.chronicles {
		for _, token := range tokens {
			moments := map[time.Time]bool{}
			for _, p := range c.rows[token] {
				moments[p.AsOf] = true
			}
			if len(moments) < 3 {
				return false
			}
		}
	}
	return true
}

// remembered waits until every leader has its store's data in memory.
func (l *life) remembered(t *testing.T) {
	t.Helper()
	l.indexed(t)
	seen := map[*chronicle]float64{}
	for _, c := range l.chronicles {
		seen[c] = polls(c.spots[0])
	}
	for _, c := range l.chronicles {
		within(t, patience, "an instance to follow", func() bool { return polls(c.spots[0]) > seen[c]+1 })
	}
}

// pass lets one round happen. Then it replaces a block in a realm that is read at its last block.
func (l *life) pass(t *testing.T) {
	t.Helper()
	r := l.Realms[1+2*l.dice.IntN(2)]
	if tx, ok := l.rename(r); ok {
		if _, err := r.Chain.Do(t.Context(), tx); err != nil {
			t.Fatal(err)
		}
		l.indexed(t) // the block was read
		l.takeBack(t, r.Chain, 1)
	}
	l.step(t)
}

func (l *life) step(t *testing.T) {
	t.Helper()
	if _, err := l.Step(t.Context(), 4); err != nil {
		t.Fatal(err)
	}
	l.blocks += len(l.Chains)
	l.behindTheClock(t)
}

// behindTheClock waits until no chain is ahead of the clock, because the future can neither be
// served nor requested.
func (l *life) behindTheClock(t *testing.T) {
	t.Helper()
	for _, c := range l.Chains {
		head, err := c.Block(t.Context(), rpc.LatestBlockNumber)
		if err != nil {
			t.Fatal(err)
		}
		within(t, patience, "the clock", func() bool { return time.Now().Unix() > int64(head.Time) })
	}
}

// rename renames a pet of a realm, if there is one.
func (l *life) rename(r *kingdom.Realm) (anvil.Tx, bool) {
	var here []uint64
	for id, p := range l.Places() {
		if p.Realm == r && !p.Transit {
			here = append(here, id)
		}
	}
	if len(here) == 0 {
		return anvil.Tx{}, false
	}
	slices.Sort(here)
	id := here[l.dice.IntN(len(here))]
	return anvil.Tx{To: r.Contract, Method: "rename", Args: []any{new(big.Int).SetUint64(id),
		fmt.Sprint("Undone ", l.blocks)}}, true
}

// takeBack replaces the last blocks of a chain with others.
func (l *life) takeBack(t *testing.T, c *kingdom.Chain, depth int) {
	t.Helper()
	height, err := c.Height(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range depth {
		b, err := c.Block(t.Context(), rpc.BlockNumber(height-uint64(i)))
		if err != nil {
			t.Fatal(err)
		}
		l.gone[b.Hash.Hex()] = true
	}
	if err := c.Reorg(t.Context(), depth); err != nil {
		t.Fatal(err)
	}
	if err := c.MineAt(t.Context(), time.Now()); err != nil { // the node's clock is behind
		t.Fatal(err)
	}
	l.reorgs++
	l.blocks += depth + 1
	l.behindTheClock(t)
}

// undone makes instances publish figures of blocks that are then replaced: the treasury of the
// second chain gets tokens and loses them again.
func (l *life) undone(t *testing.T) {
	t.Helper()
	second, depth := l.Chains[1], 0
	before, err := second.Height(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	published := func() bool {
		for _, c := range l.chronicles {
			c.read(t)
			if p := c.rows["jewel"]; p[len(p)-1].block(second.Name).Number <= before {
				return false
			}
		}
		return true
	}
	for end := time.Now().Add(time.Minute); !published(); depth++ {
		if time.Now().After(end) {
			t.Fatal("nothing is published of the newest blocks")
		}
		txs := []anvil.Tx{{To: kingdom.Treasury, Value: big.NewInt(1e18)}}
		if tx, ok := l.rename(l.Realms[1]); ok {
			txs = append(txs, tx)
		}
		if _, err := second.Do(t.Context(), txs...); err != nil {
			t.Fatal(err)
		}
		for _, c := range []*kingdom.Chain{l.Chains[0], l.Chains[2]} {
			if err := c.Mine(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			l.blocks++
		}
		l.behindTheClock(t)
	}
	l.takeBack(t, second, depth)
}

// keep waits until everything is published, and records it.
func (l *life) keep(t *testing.T) {
	t.Helper()
	l.remembered(t)
	for _, c := range l.chronicles {
		c.read(t)
		for _, token := range tokens {
			_, _, body, err := get(t.Context(), patient, "http://"+c.spots[0].listen+"/supply/"+token)
			doc := map[string]any{}
			if err != nil || json.Unmarshal(body, &doc) != nil || doc["snapshot"] == nil {
				t.Fatalf("%s has no snapshot: %s %v", token, clipped(body), err)
			}
			c.docs[doc["snapshot"].(string)] = doc
		}
	}
}

// read reads the history of the store. Earlier rows must not have changed.
func (c *chronicle) read(t *testing.T) {
	t.Helper()
	rows, err := c.db.QueryContext(t.Context(), `SELECT token, total, circulating, burned, locked, reserved, snapshot, ledger, taken, blocks
		FROM reading ORDER BY token, number`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	now := map[string][]publication{}
	for rows.Next() {
		var p publication
		var token, blocks string
		var taken int64
		f := &p.Figures
		if err := rows.Scan(&token, &f[0], &f[1], &f[2], &f[3], &f[4], &p.Snapshot, &p.Ledger, &taken, &blocks); err != nil {
			t.Fatal(err)
		}
		p.AsOf = time.UnixMilli(taken).UTC()
		if err := json.Unmarshal([]byte(blocks), &p.Blocks); err != nil {
			t.Fatal(err)
		}
		now[token] = append(now[token], p)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for token, before := range c.rows {
		if n := len(before); len(now[token]) < n || !reflect.DeepEqual(now[token][:n], before) {
			t.Fatalf("what was published of %s is no longer the same", token)
		}
	}
	c.rows = now
}

// block returns the block of a chain that was read, or zero.
func (p *publication) block(chain string) (none namedBlock) {
	for _, b := range p.Blocks {
		if b.Chain == chain {
			return b
		}
	}
	return none
}

// orphans returns how many publications are of replaced blocks.
func (c *chronicle) orphans(l *life) (n int) {
	for _, list := range c.rows {
		for _, p := range list {
			if slices.ContainsFunc(p.Blocks, func(b namedBlock) bool { return l.gone[b.Hash] }) {
				n++
			}
		}
	}
	return n
}
