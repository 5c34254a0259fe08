package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/internal/store"
	"petsupply/testkit/postgres"
	"petsupply/testkit/process"
)

// declared is a configuration with a token that is not on any chain.
const declared = `
refresh: {every: 1s}
lease: 2s
tlog: {origin: example.org/log}
tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1000}]}]
`

// newServer returns the address of a PostgreSQL with one empty database.
func newServer(t *testing.T) (address string) {
	t.Helper()
	process.SkipShort(t)
	dir, err := os.MkdirTemp("", "pg")
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	server, err := postgres.NewServer(dir, postgres.Unsafe...)
	must(t, err)
	must(t, server.Start())
	t.Cleanup(server.Stop)
	address, err = server.Database("kingdom")
	must(t, err)
	return address
}

// A running service is copied, and then moved to PostgreSQL. With the same key and name, a service on
// the copy begins another log, and the log of the moved service continues. audit accepts all of them.
func TestCopyAndMoveOfAService(t *testing.T) {
	t.Parallel() // it mostly waits
	server := newServer(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	data := filepath.Join(dir, "data")
	must(t, os.WriteFile(file, []byte(declared), 0o600))
	flags := []string{"--config", file, "--data", data}
	// audited waits until the figure is in a log whose name begins so, and audits the service. It returns
	// the figure's snapshot and the log's name.
	audited := func(r *running, name string) (snapshot, log string) {
		t.Helper()
		within(t, time.Minute, "the figure in the log", func() bool {
			_, _, evidence := fetch(t, r.supply+"/gem/evidence")
			_, _, checkpoint := fetch(t, r.supply+"/log/checkpoint")
			return bytes.HasPrefix(checkpoint, []byte(name)) && bytes.Contains(evidence, []byte(`"inclusion":`))
		})
		if code, out, errs := call(t, "audit", r.supply); code != exitOK {
			t.Errorf("audit: exit %d\n%s%s", code, out, errs)
		}
		var of struct{ Snapshot string }
		must(t, json.Unmarshal([]byte(getText(t, r.supply+"/gem")), &of))
		log, _, _ = strings.Cut(getText(t, r.supply+"/log/checkpoint"), "\n")
		return of.Snapshot, log
	}
	r := start(t, flags...)
	snapshot, log := audited(r, "example.org/log\n")
	from := "sqlite://" + filepath.Join(data, "petsupply.db")
	backup := filepath.Join(dir, "backup.db")
	if code, out, errs := call(t, "store", "copy", from, "sqlite://"+backup); code != exitOK ||
		!strings.Contains(out, " rows from "+filepath.Join(data, "petsupply.db")+" to "+backup) {
		t.Fatalf("copy: %d\n%s%s", code, out, errs)
	}
	move := append([]string{"store", "copy", from, server, "--move"}, flags...)
	code, _, errs := call(t, move...)
	if code != exitNo || !strings.Contains(errs, "a service leads the store; stop it") {
		t.Errorf("while it runs: %d %s", code, errs)
	}
	key := filepath.Join(data, "petsupply.log-key")
	secret, err := os.ReadFile(key)
	must(t, err)
	withKey := strings.Replace(declared, "origin:", "key: "+strings.TrimSpace(string(secret))+", origin:", 1)
	other := filepath.Join(dir, "copy.yaml")
	must(t, os.WriteFile(other, []byte("store: sqlite://"+backup+"\n"+withKey), 0o600))
	c := start(t, "--config", other, "--data", filepath.Join(dir, "other"))
	if now, _ := audited(c, "example.org/log/"); now != snapshot {
		t.Errorf("the copy publishes snapshot %s, the original %s", now, snapshot)
	}
	c.stop()
	r.stop()
	if code, out, errs := call(t, move...); code != exitOK || !strings.Contains(out, "Set tlog.key") ||
		!strings.Contains(out, key) {
		t.Fatalf("move: %d\n%s%s", code, out, errs)
	}
	serve := append([]string{"serve", "--listen", "127.0.0.1:0", "--ops", ""}, flags...)
	if code, out, errs := call(t, serve...); code != exitUsage ||
		!strings.Contains(errs, "the store was moved to postgres:///kingdom?host=/") {
		t.Errorf("on the old store: %d %s%s", code, out, errs)
	}
	must(t, os.WriteFile(file, []byte("store: "+server+"\n"+withKey), 0o600))
	r = start(t, flags...)
	if now, of := audited(r, "example.org/log"); now != snapshot || of != log {
		t.Errorf("the moved service publishes snapshot %s in the log %s, before it was %s in %s",
			now, of, snapshot, log)
	}
}

// An interrupted command says so, and leaves nothing.
func TestInterruptedStoreCopy(t *testing.T) {
	dir := t.TempDir()
	from := "sqlite://" + filepath.Join(dir, "there.db")
	db, err := store.Open(t.Context(), from, time.Second, nil)
	must(t, err)
	must(t, db.Close())
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for _, move := range []string{"", " --move"} {
		var out bytes.Buffer
		args := strings.Fields("store copy " + from + " sqlite://" + dir + "/n.db" + move)
		code := run(ctx, args, os.Getenv, strings.NewReader(""), &out, &out)
		const want = "petsupply: interrupted: the new store is not complete; run the command again\n"
		if code != exitInterrupted || !strings.Contains(out.String(), want) {
			t.Errorf("%v: exit %d\n%s", args, code, out.String())
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "n.db*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
