package database

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/pressly/goose/v3"
)

// goMigration runs statements that are not the same on every engine, all of
// them or none.
func goMigration(version int64, doing string, up ...string) *goose.Migration {
	return goose.NewGoMigration(version, &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error {
		for _, statement := range up {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", doing, err)
			}
		}
		return nil
	}}, nil)
}
