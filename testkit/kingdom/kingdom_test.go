package kingdom

import (
	"math/big"
	"testing"

	"petsupply/internal/config"
	"petsupply/testkit/check"
)

// compare compares the kingdom's own record with the chains: every pet is in exactly one place, and
// in the right one.
func compare(t *testing.T, k *Kingdom) {
	t.Helper()
	for id, p := range k.Places() {
		var at []*Realm
		for _, r := range k.Realms {
			out, err := r.Chain.Call(t.Context(), r.Contract, "ownerOf", new(big.Int).SetUint64(id))
			if err != nil || out[0] == r.Custody {
				continue
			}
			at = append(at, r)
			if p.Realm == r && out[0] != p.Owner {
				t.Errorf("pet %d belongs to %s in %s, want %s", id, out[0], r.Name, p.Owner)
			}
		}
		switch {
		case p.Transit && len(at) == 0:
		case !p.Transit && len(at) == 1 && at[0] == p.Realm:
		default:
			t.Errorf("pet %d is in %d realms, want %+v", id, len(at), p)
		}
	}
}

func TestKingdom(t *testing.T) {
	k, ctx := Test(t, Options{Seed: 7}), t.Context()
	before, err := k.Books(ctx)
	check.Must(t, err)
	var said int
	for range 60 {
		what, err := k.Step(ctx, 10)
		check.Must(t, err)
		said += len(what)
	}
	if said < 400 {
		t.Errorf("only %d things happened in 60 rounds", said)
	}
	compare(t, k)
	travelled := 0
	for id, p := range k.Places() {
		if p.Realm != k.home(id) {
			travelled++
		}
	}
	if travelled == 0 {
		t.Error("no pet is a guest anywhere")
	}
	after, err := k.Books(ctx)
	check.Must(t, err)
	for path, b := range after {
		for name, v := range map[string]*big.Int{"total": b.Total, "circulating": b.Circulating, "burned": b.Burned,
			"locked": b.Locked, "reserved": b.Reserved} {
			if v.Sign() <= 0 {
				t.Errorf("%s: %s is %s", path, name, v)
			}
		}
		if b.Total.Cmp(before[path].Total) == 0 {
			t.Errorf("%s: the total never moved", path)
		}
	}
	if len(after) != 3 {
		t.Errorf("there are %d tokens, want 3", len(after))
	}
}

func TestConfigIsAccepted(t *testing.T) {
	k := Test(t, Options{Pets: 2})
	text := k.Config(Settings{Top: "site_url: http://localhost:8080/",
		Nodes: map[string][]string{"second": {"http://127.0.0.1:1", "http://127.0.0.1:2", "http://127.0.0.1:3"}}})
	cfg, err := config.Load("devnet.yaml", []byte(text), func(string) string { return "" })
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if len(cfg.Tokens) != 3 || len(cfg.Realms) != 4 || len(cfg.Chains["second"].RPC) != 3 {
		t.Errorf("the file has %d tokens, %d realms, %d nodes of the second chain", len(cfg.Tokens), len(cfg.Realms),
			len(cfg.Chains["second"].RPC))
	}
}
