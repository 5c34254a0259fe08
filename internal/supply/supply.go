// Package supply turns balances on chains into published supply figures: start
// with Token and its Ledger, then Measure, Judge, and the Refresher that runs
// them and hands each result to the Board. Every amount is exact.
package supply

import "errors"

var (
	// ErrNotFound: no such token, row or snapshot.
	ErrNotFound = errors.New("not found")
	// ErrRejected: the measurement was whole but breaks a rule that every figure keeps.
	ErrRejected = errors.New("measurement rejected")
	// ErrNotHeld: nothing of this token waits for a release.
	ErrNotHeld = errors.New("no figure is held")
)
