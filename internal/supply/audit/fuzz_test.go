package audit

import (
	"strings"
	"testing"

	"petsupply/internal/supply"
)

// Whatever a hostile service answers at one address, the audit ends with a fault, with an error, or
// with a report. No other figure is accepted.
func FuzzAnswers(f *testing.F) {
	base := honest(f).prove("jewel")
	base.decide(supply.Accept, "jewel", supply.Heights, base.tokens[0].state.Snapshot.AsOf)
	targets := []string{"/jewel/totalsupply", "/jewel/totalsupply?format=json", "/", "/jewel", "/jewel/evidence",
		"/jewel/evidence?snapshot=" + base.newest(), "/jewel/proof", "/jewel/ledger", "/log/key", "/log/checkpoint",
		"/log/" + base.address() + "/checkpoint", base.tile0(), strings.Replace(base.tile0(), "entries", "0", 1)}
	for i, target := range targets {
		body, _ := base.honestly(target)
		f.Add(uint8(i), body)
	}
	f.Fuzz(func(t *testing.T, which uint8, body string) {
		target := targets[int(which)%len(targets)]
		if strings.HasPrefix(body, "status ") { // see service.answer
			return
		}
		s := base.clone()
		s.answer[target] = body
		_, err := once(t, s)
		right, _ := base.honestly(target)
		if body == right && err != nil {
			t.Errorf("%s is accused: %v", target, err)
		}
		if target == "/jewel/totalsupply" && body != right && err == nil {
			t.Errorf("%q is accepted instead of %q", body, right)
		}
	})
}
