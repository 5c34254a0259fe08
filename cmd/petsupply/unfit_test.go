package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/anvil"
)

// The answers of the contract Unfit for a token.
const (
	unfitRight uint8 = iota
	unfitReverts
	unfitShort
	unfitWide
	unfitNothing
	unfitLong
	unfitBadText
)

const unfitCollection = `
name: Things
one: thing
many: things
getters:
  thing: {call: "thing(uint256)", returns: struct}
count: {next: "next()"}
fields:
  - {name: level, type: uint64, filter: true}
  - {name: title, type: string}
attributes:
  - {trait: Level, field: level, display: number}
  - {trait: Title, field: title}
`

// TestContractsThatDoNotFit: tokens whose answers do not fit are named, and do not delay the
// others. Their published data stays.
func TestContractsThatDoNotFit(t *testing.T) {
	f := deploy(t, anvil.Test(t, anvil.Options{}), "Unfit")
	f.do(t, "mint", alice, num(40))
	for id := range int64(40) {
		f.do(t, "set", num(id), unfitLong, uint64(1)) // 1 MB each
	}
	for id, answer := range []uint8{unfitRight, unfitReverts, unfitShort, unfitWide, unfitNothing, unfitLong,
		unfitBadText} {
		f.do(t, "set", num(int64(id)), answer, uint64(2))
	}
	f.collection(t, unfitCollection, "")
	f.running = begin(t, "--config", f.file, "--data", f.data)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(f.out.String())
		}
	})
	says := func(text string) bool {
		_, _, body := fetch(t, f.ops+"/readyz")
		return strings.Contains(string(body), text)
	}
	f.waitsFor(t, "level=2", 0, 5, 6)
	within(t, time.Minute, "all tokens of 1 MB", func() bool { return len(f.ids(t, "level=1&limit=100")) == 33 })
	within(t, time.Minute, "the first that does not fit", func() bool {
		return says("token 1: thing answered nothing")
	})
	for id, want := range map[uint64]string{0: "Level: 2, Title: a thing", 6: "Level: 2, Title: <b>"} {
		if got := f.traits(t, id); got != want {
			t.Errorf("the traits of token %d are %q, want %q", id, got, want)
		}
	}
	if code, _, body := fetch(t, f.pets+"/token/5"); code != http.StatusOK || len(body) > 8<<10 {
		t.Errorf("a token with a text of 1 MB: %d, %d bytes", code, len(body))
	}
	for _, id := range []uint64{1, 2, 3, 4} { // they have an owner, but cannot be read now
		if code, _, body := fetch(t, fmt.Sprintf("%s/token/%d", f.pets, id)); code != http.StatusServiceUnavailable {
			t.Errorf("token %d: %d %s", id, code, body)
		}
	}
	// This token has an owner in the contract too, but was not counted yet.
	if code, _, body := fetch(t, f.pets+"/token/40"); code != http.StatusNotFound {
		t.Errorf("a token that was never minted: %d %s", code, body)
	}
	// A token that was fine no longer fits, and another one fits again.
	f.do(t, "set", num(0), unfitShort, uint64(3))
	within(t, time.Minute, "the token that went wrong", func() bool { return says("token 0: thing answered 1 words") })
	f.do(t, "set", num(1), unfitRight, uint64(4))
	f.waitsFor(t, "level=4", 1)
	if got := f.traits(t, 0); got != "Level: 2, Title: a thing" {
		t.Errorf("the last known traits of token 0 are gone: %q", got)
	}
	if ids := f.ids(t, "level=2"); !slices.Equal(ids, []uint64{0, 5, 6}) {
		t.Errorf("tokens of level 2: %v", ids)
	}
}

// TestAContractOfAnotherShape: no token fits, and the service says so.
func TestAContractOfAnotherShape(t *testing.T) {
	f := deploy(t, anvil.Test(t, anvil.Options{}), "Unfit")
	f.do(t, "mint", alice, num(3))
	f.collection(t, strings.NewReplacer("type: uint64, filter: true", "type: address", ", display: number",
		"").Replace(unfitCollection), "")
	f.running = begin(t, "--config", f.file, "--data", f.data)
	f.do(t, "set", num(0), unfitWide, uint64(0))
	within(t, time.Minute, "both shapes", func() bool {
		_, _, body := fetch(t, f.ops+"/readyz")
		return strings.Contains(string(body), "thing answered") && strings.Contains(string(body), "(address,string)")
	})
}
