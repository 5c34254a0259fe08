// Package database opens the engines of a store, a SQLite file or PostgreSQL, and creates the
// tables. Begin with Open. schema.sql defines the tables; package store reads and writes them.
package database

import (
	"database/sql"
	"errors"
	"fmt"
)

// A DB is one database on either engine. It is safe for concurrent use.
type DB struct {
	*sql.DB // connections for everyone

	// Leader has connections for the leader alone. However many callers read, the leader can write,
	// renew its lease and read the webhooks' feeds.
	Leader *sql.DB

	Kind  string // "sqlite" or "postgres"
	Clock string // SQL expression for the current time in milliseconds

	// CheckFile returns an error if the database's file was removed or replaced. CheckFile is nil
	// if there is no file.
	CheckFile func() error
}

// leaderConnections is the number of the leader's own connections: one writes, one renews the lease
// meanwhile, one is spare.
const leaderConnections = 3

// newDB opens a database. connections is the number of common connections, without the leader's.
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
	db.SetMaxIdleConns(8) // opening a connection costs more than a query
	leader.SetMaxOpenConns(leaderConnections)
	return &DB{DB: db, Leader: leader, Kind: kind, Clock: clock}, nil
}

// Close closes all connections.
func (db *DB) Close() error { return errors.Join(db.Leader.Close(), db.DB.Close()) }
