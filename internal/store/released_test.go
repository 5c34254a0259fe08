package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/webhook"
	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
	"petsupply/testkit/traits"
)

var update = flag.Bool("update", false, "write the stores of testdata again; only before v0.1.0 is released")

const (
	releasedFile = "testdata/v0.1.0.sqlite.gz" // the file of a store
	releasedSQL  = "testdata/v0.1.0.postgres.sql"
	releasedRows = "testdata/v0.1.0.rows" // digests of the content of both

	rewriteReleased = "Before v0.1.0 is released, write the stores again: go test ./internal/store -run TestReleased " +
		"-update. After it they never change. Then only " + releasedRows + " may change, with a migration that " +
		"changes these rows."
)

// This version opens the stores of v0.1.0, reads everything in them, and goes on with them.
func TestReleasedStores(t *testing.T) {
	process.SkipShort(t)
	if *update {
		writeReleased(t)
	}
	file := filepath.Join(t.TempDir(), "store.db")
	if err := os.WriteFile(file, unzipped(t, releasedFile), 0o600); err != nil {
		t.Fatal(err)
	}
	address := postgres.Start(t)
	script, err := os.ReadFile(releasedSQL)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), string(script)); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(releasedRows)
	if err != nil && !*update {
		t.Fatal(err)
	}
	for _, url := range []string{"sqlite://" + file, address} {
		s, err := Open(t.Context(), url, 10*time.Second, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, rewriteReleased)
		}
		defer s.Close()
		got := digests(t, s)
		if *update && s.Kind() == "sqlite" {
			want = []byte(got)
			if err := os.WriteFile(releasedRows, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s has other rows:\n%s%s", s.Kind(), diff, rewriteReleased)
		}
		goesOn(t, s)
	}
}

