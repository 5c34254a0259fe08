package store

import (
	"context"
	"database/sql"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/jackc/pgx/v5/stdlib"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// petColumns are a place's columns, in the order of newPlaceRow and placeArgs:
// its own, then those of the pet's fields.
var petColumns = func() []string {
	columns := []string{"id", "realm", "here", "hold", "transit", "owner", "v1", "block", "changed", "since", "arrived"}
	for _, f := range pet.Fields {
		columns = append(columns, f.Column)
	}
	return columns
}()

var selectPlaces = "SELECT " + strings.Join(petColumns, ", ") + " FROM "

// A placeRow is the place that a row is read into.
type placeRow struct {
	place   pet.Place
	targets []any    // of a scan, in the order of petColumns
	convert []func() // what was scanned into the form that the place has it in
}

func newPlaceRow() *placeRow {
	r := &placeRow{}
	p := &r.place
	r.targets = []any{
		&p.ID, &p.Realm, via(r, func(n uint8) { p.Here = n == 1 }), &p.Presence, via(r, func(n uint8) { p.InTransit = n == 1 }),
		via(r, func(b []byte) { p.Owner = common.BytesToAddress(b) }), &p.Struct, &p.Block,
		via(r, func(ms int64) { p.ChangedAt = fromMillis(ms) }), &p.Since, via(r, func(ms int64) { p.Arrived = fromMillis(ms) }),
	}
	for _, f := range pet.Fields {
		target := f.Of(&p.Traits)
		switch v := target.(type) {
		case *uint64: // keeps its bits in a signed column
			target = via(r, func(n int64) { *v = uint64(n) })
		case *uint256.Int:
			target = via(r, func(b []byte) { v.SetBytes(b) })
		case *common.Address:
			target = via(r, func(b []byte) { *v = common.BytesToAddress(b) })
		case *string:
			target = via(r, func(b []byte) { *v = string(b) })
		}
		r.targets = append(r.targets, target)
	}
	return r
}

// via returns the target of a scan whose value set takes over.
func via[T any](r *placeRow, set func(T)) *T {
	v := new(T)
	r.convert = append(r.convert, func() { set(*v) })
	return v
}

// placeRows are used again, for most queries are for a single pet.
var placeRows = sync.Pool{New: func() any { return newPlaceRow() }}

// rows is what the rows of database/sql and of pgx have in common.
type rows interface {
	Next() bool
	Scan(...any) error
	Err() error
}

// eachPlace calls fn for every row, with a place that fn may keep a copy of.
func eachPlace(rows rows, fn func(*pet.Place)) error {
	r := placeRows.Get().(*placeRow)
	defer placeRows.Put(r)
	for rows.Next() {
		if err := rows.Scan(r.targets...); err != nil {
			return err
		}
		for _, convert := range r.convert {
			convert()
		}
		fn(&r.place)
	}
	return rows.Err()
}

// queryPlaces calls fn for every row of a query.
func queryPlaces(ctx context.Context, q querier, query string, args []any, fn func(*pet.Place)) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachPlace(rows, fn)
}

// lookup is queryPlaces for single pets, which most requests that are not
// answered from memory wait for. On PostgreSQL it goes past database/sql, which
// makes an object of each of a row's many columns.
func (s *Store) lookup(ctx context.Context, query string, args []any, fn func(*pet.Place)) error {
	if s.db.Kind != "postgres" {
		return queryPlaces(ctx, s.db, query, args, fn)
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(driver any) error {
		rows, err := driver.(*stdlib.Conn).Conn().Query(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		return eachPlace(rows, fn)
	})
}

// placeArgs appends a place's values, in the order of petColumns.
func placeArgs(args []any, p *pet.Place) []any {
	args = append(args, int64(p.ID), p.Realm, bit(p.Here), int(p.Presence), bit(p.InTransit), packAddress(p.Owner),
		int(p.Struct), int64(p.Block), toMillis(p.ChangedAt), int64(p.Since), toMillis(p.Arrived))
	for i := range pet.Fields {
		switch v := pet.Fields[i].Of(&p.Traits).(type) {
		case *uint8:
			args = append(args, int(*v))
		case *uint16:
			args = append(args, int(*v))
		case *uint64:
			args = append(args, int64(*v))
		case *uint256.Int:
			args = append(args, v.Bytes())
		case *common.Address:
			args = append(args, packAddress(*v))
		case *string:
			args = append(args, []byte(*v))
		}
	}
	return args
}

// putPlaces writes places.
func (s *Store) putPlaces(ctx context.Context, tx *sql.Tx, places []pet.Place) error {
	var update []string
	for _, c := range petColumns[2:] { // behind the key
		update = append(update, c+" = excluded."+c)
	}
	return database.InsertRows(ctx, s.db, tx, "pet", petColumns, "ON CONFLICT (realm, id) DO UPDATE SET "+strings.Join(update, ", "), places, placeArgs)
}

// eachQuery calls fn with a query for the places of some of the ids, those where
// their pets are (here is 1) or the others (0), until all ids had their turn. A
// query joins a list instead of comparing with one: a planner that has no
// statistics yet, as during a bootstrap, would otherwise compare every row with
// every id.
func eachQuery(ids []uint64, here int, fn func(query string, args []any) error) error {
	full := 1
	for full < len(ids) {
		full *= 2
	}
	args := make([]any, full)
	for i := range args {
		args[i] = int64(math.MaxInt64) // nobody's id
		if i < len(ids) {
			args[i] = int64(ids[i])
		}
	}
	return database.InBatches(args, 512, func(part []any) error {
		var b strings.Builder
		b.WriteString("WITH asked (it) AS (VALUES (CAST($1 AS BIGINT))")
		for i := range len(part) - 1 {
			b.WriteString(",($" + strconv.Itoa(i+2) + ")")
		}
		b.WriteString(") " + selectPlaces + "asked JOIN pet ON id = it AND here = " + strconv.Itoa(here))
		return fn(b.String(), part)
	})
}

// packAddress keeps no bytes for the zero address.
func packAddress(a common.Address) []byte {
	if a == (common.Address{}) {
		return []byte{}
	}
	return a[:]
}
