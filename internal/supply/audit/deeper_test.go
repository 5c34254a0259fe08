package audit

import (
	"slices"
	"strings"
	"testing"

	"petsupply/internal/supply"
)

// A head of the log before an earlier one that was read is named, even if the log that names it is
// hidden when the earlier logs are read again.
func TestALogBeforeAHiddenOneThatWasRead(t *testing.T) {
	oldest, middle, s := threeLogs(t)

	rewritten := forked(t, 2) // another history of the oldest log, signed with its key, too short to be compared
	rewritten.key = oldest.key

	older := *middle // the evidence once has an inclusion in the middle log, so the earlier logs are read again
	older.leaves = slices.Clone(middle.leaves)
	older.leaves = append(older.leaves[:2:2], s.leaves[len(s.leaves)-1])
	older.proofs = []*supply.Evidence{new(*s.proofs[0])}

	own := "/log/" + oldest.address() + "/"
	r, told, err := auditHidden(t, s, rewritten, &older, "/log/"+middle.address()+"/")
	isNamed := slices.ContainsFunc(r.Retried, func(line string) bool { return strings.Contains(line, own) }) ||
		slices.ContainsFunc(r.Previous, func(p previous) bool { return p.Log == oldest.address() })
	if !told || err == nil && !isNamed {
		t.Errorf("told %t, %v: nobody notices a head of a rewritten log at %s: %+v, %q", told, err, own, r.Previous, r.Retried)
	}
}
