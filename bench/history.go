package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"time"

	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// momentTime is how long finding a moment may take, in milliseconds, with any number of readings.
const momentTime = 2

// readMoments looks up moments by time. It returns how many milliseconds
// each look-up took.
func readMoments(ctx context.Context, s *store.Store, size, times int) ([]float64, error) {
	var took []float64
	for range times {
		number := 1 + rand.IntN(size)
		m := supply.Moment{At: time.UnixMilli(60_000*int64(number) + 59_000)}
		began := time.Now()
		p, err := s.PublishedAt(ctx, "jewel", m)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if err != nil || p.Total.String() != strconv.Itoa(number) {
			return nil, fmt.Errorf("the total of reading %d of %d is %s (error: %v)", number, size, p.Total, err)
		}
	}
	return took[times/10:], nil // without the warm-up
}

// historyTime is how long a token's history may take, in milliseconds.
const historyTime = 20

// history returns a benchmark that reads a token's history. sizes are the numbers of rows to try.
// There is one row a minute.
func history(sizes ...int) func(context.Context, *harness) ([]row, error) {
	return func(ctx context.Context, h *harness) (rows []row, err error) {
		if h.quick {
			sizes = []int{10_000}
		}
		for _, size := range sizes {
			for engine, open := range map[string]func(context.Context, int) (*store.Store, error){"SQLite": h.readingsSQLite,
				"PostgreSQL": h.readingsPostgres} {
				s, err := open(ctx, size)
				if err != nil {
					return nil, fmt.Errorf("making %d readings on %s: %w", size, engine, err)
				}
				got, err := h.historyOf(ctx, s, size, engine)
				if err != nil {
					return nil, err
				}
				rows = append(rows, got...)
			}
		}
		return rows, nil
	}
}

// historyOf reads all of a token's history in 200 points, and single moments of it. Then it closes
// the store.
func (h *harness) historyOf(ctx context.Context, s *store.Store, size int, engine string) ([]row, error) {
	defer s.Close()
	took, err := readHistory(ctx, s, size, 20*h.rounds)
	if err != nil {
		return nil, err
	}
	moments, err := readMoments(ctx, s, size, 200*h.rounds)
	if err != nil {
		return nil, err
	}
	many := ledger.Grouped(strconv.Itoa(size))
	return []row{
		within(fmt.Sprintf("history of %s snapshots in 200 points, %s", many, engine), "ms", historyTime, took),
		within(fmt.Sprintf("past state among %s snapshots, by time or block, %s", many, engine), "ms", momentTime, moments),
	}, nil
}

// readHistory reads a token's history several times. It returns how many milliseconds each read
// took.
func readHistory(ctx context.Context, s *store.Store, size, times int) ([]float64, error) {
	var took []float64
	for range times {
		began := time.Now()
		points, err := s.History(ctx, "jewel", time.UnixMilli(0), time.UnixMilli(60_000*int64(size)), 200)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		if err != nil || len(points) != 200 || points[199].Total.String() != strconv.Itoa(size) {
			return nil, fmt.Errorf("the history of %d figures has %d points and is wrong (%v)", size, len(points), err)
		}
	}
	return took[times/10:], nil // without the warm-up
}

const readingTable = `INSERT INTO reading (token, number, taken, least, measured, snapshot, ledger, total, circulating, burned, locked, reserved, blocks, daily)
	SELECT 'jewel', i, i * 60000, i * 60000, i * 60000, CAST(i AS TEXT), 'ledger', CAST(i AS TEXT), '1', '0', '0', '0', '[]', 0 FROM `

func (h *harness) readingsSQLite(ctx context.Context, size int) (*store.Store, error) {
	file := filepath.Join(h.dir, fmt.Sprintf("readings-%d.db", size))
	return fillSQLite(ctx, file, fmt.Sprintf(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) %s n`, size, readingTable))
}

func (h *harness) readingsPostgres(ctx context.Context, size int) (*store.Store, error) {
	pg, err := h.postgres()
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("readings%d", size)
	address, err := pg.Database(name)
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, address, time.Minute, nil)
	if err != nil {
		return nil, err
	}
	return s, pg.Execute(name, fmt.Sprintf(`%s generate_series(1::bigint, %d) AS n (i)`, readingTable, size),
		"VACUUM ANALYZE reading")
}
