//go:build ignore

// Make writes the fixture of this directory anew: it builds the version before
// the house was rearranged, lets it watch an invented kingdom on real nodes with
// a store on each engine, and keeps the stores, what that version answers from
// them, and what the nodes need to answer for the evidence. Run it at the top of
// the source tree, which must have its history:
//
//	go run ./testkit/oldstore/make.go
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	_ "modernc.org/sqlite"

	"petsupply/testkit/anvil"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/oldstore"
	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
)

const fixture = "testkit/oldstore/fixture"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "making the fixture of an old store:", err)
		os.Exit(1)
	}
}

// A maker has an old program, a store for it on each engine, and the kingdom.
type maker struct {
	dir, program string
	kingdom      *kingdom.Kingdom
	pg           *postgres.Server
	stores       map[string]string // by engine
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "oldstore-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &maker{dir: dir, program: filepath.Join(dir, "petsupply")}
	if err := m.build(ctx); err != nil {
		return err
	}
	pgDir, err := os.MkdirTemp("", "pg-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(pgDir)
	if m.pg, err = postgres.NewServer(pgDir, postgres.Unsafe...); err != nil {
		return err
	}
	if err := m.pg.Start(); err != nil {
		return err
	}
	defer m.pg.Stop()
	address, err := m.pg.Database("petsupply")
	if err != nil {
		return err
	}
	m.stores = map[string]string{"sqlite": "sqlite://" + filepath.Join(dir, "petsupply.db"), "postgres": address}
	if m.kingdom, err = kingdom.Found(ctx, kingdom.Options{Pets: 8, Seed: 45}); err != nil {
		return err
	}
	defer m.kingdom.Close()
	if err := m.live(ctx); err != nil {
		return err
	}
	return m.keep(ctx)
}

// build builds the old version from this repository's history.
func (m *maker) build(ctx context.Context) error {
	tree := filepath.Join(m.dir, "tree")
	if err := command(ctx, "", "git", "worktree", "add", "--detach", tree, oldstore.Commit); err != nil {
		return err
	}
	defer command(context.WithoutCancel(ctx), "", "git", "worktree", "remove", "--force", tree)
	return command(ctx, tree, "go", "build", "-trimpath", "-ldflags", "-s -w -X main.version="+oldstore.Commit, "-o", m.program, "./cmd/petsupply")
}

// live lets things happen under two ledgers, with an import between them, and
// ends both services as a power cut does while a figure is held.
func (m *maker) live(ctx context.Context) error {
	config := m.config()
	// Entries so small that the figures of both ledgers are within a change.
	before := regexp.MustCompile(`(?m)^.*label: (Burned as gas|Lost in the flood).*\n`).ReplaceAllString(config, "")
	end, _, err := m.serve(ctx, before)
	if err != nil {
		return err
	}
	err = m.pass(ctx, 8)
	end((*process.Process).Stop)
	if err != nil {
		return err
	}
	if err := m.importPets(ctx, config); err != nil {
		return err
	}
	end, _, err = m.serve(ctx, config)
	if err != nil {
		return err
	}
	defer end((*process.Process).Kill)
	if err := m.pass(ctx, 8); err != nil {
		return err
	}
	return m.last(ctx)
}

// config is the file of a service of the old version. Nothing in it lets a
// figure of whatever age be refused.
func (m *maker) config() string {
	text := m.kingdom.Config(kingdom.Settings{Refresh: "1s", Top: oldstore.Top})
	text = regexp.MustCompile(`stale_after: \S+ refuse_after: \S+ confirmations: 3`).ReplaceAllString(text, "stale_after: 876000h, refuse_after: 876000h, agree: 1000")
	return text + "  - {key: harbour, name: Sunken Harbour, offset: 3000000000000, contract: \"0x00000000000000000000000000000000000000aa\", struct: v1, closed: true}\n"
}

// serve runs the old version on both stores. Call what it returns with how to
// end them.
func (m *maker) serve(ctx context.Context, config string) (end func(func(*process.Process)), bases map[string]string, err error) {
	var all []*process.Process
	end = func(how func(*process.Process)) {
		for _, p := range all {
			how(p)
		}
	}
	bases = map[string]string{}
	for engine, store := range m.stores {
		p, base, err := m.start(ctx, engine, store, config)
		if err != nil {
			end((*process.Process).Kill)
			return nil, nil, err
		}
		all = append(all, p)
		bases[engine] = base
	}
	return end, bases, nil
}

func (m *maker) start(ctx context.Context, engine, store, config string) (*process.Process, string, error) {
	file := filepath.Join(m.dir, engine+".yaml")
	if err := os.WriteFile(file, []byte(fmt.Sprintf("store: %q\n", store)+config), 0o600); err != nil {
		return nil, "", err
	}
	listen, err := process.FreeAddress()
	if err != nil {
		return nil, "", err
	}
	ops, err := process.FreeAddress()
	if err != nil {
		return nil, "", err
	}
	p, err := process.Start(exec.Command(m.program, "serve", "--config", file, "--data", filepath.Join(m.dir, engine), "--listen", listen, "--ops", ops))
	if err != nil {
		return nil, "", err
	}
	return p, "http://" + listen, p.Until(ctx, func() error {
		a, err := oldstore.Get("http://"+ops, "/readyz")
		if err == nil && a.Status != 200 {
			err = errors.New(a.Body)
		}
		return err
	})
}

// pass lets some rounds pass, each seen by a refresh.
func (m *maker) pass(ctx context.Context, rounds int) error {
	for range rounds {
		if _, err := m.kingdom.Step(ctx, 5); err != nil {
			return err
		}
		if err := sleep(ctx, 1500*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) importPets(ctx context.Context, config string) error {
	file := filepath.Join(m.dir, "pets.jsonl")
	var lines strings.Builder
	for id := 1; id <= 12; id++ {
		fmt.Fprintf(&lines, `{"id":%d,"originid":0,"name":"Sunken %d","season":1,"eggtype":%d,"rarity":%d,"element":%d,"bonuscount":1,"profbonus":3,"profbonusscalar":5,`+
			`"craftbonus":0,"craftbonusscalar":0,"combatbonus":0,"combatbonusscalar":0,"appearance":%d,"background":2,"shiny":0,"hungryat":"1700000000","equippableat":"1700000000","equippedto":"0",`+
			`"owner":"0x%040x","block":12,"at":1700000000}`+"\n", 3_000_000_000_000+id, id, id%5, id%5, id%8, 1+id%24, 4096+id)
	}
	if err := os.WriteFile(file, []byte(lines.String()), 0o600); err != nil {
		return err
	}
	for engine, store := range m.stores {
		at := filepath.Join(m.dir, engine+".yaml")
		if err := os.WriteFile(at, []byte(fmt.Sprintf("store: %q\n", store)+config), 0o600); err != nil {
			return err
		}
		if err := command(ctx, "", m.program, "import", "--config", at, file); err != nil {
			return err
		}
	}
	return nil
}

// last does what must be in the stores at the end: pets that were renamed, sent
// on a journey, bridged and burned, and a jump of JADE that is held.
func (m *maker) last(ctx context.Context) error {
	one, two := m.kingdom.Realms[1], m.kingdom.Realms[2]
	var here []*big.Int // pets in the second realm
	for id, at := range m.kingdom.Places() {
		if at.Realm == one && !at.Transit && id/1e12 == 1 {
			here = append(here, new(big.Int).SetUint64(id))
		}
	}
	if len(here) < 4 {
		return fmt.Errorf("%d pets are left in the second realm; take another seed", len(here))
	}
	bridged, err := m.kingdom.Read(ctx, one, here[2].Uint64())
	if err != nil {
		return err
	}
	third := new(big.Int).SetUint64(two.Chain.ID)
	if _, err := one.Chain.Do(ctx,
		anvil.Tx{To: one.Contract, Method: "rename", Args: []any{here[0], "Renamed at last"}},
		anvil.Tx{To: one.Contract, Method: "send", Args: []any{here[1], third}},
		anvil.Tx{To: one.Contract, Method: "send", Args: []any{here[2], third}},
		anvil.Tx{To: one.Contract, Method: "burn", Args: []any{here[3]}}); err != nil {
		return err
	}
	if err := two.Chain.Send(ctx, two.Contract, "arrive", two.Chain.Accounts[3], bridged); err != nil {
		return err
	}
	if err := m.kingdom.Settle(ctx); err != nil {
		return err
	}
	if err := sleep(ctx, 4*time.Second); err != nil {
		return err
	}
	jade := regexp.MustCompile(`(?s)path: jade.*?erc20: "(0x\w+)"`).FindStringSubmatch(m.config())
	fortune := new(big.Int).Mul(big.NewInt(40_000_000), big.NewInt(1e18))
	if err := two.Chain.Send(ctx, common.HexToAddress(jade[1]), "transfer", kingdom.Treasury, fortune); err != nil {
		return err
	}
	if err := m.kingdom.Settle(ctx); err != nil {
		return err
	}
	return m.held(ctx)
}

// held waits until both stores have a held figure of JADE.
func (m *maker) held(ctx context.Context) error {
	const query = `SELECT count(*) FROM published WHERE token = 'jade' AND record LIKE '%"held":{%'`
	db, err := m.openSQLite()
	if err != nil {
		return err
	}
	defer db.Close()
	for range 60 {
		var lite float64
		if err := db.QueryRowContext(ctx, query).Scan(&lite); err != nil {
			return err
		}
		other, err := m.pg.Number("petsupply", strings.Replace(query, "count(*)", "count(*)::float8", 1))
		if err != nil || lite+other == 2 {
			return err
		}
		if err := sleep(ctx, 500*time.Millisecond); err != nil {
			return err
		}
	}
	return errors.New("no figure of JADE is held")
}

func (m *maker) openSQLite() (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+strings.TrimPrefix(m.stores["sqlite"], "sqlite://")+"?_pragma=busy_timeout(5000)")
}

// keep writes the fixture.
func (m *maker) keep(ctx context.Context) error {
	if err := os.MkdirAll(fixture, 0o755); err != nil {
		return err
	}
	file := filepath.Join(m.dir, "kept.db")
	db, err := m.openSQLite()
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", file); err != nil {
		return err
	}
	lite, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	dump, err := postgres.Program("pg_dump")
	if err != nil {
		return err
	}
	text, err := exec.CommandContext(ctx, dump, "--no-owner", "--no-privileges", m.stores["postgres"]).Output()
	if err != nil {
		return err
	}
	// Of its newest block a node that is given a chain knows less than of others.
	if err := m.kingdom.Settle(ctx); err != nil {
		return err
	}
	states, err := m.states(ctx)
	if err != nil {
		return err
	}
	m.kingdom.Close() // from now on every chain is out of reach
	config := m.config()
	answers, err := m.answers(ctx, config)
	if err != nil {
		return err
	}
	recorded, err := json.MarshalIndent(answers, "", " ")
	if err != nil {
		return err
	}
	var evidence strings.Builder
	for _, list := range answers {
		for _, a := range list {
			if strings.HasSuffix(a.Path, "/evidence") {
				evidence.WriteString(a.Body)
			}
		}
	}
	for id, state := range states {
		if states[id], err = shrink(state, evidence.String()); err != nil {
			return err
		}
		if states[id] == nil {
			delete(states, id)
		}
	}
	chains, err := json.Marshal(states)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fixture, "petsupply.yaml"), []byte(config), 0o644); err != nil {
		return err
	}
	for name, content := range map[string][]byte{"sqlite.db": lite, "postgres.sql": text, "answers.json": recorded, "chains.json": chains} {
		if err := pack(name, content); err != nil {
			return err
		}
	}
	return nil
}

