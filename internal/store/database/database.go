// Package database opens the two engines that a store can be on, a file of SQLite
// or a PostgreSQL, and brings the tables up to date. Begin with Open. Its
// migrations say what tables there are; what is read from them and written there is
// the store's.
package database

import (
	"database/sql"
	"errors"
	"fmt"
)

// A DB is one database on either engine. It is safe for concurrent use.
type DB struct {
	*sql.DB // connections that anyone may use

	// Leader are connections for the leader alone, so that however many read, it
	// can write, renew its lease and read the feeds of webhooks.
	Leader *sql.DB

	Kind  string // "sqlite" or "postgres"
	Clock string // the engine's expression for now, in milliseconds

	// CheckFile returns an error if the file of the database was removed or replaced.
	// nil: there is no file.
	CheckFile func() error
}

// leaderConnections are the leader's own: one that writes, one that renews the
// lease meanwhile, and one to spare.
const leaderConnections = 3

// newDB makes a database of a kind with so many connections that anyone may
// use, and the leader's beside them.
func newDB(kind, clock string, connections int, open func() (*sql.DB, error)) (*DB, error) {
	db, err := open()
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	leader, err := open()
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(8) // opening one costs more than a query
	leader.SetMaxOpenConns(leaderConnections)
	return &DB{DB: db, Leader: leader, Kind: kind, Clock: clock}, nil
}

// Close ends every connection.
func (db *DB) Close() error { return errors.Join(db.Leader.Close(), db.DB.Close()) }
