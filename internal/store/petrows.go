package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5/stdlib"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// petColumns are a place's columns, in the order of newPlaceRow and putPlaces.
const petColumns = "realm, here, presence, in_transit, block, changed_at, since_block, arrived_at, " +
	"id, owner, name, traits"

const selectPlaces = "SELECT " + petColumns + " FROM "

// A placeRow is a reusable target for reading rows into places.
type placeRow struct {
	place               pet.Place
	here, transit       uint8
	changed, arrived    int64
	owner, name, traits reusedBytes
	targets             []any // scan targets
}

func newPlaceRow() *placeRow {
	r := &placeRow{}
	p := &r.place
	r.targets = []any{&p.Realm, &r.here, &p.Presence, &r.transit, &p.Block, &r.changed, &p.Since, &r.arrived,
		&p.ID, &r.owner, &r.name, &r.traits}
	return r
}

// fill converts the scanned columns into the place.
func (r *placeRow) fill(form *petForm) (err error) {
	p := &r.place
	p.Here = r.here == 1
	p.InTransit = r.transit == 1
	p.Owner = common.BytesToAddress(r.owner)
	p.Name = string(r.name)
	p.ChangedAt = fromMillis(r.changed)
	p.Arrived = fromMillis(r.arrived)
	p.Value, err = form.unpack(r.traits)
	return err
}

// reusedBytes are the bytes of a column. The next row overwrites them.
type reusedBytes []byte

// ScanBytes is for pgx.
func (b *reusedBytes) ScanBytes(v []byte) error {
	*b = append((*b)[:0], v...)
	return nil
}

// Scan is for database/sql.
func (b *reusedBytes) Scan(v any) error {
	column, _ := v.([]byte) // these columns are never NULL
	return b.ScanBytes(column)
}

// placeRows keeps row buffers for later queries. Without it, most queries would make a buffer for a
// single pet.
var placeRows = sync.Pool{New: func() any { return newPlaceRow() }}

// rows is the common part of the rows of database/sql and pgx.
type rows interface {
	Next() bool
	Scan(...any) error
	Err() error
}

// eachPlace calls fn for every row. fn may copy the place, but must not keep the pointer.
func (s *Store) eachPlace(ctx context.Context, rows rows, fn func(*pet.Place)) error {
	form := s.pets()
	r := placeRows.Get().(*placeRow)
	defer placeRows.Put(r)
	for rows.Next() {
		if err := rows.Scan(r.targets...); err != nil {
			return err
		}
		if err := r.fill(form); err != nil {
			return fmt.Errorf("pet %d: %w", r.place.ID, err)
		}
		fn(&r.place)
	}
	return rows.Err()
}

// queryPlaces calls fn for every row of a query.
func (s *Store) queryPlaces(ctx context.Context, q querier, query string, args []any, fn func(*pet.Place)) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return s.eachPlace(ctx, rows, fn)
}

// lookup is queryPlaces for single pets. Most requests that miss the memory cache wait for it. On
// PostgreSQL it bypasses database/sql, which allocates an object for each column.
func (s *Store) lookup(ctx context.Context, query string, args []any, fn func(*pet.Place)) error {
	if s.db.Kind != "postgres" {
		return s.queryPlaces(ctx, s.db, query, args, fn)
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
		return s.eachPlace(ctx, rows, fn)
	})
}

// putPlaces writes places.
func (s *Store) putPlaces(ctx context.Context, tx *sql.Tx, form *petForm, places []pet.Place) error {
	columns := strings.Split(petColumns, ", ")
	for _, f := range form.columns {
		columns = append(columns, column(f))
	}
	var update []string
	for _, c := range columns {
		if c != "realm" && c != "id" {
			update = append(update, c+" = excluded."+c)
		}
	}
	conflict := "ON CONFLICT (realm, id) DO UPDATE SET " + strings.Join(update, ", ")
	return database.InsertRows(ctx, s.db, tx, "pet", columns, conflict, places,
		func(args []any, p *pet.Place) []any {
			args = append(args, p.Realm, bit(p.Here), int(p.Presence), bit(p.InTransit), int64(p.Block),
				toMillis(p.ChangedAt), int64(p.Since), toMillis(p.Arrived), int64(p.ID), packAddress(p.Owner),
				[]byte(p.Name), form.pack(p.Value))
			for _, f := range form.columns {
				args = append(args, form.number(p.Value, f))
			}
			return args
		})
}

// eachQuery calls fn with queries that together read places of all ids. If here is 1, they read the
// place where each pet is. If here is 0, they read the other places.
func eachQuery(ids []uint64, here int, fn func(query string, args []any) error) error {
	return eachIDs(ids, selectPlaces+"asked JOIN pet ON id = it AND here = "+strconv.Itoa(here), fn)
}

// eachIDs calls fn with queries that together cover all ids. In the query the ids are the column
// "it" of the table "asked". Queries join this table instead of using IN, because a planner without
// statistics, as during a first reading, would compare every row with every id.
func eachIDs(ids []uint64, query string, fn func(query string, args []any) error) error {
	full := 1
	for full < len(ids) {
		full *= 2
	}
	args := make([]any, full)
	for i := range args {
		args[i] = int64(math.MaxInt64) // no pet has this id
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
		b.WriteString(") " + query)
		return fn(b.String(), part)
	})
}

// packAddress returns the bytes of an address to store. The zero address has none.
func packAddress(a common.Address) []byte {
	if a == (common.Address{}) {
		return []byte{}
	}
	return a[:]
}