// goesOn leads a released store, and adds to its figures, its log and its pets.
func goesOn(t *testing.T, s *Store) {
	t.Helper()
	if ok, err := s.Campaign(t.Context(), t.Name(), time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	k := keeperOf(s, t.TempDir())
	before := step(t, k).Size
	publish(t, s, demo.End)
	if after := step(t, k); after.Size != before+1 || int64(len(leaves(t, k))) != after.Size {
		t.Errorf("%s: the log went from %d to %d leaves", s.Kind(), before, after.Size)
	}
	write(t, s, batch{Realm: realm("second"), At: block(90),
		Observations: []pet.Observation{see(second+1, bob, traits.V2())}})
	if p, ok := one(t, s, second+1); !ok || p.Owner != bob {
		t.Errorf("%s: the pet is %+v", s.Kind(), p)
	}
}

// digests has a line for each table and each way to read a store, with a hash of the result.
func digests(t *testing.T, s *Store) string {
	t.Helper()
	var out strings.Builder
	line := func(name string, rows []string) {
		if len(rows) == 0 {
			t.Errorf("%s: no rows in %s", s.Kind(), name)
		}
		fmt.Fprintf(&out, "%s %d %x\n", name, len(rows), sha256.Sum256([]byte(strings.Join(rows, "\n"))))
	}
	all := contents(t, s)
	for _, table := range database.Tables() {
		rows := slices.DeleteFunc(slices.Clone(all), func(r string) bool { return !strings.HasPrefix(r, table+" ") })
		line(table, rows)
	}
	for _, read := range readings(t, s) {
		text, err := json.Marshal(read.list)
		if err != nil {
			t.Fatal(err)
		}
		line(read.name, []string{string(text)})
		if len(text) < 10 {
			t.Errorf("%s: %s has only %s", s.Kind(), read.name, text)
		}
	}
	return out.String()
}

// A reading is the result of one of the store's methods.
type reading struct {
	name string
	list any
}

// readings reads a store as the service does.
func readings(t *testing.T, s *Store) (out []reading) {
	t.Helper()
	ctx := t.Context()
	add := func(name string, list any, err error) {
		if err != nil {
			t.Fatalf("%s: %s: %v", s.Kind(), name, err)
		}
		out = append(out, reading{name, list})
	}
	records, err := s.Records(ctx)
	add("Records", records, err)
	ledgers, err := s.Ledgers(ctx, "jewel")
	add("Ledgers", ledgers, err)
	history, err := s.History(ctx, "jewel", demo.Start.AddDate(-1, 0, 0), demo.End, 100)
	add("History", history, err)
	point, err := s.PublishedAt(ctx, "jewel", supply.Moment{At: demo.Start.Add(90 * time.Minute)})
	add("PublishedAt", point, err)
	evidence, err := s.EvidenceOf(ctx, point.Snapshot)
	add("EvidenceOf", evidence, err)
	if v := supply.Verify(ctx, evidence, supply.Against{}); !v.OK() {
		t.Errorf("%s: the evidence is wrong: %+v", s.Kind(), v)
	}
	document, err := s.ProofOf(ctx, point.Snapshot)
	add("ProofOf", document, err)
	hold, err := s.Held(ctx, "crystal")
	add("Held", hold, err)
	decisions, err := s.OpenDecisions(ctx)
	add("OpenDecisions", decisions, err)
	events, err := s.Events(ctx, "jewel")
	add("Events", events, err)
	notices, err := s.SupplyNotices(ctx, 0, 100)
	add("SupplyNotices", notices, err)
	pets, _, err := s.ListPets(ctx, pet.Query{Order: pet.ByID, Limit: 100}, pet.PagePosition{})
	add("ListPets", pets, err)
	census, err := s.PetCensus(ctx)
	add("PetCensus", census.Realms(), err)
	changes, err := s.ChangesSince(ctx, new(uint64), 100)
	add("ChangesSince", changes, err)
	backlogs, err := s.WebhookBacklogs(ctx)
	add("WebhookBacklogs", backlogs, err)
	return out
}

// writeReleased makes both stores: a file, and a copy of its rows in PostgreSQL.
func writeReleased(t *testing.T) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "store.db")
	s := open(t, "sqlite://"+file)
	fillTables(t, s)
	address := postgres.Start(t)
	if err := s.Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression)
	w.Write(raw)
	w.Close()
	if err := os.WriteFile(releasedFile, zipped.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := newMove("sqlite://"+file, address).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := open(t, address).makeIndexes(t.Context()); err != nil {
		t.Fatal(err)
	}
	program, err := postgres.Program("pg_dump")
	if err != nil {
		t.Fatal(err)
	}
	script, err := exec.Command(program, "--no-owner", "--rows-per-insert=1000", address).Output()
	if err != nil {
		t.Fatal(err)
	}
	// Remove comments, and lines that only some versions of PostgreSQL understand.
	script = regexp.MustCompile(`(?m)^(SET |SELECT pg_catalog.set_config|\\|--).*\n+`).ReplaceAll(script, nil)
	if err := os.WriteFile(releasedSQL, script, 0o644); err != nil {
		t.Fatal(err)
	}
}

