package audit

import (
	"errors"

	"petsupply/internal/supply/tlog"
)

// errFew: more witnesses should have signed, and may yet.
var errFew = errors.New("they were away, or saw another log")

// checkWitnesses checks which of the witnesses signed the head.
func (a *auditor) checkWitnesses() error {
	list, err := tlog.Cosignatures(a.report.Checkpoint, a.Witnesses...)
	if err != nil {
		return fault("witnesses", "%w", err)
	}
	a.report.Cosigned = append([]tlog.Cosignature{}, list...)
	if len(list) < a.Quorum {
		return fault("witnesses", "the head of the log is signed by %d of the %d whose keys were given, and %d are wanted: %w", len(list), len(a.Witnesses), a.Quorum, errFew)
	}
	return nil
}
