package evm

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

// scripted returns the calls of the transcripts: one that answers, a balance, one that reverts.
func scripted() []Call {
	token := common.HexToAddress("0xa1")
	return []Call{
		{To: token, Data: common.FromHex("0x18160ddd")},
		{To: common.HexToAddress("0xb2"), Balance: true},
		{To: token, Data: append(common.FromHex("0xa00df8a1"), word(7)...), MayRevert: true},
	}
}

// TestNoBlockObjects reads a node without Multicall3 that refuses a block as an object. The refusal
// is learned once. The node's header differs from Ethereum's.
func TestNoBlockObjects(t *testing.T) {
	tr, url := replay(t, "harmony.txt")
	c := dial(t, Config{ID: 1666600000, Finality: "latest-10"}, url)
	c.now = func() time.Time { return time.Unix(0x6ba0f1e0, 0) }
	c.cfg.Multicall = common.Address{}
	b, err := c.Pin(t.Context(), time.Time{})
	must(t, err)
	if b.Number != 0x4b1d200 ||
		b.Hash.Hex() != "0xab058a6c6c5f82d658fc192d30b172cf704bb9658d5d0b98f6ecf74cc3d01dd4" ||
		b.Parent.Hex() != "0x5448a6821131bba46b02b6e81b5330d93d561593c88913b7e97980752ab354ed" {
		t.Errorf("pinned %d %s on %s", b.Number, b.Hash, b.Parent)
	}
	for range 2 {
		out, err := c.Read(t.Context(), b, scripted())
		must(t, err)
		if common.Bytes2Hex(out[0]) != "000000000000000000000000000000000000000000661efdf12d1653cf340000" ||
			common.BytesToHash(out[1]).Big().Int64() != 42 || out[2] != nil {
			t.Errorf("read %x", out)
		}
	}
	if tr.trips != 5 {
		t.Errorf("%d round trips, want 5", tr.trips)
	}
}

// TestFaultAnswers: every bad answer of a node becomes a named fault, without the node's own words,
// which may be secret.
func TestFaultAnswers(t *testing.T) {
	tr, url := replay(t, "faults.txt")
	wants := scriptedOutcomes(t)
	for len(wants) > 0 {
		// Dial a new chain each time, because a provider that sent Retry-After is not asked again.
		c := dial(t, Config{ID: 1, Finality: "finalized"}, url)
		before := tr.trips
		_, err := c.Pin(t.Context(), time.Time{})
		var pe *pollError
		if !errors.As(err, &pe) || len(pe.faults) != 1 {
			t.Fatalf("%s: %v", wants[0], err)
		}
		if got := string(pe.faults[0].Kind); got != wants[0] {
			t.Errorf("%v is counted as %s, want %s", err, got, wants[0])
		}
		if strings.Contains(err.Error()+c.Health()[0].LastError, "s3cr3t") {
			t.Errorf("a secret got out: %v", err)
		}
		wants = wants[tr.trips-before:]
	}
}

// scriptedOutcomes returns the words before the colons in the remarks.
func scriptedOutcomes(t *testing.T) []string {
	var all []string
	for _, line := range strings.Split(readFile(t, "testdata/faults.txt"), "\n") {
		if word, _, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(word, "# ") {
			all = append(all, word[2:])
		}
	}
	return all
}

// TestStarvedBundle: a call that ran out of its bundle's gas is not mistaken for a revert.
func TestStarvedBundle(t *testing.T) {
	_, url := replay(t, "starved.txt")
	c := dial(t, Config{ID: 1}, url)
	calls := scripted()
	calls[1] = Call{To: calls[0].To, Data: append(common.FromHex("0xa00df8a1"), word(8)...), MayRevert: true}
	at := Block{Number: 5, Hash: common.HexToHash("0x55"), Parent: common.HexToHash("0x44"),
		Time: time.Unix(0x6ba0f1c0, 0)}
	out, err := c.Read(t.Context(), at, calls)
	if err != nil || !bytes.Equal(out[0], word(9)) || !bytes.Equal(out[1], word(8)) || out[2] != nil {
		t.Errorf("read %x, %v", out, err)
	}
}

// TestNoCode: some nodes give the same error for a failing call and for an address without code.
// Then we ask for the code.
func TestNoCode(t *testing.T) {
	_, url := replay(t, "nocode.txt")
	c := dial(t, Config{ID: 1}, url)
	c.cfg.Multicall = common.Address{}
	at := Block{Number: 5, Hash: common.HexToHash("0x55"), Parent: common.HexToHash("0x44"),
		Time: time.Unix(0x6ba0f1c0, 0)}
	fails, nobody := scripted()[0], scripted()[0]
	fails.MayRevert, nobody.To = true, common.HexToAddress("0xc1")
	out, err := c.Read(t.Context(), at, []Call{fails, nobody})
	if err != nil || out[0] != nil || out[1] == nil || len(out[1]) != 0 {
		t.Errorf("read %x, %v", out, err)
	}
}

// TestAnswerTooLong: reading stops at the limit, and a search for logs fails with ErrRange.
func TestAnswerTooLong(t *testing.T) {
	const url = "http://127.0.0.1:1"
	c := dial(t, Config{ID: 1}, url)
	long := echoServer{[]byte("[" + strings.Repeat(" ", 32<<20) + "]")}
	c.providers[0].Client = jsonrpc.New(jsonrpc.Config{URL: url, Timeout: time.Second, Transport: long})
	_, err := c.Logs(t.Context(), LogQuery{From: 1, To: 9})
	if !errors.Is(err, ErrRange) || !strings.Contains(err.Error(), "longer") {
		t.Errorf("logs longer than the limit: %v", err)
	}
	if _, err = c.Logs(t.Context(), LogQuery{From: 9, To: 9}); errors.Is(err, ErrRange) {
		t.Errorf("a range of one block cannot be narrowed: %v", err)
	}
}

// TestRetryAfter: a provider that sent Retry-After is not asked, even if a quorum needs it.
func TestRetryAfter(t *testing.T) {
	tr, url := replay(t, "limited.txt")
	c := dial(t, Config{ID: 1}, url)
	for range 3 {
		if _, err := c.Block(t.Context(), 5); !errors.Is(err, ErrUnavailable) {
			t.Fatal(err)
		}
	}
	if tr.trips != 1 {
		t.Errorf("asked %d times, want once", tr.trips)
	}
	if h := c.Health()[0]; h.State != "backoff" || h.Errors != 1 || h.LastError != "HTTP status 429" {
		t.Errorf("health is %+v", h)
	}
}
