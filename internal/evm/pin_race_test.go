package evm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
)

// TestPinHighestOfQuorum: Pin chooses the highest block that a quorum has reached, and so does Pin at
// the newest block. A node that does not have it yet is absent, not at fault.
func TestPinHighestOfQuorum(t *testing.T) {
	k := newKingdom(t, 3, anvil.Options{})
	top, err := k.Height(t.Context())
	must(t, err)
	for _, tc := range []struct {
		quorum  int
		heights [3]uint64 // 0: the node does not answer
		want    uint64
	}{
		{2, [3]uint64{top, top, top}, top},
		{2, [3]uint64{top, top - 1, top - 3}, top - 1},
		{2, [3]uint64{top - 4, top, top - 2}, top - 2},
		{2, [3]uint64{top - 1, top, 0}, top - 1},
		{3, [3]uint64{top, top - 1, top - 3}, top - 3},
		{3, [3]uint64{top - 1, top - 1, top}, top - 1},
	} {
		for i, p := range k.proxies {
			p.Set(faultproxy.Behind(tc.heights[i]))
			if tc.heights[i] == 0 {
				p.Set(faultproxy.Refused())
			}
		}
		c := k.dial(t, Config{Quorum: tc.quorum})
		b, err := k.refresh(t, c)
		if err != nil || b.Number != tc.want {
			t.Errorf("with quorum %d of heights %v pinned %d, %v, want %d", tc.quorum, tc.heights, b.Number, err,
				tc.want)
		}
		newest, out, err := latest(t.Context(), c, []Call{{To: k.token, Data: totalSupply}})
		if err != nil || newest != b || !bytes.Equal(out[0], word(tc.want)) {
			t.Errorf("with quorum %d of heights %v read %x at %d, %v", tc.quorum, tc.heights, out, newest.Number, err)
		}
		for i := range c.Health() {
			if tc.heights[i] == 0 {
				continue
			}
			// the last reply may come after the quorum
			waitFor(t, func() bool { return !c.Health()[i].HeightTime.IsZero() })
			h := c.Health()[i]
			if h.Height != tc.heights[i] || h.Disagreements != 0 || h.Errors != 0 || h.State != "ok" || h.Latency == 0 {
				t.Errorf("with heights %v health is %+v", tc.heights, h)
			}
		}
	}
}

// TestPinSyncing: a node that is syncing is reported as syncing, and is used again once it is
// synced.
func TestPinSyncing(t *testing.T) {
	k := newKingdom(t, 1, anvil.Options{})
	top, err := k.Height(t.Context())
	must(t, err)
	c := k.dial(t, Config{})
	_, err = k.refresh(t, c)
	must(t, err)
	k.proxies[0].Set(faultproxy.Syncing(top-5, top+100))
	if _, err := c.Pin(t.Context(), time.Time{}); err == nil ||
		!strings.Contains(err.Error(), fmt.Sprintf("is still syncing: at block %d of %d", top-5, top+100)) {
		t.Errorf("of a node that syncs: %v", err)
	}
	k.proxies[0].Set(faultproxy.None())
	if b, err := k.refresh(t, c); err != nil || b.Number != top {
		t.Errorf("pinned %d, %v, after it was there", b.Number, err)
	}
}

// TestQuietChain: if blocks are made on demand, an old newest block is current, for Pin and for
// Latest.
func TestQuietChain(t *testing.T) {
	k := newKingdom(t, 1, anvil.Options{Genesis: time.Now().Add(-24 * time.Hour)})
	for _, onDemand := range []bool{true, false} {
		c := k.dial(t, Config{OnDemand: onDemand, Finality: "latest", MaxLag: time.Minute})
		_, err := c.Pin(t.Context(), time.Time{})
		_, _, latest := latest(t.Context(), c, []Call{{To: k.token, Balance: true}})
		if onDemand != (err == nil) || onDemand != (latest == nil) {
			t.Errorf("on demand %t: pin %v, latest %v", onDemand, err, latest)
		}
	}
}

