package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// waitLimit is the longest time that anything may take on a busy machine.
const waitLimit = 3 * time.Minute

// until requests everything again and again until a condition holds.
func (x *faultyService) until(ctx context.Context, what string, ok func() bool) error {
	tick := time.NewTicker(askInterval)
	defer tick.Stop()
	for end := time.Now().Add(waitLimit); ; {
		if err := x.askAll(ctx); err != nil {
			return fmt.Errorf("asking for everything: %w", err)
		}
		switch {
		case ok():
			return nil
		case time.Now().After(end):
			log := x.out.String()
			return fmt.Errorf("waited %v for %s; seen so far: refused %v, %d lies, and now %v; last words:\n%s",
				waitLimit, what, x.refused, len(x.lies), x.shown(), log[max(0, len(log)-2000):])
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// newer returns a condition: every token shows true figures of blocks that did not exist when newer
// was called.
func (x *faultyService) newer() func() bool {
	var heights map[string]uint64
	return func() bool {
		if heights == nil {
			heights, _ = x.stage.heights(context.Background())
			return false
		}
		for path := range x.truth.tokens {
			v := x.now[path]
			if v == nil || v.lie || v.Status == "held" {
				return false
			}
			for chain, n := range v.blocks {
				if n <= heights[chain] {
					return false
				}
			}
		}
		return true
	}
}

// withheld returns a condition: a figure is called fresh although the chain had a newer block when
// the figure was measured.
func (x *faultyService) withheld(chain string) func() bool {
	var was uint64
	var since time.Time
	return func() bool {
		if since.IsZero() {
			heights, _ := x.stage.heights(context.Background())
			switch {
			case was == 0:
				was = heights[chain]
			case heights[chain] > was:
				since = time.Now()
			}
			return false
		}
		return x.any(func(v *view) bool {
			n, on := v.blocks[chain]
			return on && n <= was && v.Status == "fresh" && v.MeasuredAt.After(since)
		})
	}
}

// any reports whether some token shows such a document.
func (x *faultyService) any(is func(*view) bool) bool {
	for _, v := range x.now {
		if v != nil && is(v) {
			return true
		}
	}
	return false
}

func (x *faultyService) shown() (out []string) {
	for path, v := range x.now {
		if v == nil {
			out = append(out, path+" refused")
			continue
		}
		out = append(out, fmt.Sprintf("%s %s at %v of %s, a lie: %t",
			path, v.Status, v.blocks, v.asOf.Format(time.TimeOnly), v.lie))
	}
	return out
}

var refreshes = regexp.MustCompile(`(?m)^petsupply_supply_refresh_seconds_count (\d+)$`)

// refreshed returns a condition: the service has measured this many more times.
func (x *faultyService) refreshed(ctx context.Context, more int) func() bool {
	count := func() int {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, x.ops+"/metrics", nil)
		if err != nil {
			return 0
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return 0
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		found := refreshes.FindSubmatch(body)
		if err != nil || found == nil {
			return 0
		}
		n, _ := strconv.Atoi(string(found[1])) // the pattern matches digits only
		return n
	}
	first := 0
	return func() bool {
		n := count()
		if first == 0 {
			first = n
		}
		return n >= first+more
	}
}
