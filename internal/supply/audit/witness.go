package audit

import "petsupply/internal/supply/tlog"

// checkWitnesses checks that enough witnesses signed the head.
func (a *auditor) checkWitnesses() (err error) {
	a.report.Cosigned = []tlog.Cosignature{}
	if a.Witnesses == nil {
		return nil
	}
	if a.report.Cosigned, err = a.Witnesses.Check(a.report.Checkpoint); err != nil {
		return fault("witnesses", "%w", err)
	}
	return nil
}