// states is what a node needs to answer for the evidence, by chain id: all
// blocks, with their state.
func (m *maker) states(ctx context.Context) (map[uint64]json.RawMessage, error) {
	all := map[uint64]json.RawMessage{}
	for _, c := range m.kingdom.Chains {
		state, err := c.Dump(ctx)
		if err != nil {
			return nil, err
		}
		all[c.ID] = state
	}
	return all, nil
}

// shrink leaves out the state of the blocks that the evidence does not name. It
// is nil if it names none.
func shrink(state json.RawMessage, evidence string) (json.RawMessage, error) {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(state, &parts); err != nil {
		return nil, err
	}
	var history, kept [][2]json.RawMessage // hash and state
	if err := json.Unmarshal(parts["historical_states"], &history); err != nil {
		return nil, err
	}
	for _, h := range history {
		var hash string
		if err := json.Unmarshal(h[0], &hash); err != nil {
			return nil, err
		}
		if strings.Contains(evidence, hash) {
			kept = append(kept, h)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	var err error
	if parts["historical_states"], err = json.Marshal(kept); err != nil {
		return nil, err
	}
	parts["transactions"] = json.RawMessage("[]")
	return json.Marshal(parts)
}

// answers is what the old version answers from each store, chains out of reach.
func (m *maker) answers(ctx context.Context, config string) (map[string][]oldstore.Answer, error) {
	end, bases, err := m.serve(ctx, config)
	if err != nil {
		return nil, err
	}
	defer end((*process.Process).Kill)
	all := map[string][]oldstore.Answer{}
	for engine, base := range bases {
		paths, err := oldstore.Paths(base)
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			a, err := oldstore.Get(base, path)
			if err != nil {
				return nil, err
			}
			all[engine] = append(all[engine], a)
		}
	}
	return all, nil
}

func pack(name string, content []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	fmt.Printf("%-14s %8d bytes, packed %7d\n", name, len(content), b.Len())
	return os.WriteFile(filepath.Join(fixture, name+".gz"), b.Bytes(), 0o644)
}

func command(ctx context.Context, dir, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(append([]string{name}, args...), " "), err, out)
	}
	return nil
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
