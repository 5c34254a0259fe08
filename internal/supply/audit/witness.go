package audit

import (
	"errors"
	"time"

	"filippo.io/torchwood"

	"petsupply/internal/supply/tlog"
)

// errFew means that more witnesses should have signed, and still may.
var errFew = errors.New("they were away, or saw another log")

// checkWitnesses checks that enough of the witnesses signed the head.
func (a *auditor) checkWitnesses() error {
	list, err := tlog.Cosignatures(a.report.Checkpoint, a.Witnesses...)
	if err != nil {
		return fault("witnesses", "%w", err)
	}
	a.report.Cosigned = []cosignature{}
	for _, s := range list {
		at, err := torchwood.CosignatureTimestamp(s)
		if err != nil {
			return fault("witnesses", "%s: %w", s.Name, err)
		}
		a.report.Cosigned = append(a.report.Cosigned, cosignature{Witness: s.Name, Time: time.Unix(at, 0).UTC()})
	}
	if len(list) < a.Quorum {
		return fault("witnesses",
			"the head of the log is signed by %d of the %d whose keys were given, and %d are wanted: %w",
			len(list), len(a.Witnesses), a.Quorum, errFew)
	}
	return nil
}
