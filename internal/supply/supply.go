// Package supply turns balances on chains into published supply figures. Every
// amount is exact.
//
// What a token's supply is made of is in package ledger. A refresh reads
// top-down: Refresher.Step (refresh.go) → Measurer.Measure (measure.go) → the
// calls of each entry (plan.go) → Evidence and its Snapshot →
// Record.Judge, which decides whether a figure is published or held (judge.go)
// → recordWriter.save, which stores it (write.go) → Board, from which everyone
// reads a State. Other processes read the same from the store by a Poller. What
// operators decide is in decision.go.
package supply

import (
	"errors"
	"time"
)

var (
	// ErrNotFound: no such token, row or snapshot.
	ErrNotFound = errors.New("not found")
	// ErrRejected: the measurement was whole but breaks a rule that every figure keeps.
	ErrRejected = errors.New("measurement rejected")
	// ErrNotHeld: nothing of this token waits for a release.
	ErrNotHeld = errors.New("no figure is held")
)

// clock returns the time by now, or by time.Now if that is nil.
func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// formatMillis is a moment as documents have it.
func formatMillis(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
