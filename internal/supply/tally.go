package supply

import (
	"fmt"
	"maps"
	"slices"
)

// A tally is a ledger with an amount for every entry, from which figures
// follow. Measure and Verify share it, so that both mean the same formula.
type tally struct {
	decimals int
	max      *Amount
	bridges  map[string]Bridge
	entries  []EvidenceEntry // Entry and Amount are used
}

// figures adds the entries up.
func (y tally) figures() Figures {
	f := Figures{Total: Zero(y.decimals), Burned: Zero(y.decimals), Locked: Zero(y.decimals), Reserved: Zero(y.decimals)}
	t := Token{Bridges: y.bridges}
	for _, e := range y.entries {
		switch e.Entry.Bucket {
		case Issued:
			if t.counted(e.Entry) {
				f.Total = f.Total.Add(e.Amount)
			}
		case Burned:
			f.Burned = f.Burned.Add(e.Amount)
		case Locked:
			f.Locked = f.Locked.Add(e.Amount)
		case Reserved:
			f.Reserved = f.Reserved.Add(e.Amount)
		}
	}
	f.Total = f.Total.Sub(f.Burned)
	f.Circulating = f.Total.Sub(f.Locked).Sub(f.Reserved)
	return f
}

// check returns the first rule that the figures break: 0 < circulating ≤ total
// ≤ maximum, and every bridge conserves.
func (y tally) check(f Figures) error {
	switch {
	case f.Total.Sign() <= 0:
		return fmt.Errorf("total is %s, not above 0: %w", f.Total, ErrRejected)
	case f.Circulating.Sign() <= 0:
		return fmt.Errorf("circulating is %s, not above 0 (total %s, locked %s, reserved %s): %w",
			f.Circulating, f.Total, f.Locked, f.Reserved, ErrRejected)
	case f.Circulating.Cmp(f.Total) > 0:
		return fmt.Errorf("circulating %s is above the total %s: %w", f.Circulating, f.Total, ErrRejected)
	case y.max != nil && f.Total.Cmp(*y.max) > 0:
		return fmt.Errorf("total %s is above the maximum %s: %w", f.Total, *y.max, ErrRejected)
	}
	for _, name := range slices.Sorted(maps.Keys(y.bridges)) {
		if err := y.conserves(name, y.bridges[name]); err != nil {
			return err
		}
	}
	return nil
}

// conserves checks that a lock-and-mint bridge has not minted more than it
// holds, but for what is in flight. A burn-and-mint bridge holds nothing.
func (y tally) conserves(name string, b Bridge) error {
	if b.Count != CountSource {
		return nil
	}
	escrow, remote, slack := Zero(y.decimals), Zero(y.decimals), Zero(y.decimals)
	if b.Slack != nil {
		slack = *b.Slack
	}
	for _, e := range y.entries {
		switch {
		case e.Entry.Bridge != name:
		case e.Entry.Bucket == Escrowed:
			escrow = escrow.Add(e.Amount)
		case e.Entry.Bucket == Issued:
			remote = remote.Add(e.Amount)
		}
	}
	if remote.Cmp(escrow.Add(slack)) > 0 {
		return fmt.Errorf("bridge %s: remote supply %s is above escrow %s plus slack %s: %w",
			name, remote, escrow, slack, ErrRejected)
	}
	return nil
}
