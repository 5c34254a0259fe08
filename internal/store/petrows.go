package store

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/jackc/pgx/v5/stdlib"

	"petsupply/internal/pet"
)

// petColumns are a place's columns, in the order of scanPlace and placeArgs.
const petColumns = `id, realm, here, hold, transit, owner, name, origin, season, egg, rarity, element, bonuses,
	gathering, gathering_scalar, crafting, crafting_scalar, combat, combat_scalar, appearance, background, shiny,
	hungry, equippable, equipped, fed_by, food, v1, block, changed, since, arrived`

const petColumnCount = 32

// eachPlace calls fn for every row, and closes rows.
func eachPlace(rows *sql.Rows, fn func(pet.Place)) error {
	defer rows.Close()
	return places(rows, fn)
}

// cursor is what the rows of database/sql and of pgx have in common.
type cursor interface {
	Next() bool
	Scan(...any) error
	Err() error
}

func places(rows cursor, fn func(pet.Place)) error {
	for rows.Next() {
		p, err := scanPlace(rows)
		if err != nil {
			return err
		}
		fn(p)
	}
	return rows.Err()
}

// lookUp calls fn for every row of a query for single pets, which most requests
// that are not answered from memory wait for. On PostgreSQL it goes past
// database/sql, which makes an object of each of a row's many columns.
func (s *Store) lookUp(ctx context.Context, query string, args []any, fn func(pet.Place)) error {
	if s.kind != "postgres" {
		rows, err := s.db.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		return eachPlace(rows, fn)
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
		return places(rows, fn)
	})
}

func scanPlace(rows cursor) (pet.Place, error) {
	var p pet.Place
	var here, transit, v1 uint8
	var hungry, equippable, changed, arrived int64
	var owner, name, equipped, fedBy []byte
	err := rows.Scan(&p.ID, &p.Realm, &here, &p.Hold, &transit, &owner, &name, &p.Origin, &p.Season, &p.Egg, &p.Rarity, &p.Element, &p.BonusCount,
		&p.Gathering, &p.GatheringScalar, &p.Crafting, &p.CraftingScalar, &p.Combat, &p.CombatScalar, &p.Appearance, &p.Background, &p.Shiny,
		&hungry, &equippable, &equipped, &fedBy, &p.FoodType, &v1, &p.Block, &changed, &p.Since, &arrived)
	if err != nil {
		return p, err
	}
	p.Here, p.InTransit, p.StructV1 = here == 1, transit == 1, v1 == 1
	p.Owner, p.FedBy = common.BytesToAddress(owner), common.BytesToAddress(fedBy)
	p.Name = string(name)
	p.HungryAt, p.EquippableAt = uint64(hungry), uint64(equippable)
	p.EquippedTo.SetBytes(equipped)
	p.ChangedAt, p.Arrived = fromMillis(changed), fromMillis(arrived)
	return p, nil
}

// placeArgs appends a place's values.
func placeArgs(args []any, p *pet.Place) []any {
	return append(args, int64(p.ID), p.Realm, digit(p.Here), int(p.Hold), digit(p.InTransit), packAddress(p.Owner), []byte(p.Name),
		int(p.Origin), int(p.Season), int(p.Egg), int(p.Rarity), int(p.Element), int(p.BonusCount),
		int(p.Gathering), int(p.GatheringScalar), int(p.Crafting), int(p.CraftingScalar), int(p.Combat), int(p.CombatScalar),
		int(p.Appearance), int(p.Background), int(p.Shiny),
		int64(p.HungryAt), int64(p.EquippableAt), p.EquippedTo.Bytes(), packAddress(p.FedBy), int(p.FoodType), digit(p.StructV1),
		int64(p.Block), toMillis(p.ChangedAt), int64(p.Since), toMillis(p.Arrived))
}

func digit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// upsertPets is the statement that writes n places, with the given placeholder
// for its i-th value.
func upsertPets(n int, mark func(i int) string) string {
	var b strings.Builder
	b.WriteString("INSERT INTO pet (" + petColumns + ") VALUES ")
	for i := range n * petColumnCount {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%petColumnCount == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		b.WriteString(mark(i))
	}
	b.WriteString(") ON CONFLICT (realm, id) DO UPDATE SET ")
	for i, column := range strings.Split(petColumns, ",") {
		if column = strings.TrimSpace(column); column != "id" && column != "realm" {
			if i > 2 {
				b.WriteByte(',')
			}
			b.WriteString(column + " = excluded." + column)
		}
	}
	return b.String()
}

// sizes are how many places a statement writes: few different ones, so that the
// engine parses few texts.
var sizes = []int{64, 8, 1}

// upserts are the statements by engine and size. The embedded engine takes time
// by the square of parameters that have names, and numbers are names to it.
var upserts = map[string]map[int]string{"sqlite": {}, "postgres": {}}

func init() {
	for _, n := range sizes {
		upserts["sqlite"][n] = upsertPets(n, func(int) string { return "?" })
		upserts["postgres"][n] = upsertPets(n, func(i int) string { return "$" + strconv.Itoa(i+1) })
	}
}

// putPlaces writes places by the statements of an engine, as few as may be.
func putPlaces(ctx context.Context, tx *sql.Tx, upserts map[int]string, places []pet.Place) error {
	for _, size := range sizes {
		n := len(places) / size * size
		if n == 0 {
			continue
		}
		if err := putEqual(ctx, tx, upserts[size], size, places[:n]); err != nil {
			return err
		}
		places = places[n:]
	}
	return nil
}

// putEqual writes places by a statement that takes so many at a time.
func putEqual(ctx context.Context, tx *sql.Tx, text string, size int, places []pet.Place) error {
	put, err := tx.PrepareContext(ctx, text)
	if err != nil {
		return err
	}
	defer put.Close()
	args := make([]any, 0, size*petColumnCount)
	for part := range slices.Chunk(places, size) {
		args = args[:0]
		for i := range part {
			args = placeArgs(args, &part[i])
		}
		if _, err := put.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// petsAmong is the query for the places of n ids, those where their pets are
// (here is "1") or the others ("0"). It joins a list instead of comparing with
// one: a planner that has no statistics yet, as during a bootstrap, would
// otherwise compare every row with every id.
func petsAmong(n int, here string) string {
	var b strings.Builder
	b.WriteString("WITH asked (it) AS (VALUES (CAST($1 AS BIGINT))")
	for i := range n - 1 {
		b.WriteString(",($" + strconv.Itoa(i+2) + ")")
	}
	b.WriteString(") SELECT " + petColumns + " FROM asked JOIN pet ON id = it AND here = " + here)
	return b.String()
}

// petsWithin is the query for the places of all ids from $1 to $2.
func petsWithin(here string) string {
	return "SELECT " + petColumns + " FROM pet WHERE here = " + here + " AND id >= $1 AND id <= $2"
}

// chunks calls fn with parts of ids whose lengths are few different ones, the
// last filled up with what is nobody's id: few statement texts again.
func chunks(ids []uint64, fn func([]uint64) error) error {
	for len(ids) > 0 {
		size := 1
		for size < min(len(ids), 512) {
			size *= 2
		}
		part := ids[:min(size, len(ids))]
		ids = ids[len(part):]
		for len(part) < size {
			part = append(part[:len(part):len(part)], math.MaxUint64)
		}
		if err := fn(part); err != nil {
			return err
		}
	}
	return nil
}

func idArgs(ids []uint64) []any {
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = int64(id)
	}
	return args
}
