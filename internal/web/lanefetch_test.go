package web

import (
	"bytes"
	"context"
	"net/netip"
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// askedPets records the ids of pets that were looked up.
type askedPets struct {
	*petSource
	IDs []uint64
}

func (c *askedPets) Prepared(ctx context.Context, id uint64) (*pet.Prepared, error) {
	c.IDs = append(c.IDs, id)
	return c.petSource.Prepared(ctx, id)
}

const (
	askFirst = "GET /pets/token/1 HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"
	askNone  = "GET /pets/token/999999 HTTP/1.1\r\nHost: localhost:8080\r\n\r\n"
)

func TestAPetThatIsNotInMemoryIsLookedUpInTheLane(t *testing.T) {
	k := newKit(t, oneHost())
	asked := &askedPets{petSource: k.pets}
	k.Server.pets.pets = asked
	plain, laned := sockets(t, k)
	alike(t, plain, laned, []byte(askFirst+askFirst), nil)
	if n := k.answered(); n != 2 {
		t.Errorf("the lane answered %v of 2 itself", n)
	}
	// net/http answers that the pet does not exist, and also answers the requests that follow.
	asked.IDs = nil
	alike(t, plain, laned, []byte(askNone+askNone), nil)
	if len(asked.IDs) != 2+3 {
		t.Errorf("a missing pet was looked up %d times for 4 callers", len(asked.IDs))
	}
}

// An answer costs the same in the lane and behind it.
func TestTheLaneChargesLikeNetHTTP(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 0.001, Burst: 10}
	for name, ask := range map[string]string{"a pet": askFirst, "no pet": askNone} {
		k := newKit(t, cfg)
		plain, laned := sockets(t, k)
		for i := range 10 {
			if out := []*plug{plain, laned}[i%2].talk(t, []byte(ask), nil); bytes.HasPrefix(out, []byte("HTTP/1.1 429 ")) {
				t.Errorf("%s: refused after %d", name, i)
			}
		}
		for _, p := range []*plug{plain, laned} {
			if out := p.talk(t, []byte(ask), nil); !bytes.HasPrefix(out, []byte("HTTP/1.1 429 ")) {
				t.Errorf("%s: the eleventh was answered with %.40q", name, out)
			}
		}
	}
}

func TestTheLaneLooksUpNoPetForAProxy(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1000, Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	k := newKit(t, cfg)
	plain, laned := sockets(t, k)
	alike(t, plain, laned, []byte(askFirst), nil)
	if n := k.answered(); n != 0 {
		t.Errorf("the lane looked up %v pets for callers behind a proxy", n)
	}
}
