package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
)

// A caller requests the documents of all tokens, and compares each with the truth. Only one goroutine
// uses it.
type caller struct {
	base          string
	truth         *truth
	stale, refuse time.Duration

	wrong   []string // answers that no service may give
	lies    []string // documents that are false at their blocks; an error unless a quorum lies
	refused map[string]bool
	seen    map[string]map[string]*view // by token and snapshot
	now     map[string]*view            // the last answer, by token; nil if it has no figures
}

// A view is a document that was served.
type view struct {
	document
	asOf   time.Time
	blocks map[string]uint64 // by chain
	figure figureSet
	lie    bool
	forked bool
}

// document has the parts of a token's document that consumers read.
type document struct {
	Symbol      string         `json:"symbol"`
	Total       *string        `json:"totalSupply"`
	Circulating *string        `json:"circulatingSupply"`
	Burned      *string        `json:"burnedSupply"`
	Locked      *string        `json:"lockedSupply"`
	Reserved    *string        `json:"reservedSupply"`
	Max         *string        `json:"maxSupply"`
	AsOf        *time.Time     `json:"asOf"`
	MeasuredAt  *time.Time     `json:"measuredAt"`
	Status      string         `json:"status"`
	Snapshot    *string        `json:"snapshot"`
	Blocks      []supply.Block `json:"blocks"`
}

func (d document) amounts() map[string]*string {
	return map[string]*string{"totalSupply": d.Total, "circulatingSupply": d.Circulating, "burnedSupply": d.Burned,
		"lockedSupply": d.Locked, "reservedSupply": d.Reserved, "maxSupply": d.Max}
}

func newCaller(base string, x *truth, stale, refuse time.Duration) *caller {
	c := &caller{base: base, truth: x, stale: stale, refuse: refuse, seen: map[string]map[string]*view{},
		now: map[string]*view{}}
	c.reset()
	return c
}

// reset begins a new count.
func (c *caller) reset() {
	c.wrong = nil
	c.lies = nil
	c.refused = map[string]bool{}
}

func (c *caller) wrongf(format string, args ...any) {
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// slack is the delay that a busy machine may add, for example to a change of status or an answer.
const slack = 2 * time.Second

// askAll requests all documents once. An error means that the test itself failed. The bare figures and
// the other forms come from the same entries, which the scripts of internal/web compare.
func (c *caller) askAll(ctx context.Context) error {
	asked := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var all []document
	err = json.NewDecoder(response.Body).Decode(&all)
	if err != nil || response.StatusCode != http.StatusOK || len(all) != len(c.truth.tokens) {
		c.wrongf("/ answered %d with %d documents (%v)", response.StatusCode, len(all), err)
	}
	for _, d := range all {
		if err := c.judge(ctx, strings.ToLower(d.Symbol), d, asked); err != nil {
			return err
		}
	}
	return nil
}

// judge compares a document with the truth, the clock, and earlier documents.
func (c *caller) judge(ctx context.Context, path string, d document, asked time.Time) error {
	if d.Status == "unavailable" {
		c.refused[path] = true
		for name, text := range d.amounts() {
			if text != nil {
				c.wrongf("%s is unavailable, and yet its %s is %s", path, name, *text)
			}
		}
		c.now[path] = nil
		return nil
	}
	if d.Snapshot == nil || d.AsOf == nil || d.MeasuredAt == nil {
		c.wrongf("%s is %s without a snapshot or a time", path, d.Status)
		return nil
	}
	v, err := c.view(ctx, path, d)
	if err != nil {
		return err
	}
	c.checkAge(path, v, asked)
	if before := c.now[path]; before != nil {
		for chain, n := range v.blocks {
			if n < before.blocks[chain] {
				c.wrongf("%s went back from block %d of %s to %d", path, before.blocks[chain], chain, n)
			}
		}
		if v.asOf.Before(before.asOf) {
			c.wrongf("%s went back in time from %s to %s", path, before.asOf, v.asOf)
		}
	}
	c.now[path] = v
	return nil
}

// checkAge checks that the status was true at the time of the request. An unchanged figure is
// published again after half of stale_after.
func (c *caller) checkAge(path string, v *view, asked time.Time) {
	age := asked.Sub(v.asOf)
	measured := asked.Sub(*v.MeasuredAt)
	switch {
	case !slices.Contains([]string{"fresh", "stale", "held"}, v.Status):
		c.wrongf("%s has the status %q", path, v.Status)
	case age > c.refuse+slack:
		c.wrongf("%s was answered when it was %s old", path, age)
	case v.Status == "fresh" && (measured > c.stale*3/2+slack || age > c.stale+maxLag+slack):
		c.wrongf("%s was called fresh when it was %s old, and measured %s ago", path, age, measured)
	case v.Status == "stale" && measured < c.stale-slack && age < c.stale+maxLag-slack:
		c.wrongf("%s was called stale when it was %s old, and measured %s ago", path, age, measured)
	}
	for _, b := range v.Blocks {
		if v.asOf.Sub(b.Time) > maxLag+slack {
			c.wrongf("%s of %s was read at a block of %s", path, v.asOf, b.Time)
		}
	}
}

// view reports whether a document is true at its blocks.
func (c *caller) view(ctx context.Context, path string, d document) (*view, error) {
	v := &view{document: d, asOf: *d.AsOf, blocks: map[string]uint64{}, figure: figureSet{}}
	for _, b := range d.Blocks {
		v.blocks[b.Chain] = b.Number
	}
	for name, text := range d.amounts() {
		if text == nil || amountOf(*text) == nil || amountOf(*text).Sign() <= 0 {
			c.wrongf("%s of %s has no figure, or one of another form", name, path)
			return v, nil
		}
		v.figure[name] = amountOf(*text)
	}
	if c.seen[path] == nil {
		c.seen[path] = map[string]*view{}
	}
	if same := c.seen[path][*d.Snapshot]; same != nil {
		if !maps.EqualFunc(same.figure, v.figure, equal) {
			c.wrongf("snapshot %s of %s has figures of two kinds: %v and %v", *d.Snapshot, path, same.figure, v.figure)
		}
		v.lie = same.lie
		v.forked = same.forked
	} else if err := c.compare(ctx, path, v); err != nil {
		return nil, err
	}
	c.seen[path][*d.Snapshot] = v
	if v.lie {
		c.lies = append(c.lies, fmt.Sprintf("snapshot %s of %s is not true of its blocks %v: %v", *d.Snapshot, path,
			v.blocks, v.figure))
	}
	return v, nil
}

func (c *caller) compare(ctx context.Context, path string, v *view) error {
	want, forked, err := c.truth.figures(ctx, path, v.Blocks)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	v.forked = forked
	v.lie = err != nil || !maps.EqualFunc(want, v.figure, equal)
	return nil
}

func equal(a, b *big.Int) bool { return a.Cmp(b) == 0 }
