package kingdom

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// check compares the kingdom's own record with the chains: every pet is in exactly one place, and
// in the right one.
func check(t *testing.T, k *Kingdom) {
	t.Helper()
	places := k.Places()
	var ids []uint64
	for id := range places {
		ids = append(ids, id)
	}
	at := map[uint64][]*Realm{}
	for _, r := range k.Realms {
		owners, err := r.Owners(t.Context(), ids)
		must(t, err)
		for i, id := range ids {
			if owners[i] == (common.Address{}) || owners[i] == r.Custody {
				continue
			}
			at[id] = append(at[id], r)
			if places[id].Realm == r && owners[i] != places[id].Owner {
				t.Errorf("pet %d belongs to %s in %s, want %s", id, owners[i], r.Name, places[id].Owner)
			}
		}
	}
	for id, p := range places {
		switch found := at[id]; {
		case p.Transit && len(found) == 0:
		case !p.Transit && len(found) == 1 && found[0] == p.Realm:
		default:
			t.Errorf("pet %d is in %d realms, want %+v", id, len(found), p)
		}
	}
}

func TestKingdom(t *testing.T) {
	k, ctx := Test(t, Options{Seed: 7}), t.Context()
	before, err := k.Books(ctx)
	must(t, err)
	var said int
	for range 60 {
		what, err := k.Step(ctx, 10)
		must(t, err)
		said += len(what)
	}
	if said < 400 {
		t.Errorf("only %d things happened in 60 rounds", said)
	}
	check(t, k)
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
	must(t, err)
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

func TestReorg(t *testing.T) {
	k, ctx := Test(t, Options{Seed: 3, NoTokens: true, Pets: 10}), t.Context()
	for i := range 12 {
		for range 10 {
			_, err := k.Step(ctx, 12)
			must(t, err)
		}
		must(t, k.Reorg(ctx, k.Realms[i%len(k.Realms)], 1+i%5))
	}
	_, err := k.Step(ctx, 12)
	must(t, err)
	if err := Test(t, Options{Pets: 1}).Reorg(ctx, k.Realms[0], 1); err == nil {
		t.Error("a kingdom with tokens was reorganised")
	}
}
