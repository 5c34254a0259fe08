package database

import (
	"context"
	"database/sql/driver"
	"maps"
)

// SQLite takes longer to parse most statements than to run them. So each connection keeps parsed
// statements, from their second use on. PostgreSQL's driver keeps statements too.
const (
	maxKeptStatements = 200
	maxKeptLength     = 2048 // bytes of text; a longer statement writes many rows and takes much memory
)

// An engineConn has the methods of the SQLite driver's connections, except those that run a
// statement without preparing it. Because these are missing, database/sql prepares each statement.
type engineConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// A fileConn is a connection that keeps its statements. Like every driver.Conn, it is used by one
// goroutine at a time.
type fileConn struct {
	engineConn
	kept map[string]*keptStatement // by query; nil for a query that was used once
}

// PrepareContext returns the kept statement for a query. If there is none, or if somebody still
// reads its rows, it prepares another.
func (c *fileConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	kept, seen := c.kept[query]
	if kept != nil && !kept.busy {
		kept.busy = true
		return kept, nil
	}
	stmt, err := c.engineConn.PrepareContext(ctx, query)
	if len(c.kept) == maxKeptStatements {
		maps.DeleteFunc(c.kept, func(_ string, kept *keptStatement) bool { return kept == nil })
	}
	switch {
	case err != nil || kept != nil || len(query) > maxKeptLength || len(c.kept) == maxKeptStatements:
		return stmt, err
	case !seen: // first use: keep only the text, because many statements run once
		c.kept[query] = nil
		return stmt, nil
	}
	kept = &keptStatement{engineStmt: stmt.(engineStmt), busy: true}
	c.kept[query] = kept
	return kept, nil
}

// Close closes the connection and its statements.
func (c *fileConn) Close() error {
	for _, kept := range c.kept {
		if kept != nil {
			kept.engineStmt.Close()
		}
	}
	return c.engineConn.Close()
}

type engineStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type keptStatement struct {
	engineStmt
	busy bool
}

// Close makes the statement free for its next user.
func (s *keptStatement) Close() error {
	s.busy = false
	return nil
}
