package trial

import (
	"database/sql"
	"fmt"
	"maps"
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
// answered from byte for byte, while no chain can be reached. Only what was
// called asOf, the time of measuring, is called so now; asOf is the least time of
// the blocks. Evidence stays as it was. Pictures are drawn by the pack of then.
func TestOldStore(t *testing.T) {
	oldstore.Stores(t, func(t *testing.T, engine, store string) {
		before := rows(t, store)
		if n := len(before["ledger"]); n < 4 || len(before["reading"]) < 12 || !strings.Contains(fmt.Sprint(before["published"]), `"held":{`) {
			t.Fatalf("the fixture has %d ledgers and %d readings", n, len(before["reading"]))
		}
		pack, err := filepath.Abs("../../../packs/meadow-1.0.0.zip")
		if err != nil {
			t.Fatal(err)
		}
		config := filepath.Join(t.TempDir(), "petsupply.yaml")
		if err := os.WriteFile(config, fmt.Appendf(nil, "store: %q\npacks: [%q]\n%s", store, pack, oldstore.Config(t)), 0o600); err != nil {
			t.Fatal(err)
		}
		p := newInstance(t, binary(t, "old"), "--config", config, "--data", t.TempDir())
		p.start(t)
		for _, want := range oldstore.Recorded(t, engine) {
			got, err := oldstore.Get("http://"+p.listen, want.Path)
			if err != nil {
				t.Fatal(err)
			}
			if want = renamed(want); want.Header["Etag"] == "" {
				delete(got.Header, "Etag")
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
			if table == "reading" {
				after[table] = after["reading now"]
			}
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
		"pet_realm":  "realm, cursor",
	} {
		all[table] = tableRows(t, db, table, columns)
	}
	if _, err := db.Exec("SELECT measured FROM reading"); err == nil {
		all["reading now"] = tableRows(t, db, "reading", "token, measured, kind, snapshot, ledger, total, circulating, burned, locked, reserved, blocks, daily, evidence")
	}
	return all
}

var (
	oldTime  = regexp.MustCompile(`"asOf":"([^"]*)"([^\[]*"blocks":\[[^\]]*\])`)
	oldBlock = regexp.MustCompile(`"time":"([^"]*)"`)
	oldPoint = regexp.MustCompile(`\{("asOf":"[^"]*","measuredAt")[^\[]*"blocks":\[[^\]]*\]\},?`)
)

// renamed is an answer of the older version in the words of this one. Of points
// of one moment the last stays.
func renamed(a oldstore.Answer) oldstore.Answer {
	if !strings.HasPrefix(a.Path, "/supply") || strings.HasSuffix(a.Path, "/evidence") || !oldTime.MatchString(a.Body) {
		return a
	}
	a.Header = maps.Clone(a.Header)
	delete(a.Header, "Etag")
	a.Body = oldTime.ReplaceAllStringFunc(a.Body, func(s string) string {
		part := oldTime.FindStringSubmatch(s)
		var times []string
		for _, t := range oldBlock.FindAllStringSubmatch(part[2], -1) {
			times = append(times, t[1])
		}
		return `"asOf":"` + slices.Min(times) + `","measuredAt":"` + part[1] + `"` + part[2]
	})
	if !strings.Contains(a.Path, "/history") {
		return a
	}
	points := oldPoint.FindAllStringSubmatchIndex(a.Body, -1)
	for i := len(points) - 2; i >= 0; i-- {
		p, next := points[i], points[i+1]
		asOf := func(at []int) string { return strings.Split(a.Body[at[2]:at[3]], `"`)[3] }
		if asOf(p) == asOf(next) {
			a.Body = a.Body[:p[0]] + a.Body[p[1]:]
		}
	}
	return a
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
