package evm

import (
	"bytes"
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
)

const testChain = 53935

var totalSupply = common.FromHex("0x18160ddd")

// A kingdom is a real node with proxies in front of it. Its token's supply equals the block number.
type kingdom struct {
	*anvil.Node
	token   common.Address
	proxies []*faultproxy.Proxy
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newKingdom(t testing.TB, proxies int, o anvil.Options) *kingdom {
	t.Helper()
	o.Chain = testChain
	k := &kingdom{Node: anvil.Test(t, o)}
	token, err := k.Deploy(t.Context(), "Token", "Coin", "COIN", uint8(18), new(big.Int))
	must(t, err)
	k.token = token
	height, err := k.Height(t.Context())
	must(t, err)
	must(t, k.Send(t.Context(), token, "mint", k.Accounts[1], new(big.Int).SetUint64(height+1)))
	k.grow(t, 10)
	return k.behindProxies(t, proxies)
}

// behindProxies returns the same node with proxies of its own.
func (k *kingdom) behindProxies(t testing.TB, n int) *kingdom {
	same := &kingdom{Node: k.Node, token: k.token}
	for range n {
		same.proxies = append(same.proxies, faultproxy.Test(t, k.URL))
	}
	return same
}

// grow mines blocks that mint one token each.
func (k *kingdom) grow(t testing.TB, blocks int) {
	t.Helper()
	for range blocks {
		must(t, k.Send(t.Context(), k.token, "mint", k.Accounts[1], big.NewInt(1)))
	}
}

func (k *kingdom) dial(t testing.TB, cfg Config) *Chain {
	t.Helper()
	var urls []string
	for _, p := range k.proxies {
		urls = append(urls, p.URL)
	}
	cfg.ID = testChain
	if cfg.Timeout == 0 {
		cfg.Timeout = 1500 * time.Millisecond
	}
	return dial(t, cfg, urls...)
}

// refresh pins a block, reads the supply there, and fails the test if the supply is wrong.
func (k *kingdom) refresh(t testing.TB, c *Chain) (Block, error) {
	t.Helper()
	b, err := c.Pin(t.Context(), time.Time{})
	if err != nil {
		return b, err
	}
	out, err := c.Read(t.Context(), b, []Call{{To: k.token, Data: totalSupply}})
	if err == nil && !bytes.Equal(out[0], word(b.Number)) {
		t.Errorf("the supply at block %d is %x", b.Number, out[0])
	}
	return b, err
}

// TestPinnedReads reads at a pinned block, with Multicall3 and without.
func TestPinnedReads(t *testing.T) {
	for name, bare := range map[string]bool{"multicall": false, "batch": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newKingdom(t, 0, anvil.Options{Bare: bare})
			c := dial(t, Config{ID: testChain, Quorum: 2}, k.URL, k.URL)
			ctx := t.Context()
			b, err := k.refresh(t, c)
			must(t, err)
			k.grow(t, 3)
			out, err := c.Read(ctx, b, []Call{
				{To: k.token, Data: totalSupply},
				{To: k.Accounts[2], Balance: true},
				{To: k.token, Data: []byte{1, 2, 3, 4}, MayRevert: true}, // reverts without data
				{To: k.Accounts[3], Data: totalSupply},                   // no code there
				{To: k.token, Data: append(common.FromHex("0xa9059cbb"), make([]byte, 31)...), MayRevert: true},
			})
			must(t, err)
			rich, _ := new(big.Int).SetString("1000000000000000000000000000000", 10)
			if !bytes.Equal(out[0], word(b.Number)) || new(big.Int).SetBytes(out[1]).Cmp(rich) != 0 {
				t.Errorf("at block %d read %x", b.Number, out[:2])
			}
			if out[2] != nil || out[3] == nil || len(out[3]) != 0 || out[4] != nil {
				t.Errorf("the revert, the empty answer and the second revert are %v, %v, %v", out[2], out[3], out[4])
			}
			_, err = c.Read(ctx, b, []Call{{To: k.token, Data: []byte{1, 2, 3, 4}}})
			if !errors.Is(err, ErrReverted) {
				t.Errorf("a call that may not revert: %v", err)
			}
			codes, err := c.Code(ctx, b, []common.Address{k.token, k.Accounts[1]})
			if err != nil || len(codes[0]) == 0 || codes[1] == nil || len(codes[1]) != 0 {
				t.Errorf("codes of %d and %d bytes, %v", len(codes[0]), len(codes[1]), err)
			}
			at, out, err := latest(ctx, c, []Call{{To: k.token, Data: totalSupply}})
			if err != nil || at.Number != b.Number+3 || !bytes.Equal(out[0], word(at.Number)) {
				t.Errorf("latest is %x at block %d, %v", out, at.Number, err)
			}
		})
	}
}

// TestRoundTrips: a refresh takes two round trips, or three with latest-N or without Multicall3.
// The number of calls does not matter.
func TestRoundTrips(t *testing.T) {
	for _, tc := range []struct {
		name, finality string
		bare           bool
		most           int
	}{
		{"latest", "latest", false, 2},
		{"finalized", "finalized", false, 2},
		{"latest-3", "latest-3", false, 3},
		{"without Multicall3", "latest", true, 3},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newKingdom(t, 3, anvil.Options{Bare: tc.bare})
			c := k.dial(t, Config{Finality: tc.finality, Timeout: 2 * time.Minute})
			calls := make([]Call, 2000)
			for i := range calls {
				calls[i] = Call{To: k.token, Data: totalSupply, MayRevert: i%2 == 1, Balance: i%7 == 3}
			}
			for range 2 {
				c.inFlight.Wait() // for replies that came after the quorum
				for _, p := range k.proxies {
					p.Reset()
				}
				b, err := c.Pin(t.Context(), time.Time{})
				must(t, err)
				out, err := c.Read(t.Context(), b, calls)
				must(t, err)
				if !bytes.Equal(out[1999], word(b.Number)) {
					t.Errorf("at block %d read %x", b.Number, out[1999])
				}
				for i, p := range k.proxies {
					if n := p.Requests(); n > tc.most {
						t.Errorf("provider %d was asked %d times, want %d at most", i, n, tc.most)
					}
				}
			}
		})
	}
}

// TestReorgBetweenPinAndRead: reading at a block that a reorg removed gives ErrReorg.
func TestReorgBetweenPinAndRead(t *testing.T) {
	k := newKingdom(t, 3, anvil.Options{})
	c := k.dial(t, Config{})
	b, err := k.refresh(t, c)
	must(t, err)
	must(t, k.Reorg(t.Context(), 3))
	_, err = c.Read(t.Context(), b, []Call{{To: k.token, Data: totalSupply}})
	if !errors.Is(err, ErrReorg) {
		t.Errorf("reading at a block that is gone: %v", err)
	}
	c.providers[0].byNumber.Store(true) // reading by number gives the same error
	c.providers[1].byNumber.Store(true)
	_, err = c.Read(t.Context(), b, []Call{{To: k.token, Data: totalSupply}})
	if !errors.Is(err, ErrReorg) {
		t.Errorf("reading by number at a block that is gone: %v", err)
	}
	now, err := c.Block(t.Context(), b.Number)
	if err != nil || now.Hash == b.Hash {
		t.Errorf("block %d is %s, %v", b.Number, now.Hash, err)
	}
	_, err = c.Block(t.Context(), b.Number+1000)
	if !errors.Is(err, ErrAbsent) {
		t.Errorf("a future block: %v", err)
	}
}