// TestPinOneAhead: if one provider is a block ahead, all are asked once for the block below. Both
// know its hash, but only one knows its time.
func TestPinOneAhead(t *testing.T) {
	k := newKingdom(t, 2, anvil.Options{})
	top, err := k.Height(t.Context())
	must(t, err)
	k.proxies[1].Set(faultproxy.Behind(top - 1))
	c := k.dial(t, Config{})
	b, err := k.refresh(t, c)
	if err != nil || b.Number != top-1 {
		t.Errorf("pinned %d, %v, want %d", b.Number, err, top-1)
	}
	for i, p := range k.proxies {
		if n := p.Requests(); n != 3 {
			t.Errorf("provider %d was asked %d times, want 3", i, n)
		}
	}
}

// TestRetry: a connection that breaks once causes no fault.
func TestRetry(t *testing.T) {
	k := newKingdom(t, 1, anvil.Options{})
	c := k.dial(t, Config{})
	for _, f := range []faultproxy.Fault{faultproxy.CutOff(), faultproxy.Broken()} {
		k.proxies[0].Set(faultproxy.Times(1, f))
		if _, err := k.refresh(t, c); err != nil || c.Health()[0].Errors != 0 {
			t.Errorf("%s once: %v", f.Name, err)
		}
	}
}

// TestHangCostsNothing: a read ends when a quorum agrees. A provider that hangs gets a fault.
func TestHangCostsNothing(t *testing.T) {
	k := newKingdom(t, 3, anvil.Options{})
	k.proxies[0].Set(faultproxy.Hang())
	patient := k.dial(t, Config{Timeout: 24 * time.Hour})
	_, err := k.refresh(t, patient) // would not end if it waited for the provider that hangs
	must(t, err)
	c := k.dial(t, Config{Timeout: 2 * time.Second})
	waitFor(t, func() bool {
		_, _ = k.refresh(t, c)             // on a busy machine the others may be too slow as well
		return c.Health()[0].State != "ok" // backoff, or down if several requests ended at once
	})
	if h := c.Health()[0]; h.LastError != "no answer in time" {
		t.Errorf("health is %+v", h)
	}
}

// waitFor waits for a condition with a generous limit.
func waitFor(t testing.TB, done func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the condition never became true")
		}
	}
}

// TestBackOffAndReturn: a provider in back-off is not asked while others are enough, is asked when
// a quorum needs it, and leaves back-off when it answers.
func TestBackOffAndReturn(t *testing.T) {
	k := newKingdom(t, 2, anvil.Options{})
	c := k.dial(t, Config{Quorum: 1})
	p := k.proxies[0]
	p.Set(faultproxy.RPCError())
	waitFor(t, func() bool {
		_, err := k.refresh(t, c)
		must(t, err)
		return c.Health()[0].State == "backoff"
	})
	p.Reset()
	for range 3 {
		_, err := k.refresh(t, c)
		must(t, err)
	}
	if n := p.Requests(); n > 0 && c.Health()[0].Errors == 1 {
		t.Errorf("asked %d times while backing off", n)
	}
	p.Set(faultproxy.None())
	k.proxies[1].Set(faultproxy.Refused())
	_, err := k.refresh(t, c)
	must(t, err)
	if h := c.Health(); h[0].State != "ok" || h[1].State != "backoff" {
		t.Errorf("health is %+v", h)
	}
}

// TestDisagreement: nothing is published, and the provider that disagrees is counted.
func TestDisagreement(t *testing.T) {
	k := newKingdom(t, 3, anvil.Options{})
	k.proxies[2].Set(faultproxy.Digit())
	c := k.dial(t, Config{Quorum: 3})
	_, err := k.refresh(t, c)
	if !errors.Is(err, ErrDisagree) {
		t.Errorf("two against one with quorum three: %v", err)
	}
	h := c.Health()
	if h[0].Disagreements != 0 || h[1].Disagreements != 0 || h[2].Disagreements != 1 {
		t.Errorf("health is %+v", h)
	}

	// An answer that comes after a quorum of two is counted too.
	c = k.dial(t, Config{Quorum: 2})
	_, err = k.refresh(t, c)
	must(t, err)
	waitFor(t, func() bool { return c.Health()[2].Disagreements > 0 })
}

