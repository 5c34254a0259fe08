package database

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/testkit/postgres"
)

func TestMain(m *testing.M) { os.Exit(postgres.Main(m)) }

// open opens the database at url for the duration of the test.
func open(t testing.TB, url string) *DB {
	t.Helper()
	db, err := Open(t.Context(), url, 10*time.Second, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestManyOpenAtOnce(t *testing.T) {
	postgres.OnBoth(t, func(t *testing.T, url string) {
		var all sync.WaitGroup
		errs := make(chan error, 4)
		for range 4 {
			all.Go(func() {
				db, err := Open(t.Context(), url, time.Second, nil)
				if err == nil {
					err = db.Close()
				}
				errs <- err
			})
		}
		all.Wait()
		for range 4 {
			if err := <-errs; err != nil {
				t.Errorf("opening beside others: %v", err)
			}
		}
	})
}

// TestOtherSchemaIsRefused: a store with tables that the program does not know is refused and left
// unchanged.
func TestOtherSchemaIsRefused(t *testing.T) {
	for name, change := range map[string]string{
		"another fingerprint": `UPDATE schema_fingerprint SET fingerprint = 'x'`,
		"no fingerprint":      `DROP TABLE schema_fingerprint`,
	} {
		t.Run(name, func(t *testing.T) {
			postgres.OnBoth(t, func(t *testing.T, url string) {
				db := open(t, url)
				if _, err := db.Exec(change); err != nil {
					t.Fatal(err)
				}
				before := content(t, db)
				_, err := Open(t.Context(), url, time.Second, nil)
				if !errors.Is(err, errOtherSchema) || strings.Contains(err.Error(), "\n") {
					t.Errorf("Open = %v, want errOtherSchema", err)
				}
				if err := Probe(t.Context(), url); !errors.Is(err, errOtherSchema) {
					t.Errorf("Probe = %v, want errOtherSchema", err)
				}
				if after := content(t, db); after != before {
					t.Errorf("the store was\n%s\nand is\n%s", before, after)
				}
			})
		})
	}
}

// content returns the names of all tables, and the number of leases.
func content(t *testing.T, db *DB) string {
	t.Helper()
	tables := `SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
	if db.Kind == "postgres" {
		tables = `SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`
	}
	var text strings.Builder
	for _, query := range []string{tables, `SELECT COUNT(*) FROM lease`} {
		rows, err := db.Query(query)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var value string
			if err := rows.Scan(&value); err != nil {
				t.Fatal(err)
			}
			text.WriteString(value + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

func TestUnusableAddresses(t *testing.T) {
	for _, url := range []string{"", "mysql://x", "postgres://us er:hunter2@%zz/", "sqlite:///dev/null/inside/p.db"} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		db, err := Open(ctx, url, time.Second, nil)
		cancel()
		if err == nil {
			db.Close()
			t.Errorf("%q was opened", url)
		} else if msg := err.Error(); len(msg) == 0 || errors.Is(err,
			context.DeadlineExceeded) || strings.Contains(msg, "hunter2") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

func TestConnectionsAreKept(t *testing.T) {
	postgres.OnBoth(t, func(t *testing.T, url string) {
		db := open(t, url)
		var busy []io.Closer
		for range 8 {
			c, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			busy = append(busy, c)
		}
		for _, c := range busy {
			c.Close()
		}
		if n := db.Stats().MaxIdleClosed; n != 0 {
			t.Errorf("%d of 8 connections were closed when nobody needed them for a moment", n)
		}
	})
}

// TestCreatingMayTakeItsTime: the timeout that ends transactions of a stalled leader does not end
// the creation of the tables.
func TestCreatingMayTakeItsTime(t *testing.T) {
	postgres.OnBoth(t, func(t *testing.T, url string) {
		db, err := Open(t.Context(), url, 2*time.Millisecond, nil)
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
	})
}
