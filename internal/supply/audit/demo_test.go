package audit

import (
	"strings"
	"testing"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// Only figures that are invented at all their addresses are those of a demo. The summary of a demo
// does not list the blocks that the reader has to believe.
func TestADemoOnlyInTheList(t *testing.T) {
	s := honest(t, 3)
	d := s.newest[0]
	d.Status = supply.Unavailable // any other status
	for _, path := range []string{"/jewel", "/jewel/"} {
		s.answer[path] = string(tlog.Encode(d))
	}
	if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), `its status is "unavailable", but "demo" in the list`) {
		t.Error(err)
	}
}