// TestPinLimit: Pin finds the last block before the limit in few round trips. A block that is too
// old gives errLag.
func TestPinLimit(t *testing.T) {
	genesis := time.Now().Add(-300 * time.Hour).Truncate(time.Second)
	n := anvil.Test(t, anvil.Options{Chain: testChain, Manual: true, Genesis: genesis})
	ctx := t.Context()
	must(t, n.MineAt(ctx, genesis.Add(time.Hour)))
	must(t, n.MineEvery(ctx, 600, 2*time.Second))
	must(t, n.MineEvery(ctx, 300, 7*time.Second))
	must(t, n.MineAt(ctx, time.Now()))
	proxy := faultproxy.Test(t, n.URL)
	c := dial(t, Config{ID: testChain, MaxLag: time.Minute, Timeout: 10 * time.Second}, proxy.URL)
	top, err := c.Pin(ctx, time.Time{})
	must(t, err)
	for _, number := range []uint64{top.Number - 1, top.Number - 2, top.Number - 30, 599, 260, 4, 1} {
		want, err := c.Block(ctx, number)
		must(t, err)
		proxy.Reset()
		got, err := c.Pin(ctx, want.Time.Add(time.Second))
		if err != nil || got != want {
			t.Errorf("the last block not after %s is %+v, %v, want %+v", want.Time, got, err, want)
		}
		if trips := proxy.Requests(); trips > 6 {
			t.Errorf("finding block %d took %d round trips", number, trips)
		}
		if got, err = c.Pin(ctx, want.Time); err != nil || got != want {
			t.Errorf("the last block not after the time of %d is %d, %v", number, got.Number, err)
		}
	}
	if _, err = c.Pin(ctx, genesis.Add(-time.Hour)); !errors.Is(err, ErrAbsent) {
		t.Errorf("before the first block: %v", err)
	}
	// A chain that made no block for days has the state of its last block.
	if got, err := c.Pin(ctx, genesis.Add(200*time.Hour)); err != nil || got.Number != top.Number-1 {
		t.Errorf("in a gap of many hours: %d, %v", got.Number, err)
	}
	c.now = func() time.Time { return top.Time.Add(2 * time.Minute) }
	if _, err = c.Pin(ctx, time.Time{}); !errors.Is(err, errLag) {
		t.Errorf("two minutes behind: %v", err)
	}
	if _, _, err = latest(ctx, c, []Call{{To: n.Accounts[0], Balance: true}}); !errors.Is(err, errLag) {
		t.Errorf("reading the latest two minutes behind: %v", err)
	}
	c.now = func() time.Time { return top.Time.Add(-2 * time.Hour) }
	if b, err := c.Pin(ctx, time.Time{}); !errors.Is(err, errLag) && b.Time.After(c.now()) {
		t.Errorf("pinned a block of the future: %+v, %v", b, err)
	}
}

// TestTimeIsUp: a caller with less time than a provider needs gets an error in time.
func TestTimeIsUp(t *testing.T) {
	k := newKingdom(t, 1, anvil.Options{})
	k.proxies[0].Set(faultproxy.Hang())
	c := k.dial(t, Config{Timeout: time.Minute})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Pin(ctx, time.Time{}); !errors.Is(err, ErrUnavailable) {
		t.Errorf("after the deadline: %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if _, err := c.Pin(ctx, time.Time{}); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
		t.Errorf("cancelled: %v", err)
	}
	if h := c.Health()[0]; h.Errors != 0 {
		t.Errorf("the provider is blamed for it: %+v", h)
	}
}

// TestClose: open conversations end, and later questions are refused.
func TestClose(t *testing.T) {
	k := newKingdom(t, 1, anvil.Options{})
	k.proxies[0].Set(faultproxy.Hang())
	c := k.dial(t, Config{Timeout: time.Minute})
	ended := make(chan error)
	go func() {
		_, err := c.Pin(t.Context(), time.Time{})
		ended <- err
	}()
	waitFor(t, func() bool { return k.proxies[0].Requests() > 0 })
	c.Close()
	if err := <-ended; !errors.Is(err, errClosed) {
		t.Errorf("a question under way: %v", err)
	}
	if _, err := c.Pin(t.Context(), time.Time{}); !errors.Is(err, errClosed) {
		t.Errorf("a later question: %v", err)
	}
}

// latest reads calls at the newest block.
func latest(ctx context.Context, c *Chain, calls []Call) (Block, [][]byte, error) {
	at, err := c.AtLatest().Pin(ctx, time.Time{})
	if err != nil {
		return at, nil, err
	}
	out, err := c.Read(ctx, at, calls)
	return at, out, err
}
