package audit

import (
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// Random snapshots and decisions in up to three logs, honest or not. The served figures are wrong if
// the latest decision about them says so, or the one about the last of their snapshots that has any.
// Their snapshots are those since the last one with other figures.
func TestRandomHistories(t *testing.T) {
	token, base := demo.Tokens()[0], measured(t)
	other := *base
	other.Locked, other.Circulating = other.Locked.Add(other.Locked), other.Circulating.Sub(other.Locked)
	for seed, random := range seeds(t, 60) {
		var now *service
		var all []service // the service after each publication
		var kept []byte
		var equal, stored []string // snapshots with the same figures; stored has those that the store still has
		var decisions []string     // ids, with a minus if wrong
		for log := range 1 + random.IntN(3) {
			before := now
			now = honest(t, 0)
			now.key, now.leaves = tlog.NewKey([32]byte{byte(20 + log)}), now.leaves[:2]
			if before != nil {
				now.follow(t, before, len(before.leaves))
			}
			record := supply.Record{}
			publish := func(figures *supply.Snapshot) {
				now.publish(t, &record, &token, figures, time.Duration(len(all))*time.Hour)
				all = append(all, *now)
				equal, stored = append(equal, now.proofs[0].Snapshot), append(stored, now.proofs[0].Snapshot)
				if figures == &other {
					equal, stored = nil, nil
				}
			}
			if log > 0 && random.IntN(3) > 0 && len(equal) > 0 { // begin with an earlier snapshot
				of := all[len(all)-1-random.IntN(len(equal))]
				stored = slices.Clone(equal[:slices.Index(equal, of.proofs[0].Snapshot)+1])
				repeat(now, &of)
				record.Snapshot = &supply.Snapshot{ID: of.proofs[0].Snapshot}
			}
			for kept = nil; len(now.leaves) < 4+random.IntN(8); {
				if kept == nil || random.IntN(3) == 0 {
					kept = now.checkpoint(t)
				}
				switch random.IntN(10) {
				case 0:
					publish(&other)
				case 1, 2, 3, 4:
					publish(base)
				default:
					if len(stored) == 0 {
						continue
					}
					id, kind, sign := stored[random.IntN(len(stored))], supply.Correct, "-"
					if random.IntN(2) == 0 {
						kind, sign = supply.UndoCorrect, ""
					}
					now.leaves, decisions = append(now.leaves, decided(kind, id)), append(decisions, sign+id)
				}
			}
			if len(equal) == 0 || record.Snapshot == nil {
				publish(base)
			}
		}
		wrong, last := false, ""
		for _, d := range decisions {
			id := strings.TrimPrefix(d, "-")
			if at := slices.Index(equal, id); at >= 0 {
				if wrong = d != id; last == "" || at >= slices.Index(equal, strings.TrimPrefix(last, "-")) {
					last = d
				}
			}
		}
		wrong = wrong || strings.HasPrefix(last, "-")
		for _, since := range [][]byte{nil, kept} {
			_, err := now.run(t, since)
			if wrong != (err != nil) || wrong && !strings.Contains(err.Error(), "as wrong") {
				t.Errorf("seed %d, since %q: %v, want wrong: %v", seed, since, err, wrong)
			}
		}
	}
}
