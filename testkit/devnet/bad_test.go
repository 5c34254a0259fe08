package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
)

// badProviders are faults of a chain's only node, and how the log describes them.
var badProviders = []struct {
	name, word string
	fault      func(k *kingdom.Kingdom, c *kingdom.Chain, height uint64) faultproxy.Fault
}{
	{"of another chain", "answers for chain ", func(k *kingdom.Kingdom, c *kingdom.Chain, _ uint64) faultproxy.Fault {
		other := k.Chains[0]
		if other == c {
			other = k.Chains[1]
		}
		return faultproxy.OtherChain(other.URL)
	}},
	{"syncing", "is still syncing: at block ", func(_ *kingdom.Kingdom, _ *kingdom.Chain, height uint64) faultproxy.Fault {
		return faultproxy.Syncing(height-4, height+1000)
	}},
	{"forgot its last blocks", " went back from block ",
		func(_ *kingdom.Kingdom, _ *kingdom.Chain, height uint64) faultproxy.Fault {
			return faultproxy.Behind(height - 8) // before the last change, when figures were last published
		}},
	{"logs but no state", "keeps no state of block ", func(*kingdom.Kingdom, *kingdom.Chain, uint64) faultproxy.Fault {
		return faultproxy.Forgets(0, "missing trie node 12ab (path )")
	}},
}

// TestBadProviders: whatever happens to a chain's only provider, the log says so clearly, and the
// last known figures and pets are served. Once it works again, everything is current and right.
func TestBadProviders(t *testing.T) {
	k, ctx := kingdom.Test(t, kingdom.Options{Seed: 13}), t.Context()
	program, err := program()
	must(t, err)
	services := make([]*limitedService, len(badProviders))
	for i, bad := range badProviders {
		services[i] = &limitedService{limitCase: &limitCase{name: bad.name, fault: faultproxy.None}}
		services[i].start(t, k, program)
	}
	play := func() {
		for range 4 {
			_, err := k.Step(ctx, 5)
			must(t, err)
		}
		must(t, k.Settle(ctx))
	}
	play()
	t.Run("well", func(t *testing.T) { tellTheTruth(t, k, services) })
	pet := anyPet(k)
	for i, s := range services {
		for j, c := range k.Chains {
			height, err := c.Height(ctx)
			must(t, err)
			s.proxies[j].Set(badProviders[i].fault(k, c, height))
		}
	}
	t.Run("bad", func(t *testing.T) {
		for i, s := range services {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				within(t, func() error { return s.says(badProviders[i].word) })
				for _, path := range []string{"/supply/jewel/totalsupply", fmt.Sprintf("/pets/token/%d", pet)} {
					if status, body, err := get(s.base + path); err != nil || status != http.StatusOK {
						t.Errorf("%s answers %d %s (%v)", path, status, body, err)
					}
				}
			})
		}
	})
	play()
	for _, s := range services {
		for _, p := range s.proxies {
			p.Set(faultproxy.None())
		}
	}
	t.Run("well again", func(t *testing.T) { tellTheTruth(t, k, services) })
}

// says looks for a text in the service's log.
func (s *limitedService) says(word string) error {
	if !strings.Contains(s.running.Output.String(), word) {
		return fmt.Errorf("its log does not have %q; it ends:\n%s", word, s.running.Output.Tail())
	}
	return nil
}

func anyPet(k *kingdom.Kingdom) (id uint64) {
	for id = range k.Places() {
		break
	}
	return id
}