// fillTables makes a store the leader and writes rows to every table.
func fillTables(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := s.Campaign(ctx, t.Name(), time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	k := keeperOf(s, t.TempDir())
	for _, feed := range []string{webhook.Supply, webhook.Pets} {
		_, err := s.EnsureWebhookCursor(ctx, "game", feed)
		must(err)
	}

	var wrong *supply.Snapshot // jewel's second figure
	for hour := range 3 {
		at := demo.Start.Add(time.Duration(hour) * time.Hour)
		for i, m := range supply.Measure(ctx, demo.Tokens(), demo.Chains(at), at) {
			must(m.Err)
			change := supply.Change{Record: record(m.Snapshot), Publishes: true}
			if hour == 0 {
				version := demo.Tokens()[i].CurrentLedger()
				version.Since, change.Ledger = &at, &version
			}
			if hour == 2 && m.Snapshot.Token == "crystal" {
				now, err := s.Records(ctx)
				must(err)
				change = supply.Change{Record: now[slices.IndexFunc(now,
					func(r supply.Record) bool { return r.Token == "crystal" })]}
				change.Record.Hold = &supply.Hold{Candidate: m.Snapshot, Reason: "total rose by 12 %", Since: at,
					From: m.Snapshot.AsOf, Sum: time.Minute}
			}
			saved(t, s, change)
			if hour == 1 && m.Snapshot.Token == "jewel" {
				wrong = m.Snapshot
				document := proofDocument(1)
				document.Snapshot = wrong.ID
				must(s.SaveProof(ctx, "jewel", wrong.AsOf, document))
			}
		}
		step(t, k)
	}
	asked, err := s.AskDecision(ctx,
		supply.Decision{Kind: supply.Wrong, Token: "jewel", Subject: wrong.ID, Reason: "an entry was missing"})
	must(err)
	now, err := s.Records(ctx)
	must(err)
	jewelNow := now[slices.IndexFunc(now, func(r supply.Record) bool { return r.Token == "jewel" })]
	asked.Granted = true
	saved(t, s, supply.Change{Record: jewelNow, Decided: []supply.Decision{asked}})
	step(t, k)
	_, err = s.AskDecision(ctx,
		supply.Decision{Kind: supply.Accept, Token: "jade", Subject: supply.Heights, Reason: "a new chain"})
	must(err)

	must(s.SaveWebhookCursor(ctx, "game", webhook.Supply, webhook.Cursor{Seq: 2, Skipped: 1, Delivered: demo.End}))

	fillPets(t, s)
}

// fillPets writes pets that hatch, change, travel, are imported and burned.
func fillPets(t *testing.T, s *Store) {
	t.Helper()
	step := func(key string, at uint64, seen ...pet.Observation) {
		t.Helper()
		touched, ids := map[uint64]bool{}, []uint64(nil)
		for _, o := range seen {
			touched[o.ID], ids = true, append(ids, o.ID)
		}
		write(t, s, batch{Realm: realm(key), At: block(at), Touched: touched, Observations: seen,
			Want:  map[uint64]time.Time{ids[0]: block(at + 1000).Time},
			Marks: []index.BlockMark{{Block: block(at), IDs: ids}}})
		if at == 60 { // the last part of a realm that was read again as a whole
			write(t, s, batch{Realm: realm(key), At: block(at), Span: pet.Span{To: pet.MaxID},
				Position: index.Position{Phase: "follow", RereadAll: true}})
		}
	}
	var hatched []pet.Observation
	for i := range uint64(30) {
		v := traits.V2("season", i%5, "egg", i%3, "appearance", i)
		hatched = append(hatched, named(see(second+i+1, alice, v), fmt.Sprint("Pet ", i)))
	}
	step("second", 10, hatched...)
	step("second", 20, named(see(second+1, alice, traits.V2("season", 9)), "Renamed"), see(second+2, alice, extreme))
	step("second", 30, see(second+3, bridge, traits.V2()), see(second+4, bridge, traits.V2()))
	step("third", 40, see(second+3, bob, traits.V2()))
	step("second", 50, see(second+5, common.Address{}, traits.V2())) // burned
	step("third", 60, named(see(third+1, bob, traits.V1()), extremeName))
	if _, err := s.ImportPets(t.Context(), registry,
		[]pet.Pet{{ID: 1, Realm: "first", Value: traits.V1()}}); err != nil {
		t.Fatal(err)
	}
	if err := s.IndexPets(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := s.db.ExecContext(t.Context(), `INSERT INTO pet_import (id, name, traits) VALUES (7, $1, $2)`,
		[]byte("Rex"), []byte{0})
	if err != nil {
		t.Fatal(err)
	}
}

// unzipped returns the contents of a file.
func unzipped(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
