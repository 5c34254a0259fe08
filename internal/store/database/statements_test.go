package database

import (
	"path/filepath"
	"strconv"
	"testing"
)

// TestStatementsAreParsedOnce: a connection keeps a bounded number of statements, and one whose rows
// are still read is not used twice.
func TestStatementsAreParsedOnce(t *testing.T) {
	db := open(t, "sqlite://"+filepath.Join(t.TempDir(), "p.db"))
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const count = `SELECT value FROM json_each('[1,2,3]') WHERE value > $1`
	sum := func(above, depth int) (total int) {
		t.Helper()
		var read func(int) int
		read = func(depth int) (total int) {
			rows, err := conn.QueryContext(t.Context(), count, above)
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			for rows.Next() {
				var n int
				if err := rows.Scan(&n); err != nil {
					t.Fatal(err)
				}
				if total += n; depth > 0 {
					total += read(depth - 1)
				}
			}
			return total
		}
		return read(depth)
	}
	for range 2 {
		if got := sum(0, 1); got != 6+3*6 {
			t.Errorf("rows that are read within rows of the same statement have the sum %d, want 24", got)
		}
		if got := sum(1, 0); got != 5 {
			t.Errorf("another value gives the sum %d, want 5", got)
		}
	}
	for i := range 4 * maxKeptStatements {
		if _, err := conn.ExecContext(t.Context(), "SELECT "+strconv.Itoa(i/2)); err != nil {
			t.Fatal(err)
		}
	}
	_ = conn.Raw(func(c any) error {
		kept := c.(*fileConn).kept
		if kept[count] == nil || kept[count].busy || len(kept) != maxKeptStatements {
			t.Errorf("%d statements are kept, want %d; this one is %+v", len(kept), maxKeptStatements, kept[count])
		}
		return nil
	})
}
