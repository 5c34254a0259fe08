// Package supply turns balances on chains into published supply figures. Every amount is exact.
//
// Package ledger defines what a token's supply consists of. A refresh runs through these steps:
// Refresher.Step (refresh.go) → Measure (measure.go) → the calls of each entry (read.go) → Evidence
// and its Snapshot → Record.Judge, which publishes or holds a figure (judge.go) → its proof
// (proving.go) → Refresher.save, which stores it (write.go). In every process a Poller copies the
// stored records to the Board (poll.go), from which everyone reads a State. decision.go has the
// decisions of operators.
package supply

import (
	"errors"
	"time"
)

var (
	// ErrNotFound: no such token, row or snapshot.
	ErrNotFound = errors.New("not found")
	// ErrRejected: the measurement is complete but breaks a rule that applies to every figure.
	ErrRejected = errors.New("measurement rejected")
	// ErrNotHeld: the token has no held figure.
	ErrNotHeld = errors.New("no figure is held")
)

// clock returns now(), or time.Now() if now is nil.
func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// formatMillis formats a time with its milliseconds, as JSON does.
func formatMillis(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
