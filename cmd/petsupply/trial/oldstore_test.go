package trial

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"petsupply/testkit/oldstore"
)

// A store of an older version opens, keeps everything that is in it, and is
// answered from byte for byte, while no chain can be reached.
func TestOldStore(t *testing.T) {
	oldstore.Stores(t, func(t *testing.T, engine, store string) {
		before := rows(t, store)
		if n := len(before["ledger"]); n < 4 || len(before["reading"]) < 12 || !strings.Contains(fmt.Sprint(before["published"]), `"held":{`) {
			t.Fatalf("the fixture has %d ledgers and %d readings", n, len(before["reading"]))
		}
		config := filepath.Join(t.TempDir(), "petsupply.yaml")
		if err := os.WriteFile(config, fmt.Appendf(nil, "store: %q\n%s", store, oldstore.Config(t)), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newInstance(t, binary(t, "old"), "--config", config, "--data", t.TempDir())
		p.start(t)
		for _, want := range oldstore.Recorded(t, engine) {
			got, err := oldstore.Get("http://"+p.listen, want.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != want.Status || got.Body != want.Body || fmt.Sprint(got.Header) != fmt.Sprint(want.Header) {
				t.Errorf("%s was\n%d %v\n%.3000s\nand is\n%d %v\n%.3000s", want.Path, want.Status, want.Header, want.Body, got.Status, got.Header, got.Body)
			}
		}
		if code := p.stop(t); code != 0 {
			t.Errorf("it ended with %d\n%s", code, tail(p.out.String()))
		}
		after := rows(t, store)
		for table := range before {
			if !slices.Equal(before[table], after[table]) {
				t.Errorf("table %s was\n%v\nand is\n%v", table, before[table], after[table])
			}
		}
	})
}

// Evidence of an older version is confirmed by nodes that have its blocks, and
// refuted when it was changed.
func TestOldEvidence(t *testing.T) {
	args := []string{"verify", ""}
	for id, url := range oldstore.Nodes(t) {
		args = append(args, "--rpc", fmt.Sprintf("%d=%s", id, url))
	}
	figures := 0
	for _, engine := range []string{"sqlite", "postgres"} {
		for _, a := range oldstore.Recorded(t, engine) {
			if !strings.HasSuffix(a.Path, "/evidence") {
				continue
			}
			figures++
			args[1] = filepath.Join(t.TempDir(), "evidence.json")
			for _, change := range []bool{false, true} {
				text := a.Body
				if change { // another amount
					text = regexp.MustCompile(`"return":"0x0`).ReplaceAllString(text, `"return":"0x1`)
				}
				if err := os.WriteFile(args[1], []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(binary(t, "old"), args...).CombinedOutput()
				if (err != nil) != change {
					t.Errorf("%s, changed: %t: %v\n%s", a.Path, change, err, out)
				}
			}
		}
	}
	if figures != 6 {
		t.Errorf("evidence of %d figures, not 6", figures)
	}
}

// rows is what a store has in the tables that must not change.
func rows(t *testing.T, store string) map[string][]string {
	t.Helper()
	driver, address := "pgx", store
	if file, ok := strings.CutPrefix(store, "sqlite://"); ok {
		driver, address = "sqlite", "file:"+file
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all := map[string][]string{}
	for table, columns := range map[string]string{
		"ledger":     "token, hash, since, document",
		"reading":    "token, taken, kind, snapshot, ledger, total, circulating, burned, locked, reserved, blocks, daily, evidence",
		"published":  "token, record",
		"pet":        "realm, id, owner, name, here, hold, transit, appearance, hungry, block, changed",
		"pet_change": "seq, id, taken, block, realm, kind, fields",
		"pet_realm":  "realm, cursor, pets",
	} {
		all[table] = tableRows(t, db, table, columns)
	}
	return all
}

func tableRows(t *testing.T, db *sql.DB, table, columns string) (list []string) {
	t.Helper()
	found, err := db.Query("SELECT " + columns + " FROM " + table + " ORDER BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	values := make([]any, strings.Count(columns, ",")+1)
	into := make([]any, len(values))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprint(values...))
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}
