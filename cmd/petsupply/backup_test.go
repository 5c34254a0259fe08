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

	"petsupply/internal/app"
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

// TestMoveAndBackupOfAService: a running service is backed up. It is moved to PostgreSQL, where its
// log continues, and then restored from the backup.
func TestMoveAndBackupOfAService(t *testing.T) {
	t.Parallel() // it mostly waits
	server := newServer(t)
	dir := t.TempDir()
	file, data, backup := filepath.Join(dir, "p.yaml"), filepath.Join(dir, "data"), filepath.Join(dir, "backup.db")
	must(t, os.WriteFile(file, []byte(declared), 0o600))
	flags := []string{"--config", file, "--data", data}
	r := start(t, flags...)
	published := func(r *running) string {
		t.Helper()
		var of struct{ Snapshot string }
		within(t, time.Minute, "a checkpoint", func() bool {
			return strings.HasPrefix(getText(t, r.supply+"/log/checkpoint"), "example.org/log\n")
		})
		must(t, json.Unmarshal([]byte(getText(t, r.supply+"/gem")), &of))
		return of.Snapshot
	}
	snapshot := published(r)
	key := filepath.Join(data, "petsupply.log-key")
	code, out, errs := call(t, append([]string{"backup", backup}, flags...)...)
	if code != exitOK || !strings.Contains(out, "Wrote "+backup) || !strings.Contains(out, key) {
		t.Fatalf("backup: %d\n%s%s", code, out, errs)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v, %v", info.Mode(), err)
	}
	if code, _, errs := call(t, append([]string{"backup", backup}, flags...)...); code != exitUsage ||
		!strings.Contains(errs, "exists already") {
		t.Errorf("over a backup: %d %s", code, errs)
	}
	move := append([]string{"move", "--to", server}, flags...)
	if code, _, errs := call(t, move...); code != exitNo ||
		!strings.Contains(errs, "a running service leads the store; stop it") {
		t.Errorf("while it runs: %d %s", code, errs)
	}
	r.stop()
	if code, out, errs = call(t, move...); code != exitOK || !strings.Contains(out, "Set tlog.key") ||
		!strings.Contains(out, key) {
		t.Fatalf("move: %d\n%s%s", code, out, errs)
	}
	serve := append([]string{"serve", "--listen", "127.0.0.1:0", "--ops", ""}, flags...)
	if code, out, errs := call(t, serve...); code != exitUsage ||
		!strings.Contains(errs, "the store was moved to postgres:///kingdom?host=/") {
		t.Errorf("on the old store: %d %s%s", code, out, errs)
	}
	secret, err := os.ReadFile(key)
	must(t, err)
	text := strings.Replace(declared, "origin:", "key: "+strings.TrimSpace(string(secret))+", origin:", 1)
	must(t, os.WriteFile(file, []byte("store: "+server+"\n"+text), 0o600))
	r = start(t, flags...)
	if now := published(r); now != snapshot {
		t.Errorf("after the move snapshot %s is published, before it was %s", now, snapshot)
	}
	if strings.Contains(r.out.String(), "a new log of publications begins") {
		t.Errorf("another log began:\n%s", r.out)
	}
	r.stop()
	restored := filepath.Join(dir, "restored", "petsupply.db")
	if code, out, errs := call(t, "restore", backup, "--to", "sqlite://"+restored); code != exitOK {
		t.Fatalf("restore: %d\n%s%s", code, out, errs)
	}
	must(t, os.WriteFile(file, []byte("store: sqlite://"+restored+"\n"+text), 0o600))
	r = start(t, flags...)
	if now := published(r); now != snapshot {
		t.Errorf("after the restore snapshot %s is published, before it was %s", now, snapshot)
	}
}

// Invalid calls change nothing.
func TestBackupCommandsRefuse(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	must(t, os.WriteFile(file, []byte(declared), 0o600))
	flags := " --config " + file + " --data " + filepath.Join(dir, "none")
	there := "sqlite://" + filepath.Join(dir, "new.db")
	for _, test := range []struct {
		args, want string
		code       int
	}{
		{"backup " + dir + "/b.db" + flags, "there is no store at " + filepath.Join(dir, "none", "petsupply.db"), exitUsage},
		{"backup " + dir + "/b.db", "the demo needs no backup", exitUsage},
		{"move --to " + there, "the demo's store cannot be moved", exitUsage},
		{"move --to " + there + flags, "there is no store at", exitUsage},
		{"move --to new.db" + flags, "--to wants sqlite:///path/to/file.db or postgres://", exitUsage},
		{"move --to sqlite://" + filepath.Join(dir, "none", "petsupply.db") + flags,
			"--to names the store that is to be moved", exitUsage},
		{"move --to postgres://user:hunter2@127.0.0.1:1/db" + flags, "there is no store at", exitUsage},
		{"restore " + dir + "/b.db --to " + there, "no such file", exitUsage},
		{"restore " + file + " --to " + there, "is not a database", exitNo},
		{"restore " + file + " --to sqlite://", "--to wants", exitUsage},
	} {
		t.Run(test.args, func(t *testing.T) {
			code, out, errs := call(t, strings.Fields(test.args)...)
			if code != test.code || !strings.Contains(errs, test.want) || strings.Contains(out+errs, "hunter2") {
				t.Errorf("exit %d, want %d and %q:\n%s%s", code, test.code, test.want, out, errs)
			}
		})
	}
	if left, _ := filepath.Glob(dir + "/*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// An interrupted command says what it has done.
func TestInterruptedBackupCommands(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.yaml")
	must(t, os.WriteFile(file, []byte(declared), 0o600))
	s, err := app.Load(file, []byte(declared), dir, "8080", os.Getenv)
	must(t, err)
	db, err := s.OpenStore(t.Context(), nil)
	must(t, err)
	must(t, db.Backup(t.Context(), filepath.Join(dir, "there.db"), func(int) {}))
	must(t, db.Close())
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	for args, want := range map[string]string{
		"backup " + dir + "/b.db --config " + file + " --data " + dir:             "no backup was written",
		"restore " + dir + "/there.db --to sqlite://" + dir + "/n.db":             "nothing was restored",
		"move --to sqlite://" + dir + "/n.db --config " + file + " --data " + dir: "the move is not finished; run it again",
	} {
		t.Run(args, func(t *testing.T) {
			var out bytes.Buffer
			code := run(ctx, strings.Fields(args), os.Getenv, strings.NewReader(""), &out, &out)
			if text := out.String(); code != exitInterrupted || !strings.Contains(text, "petsupply: interrupted: "+want+"\n") {
				t.Errorf("exit %d\n%s", code, text)
			}
		})
	}
	for _, name := range []string{"b.db", "n.db", "b.db.part"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s is left behind", name)
		}
	}
}
