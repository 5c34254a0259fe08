package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"

	"petsupply/testkit/process"
)

// A side is one of two servers with the same work.
type side struct {
	*process.Process
	load
	targets []string // what the witness requests
	status  int
	bodies  func(target string) ([]byte, error) // the right answer to a request
	size    int                                 // bytes of every answer on the wire; 0 means that they differ
}

// right returns the fault of an answer, or nil.
func (s *side) right(target string, a answer) error {
	if a.status != s.status {
		return fmt.Errorf("status %d, not %d", a.status, s.status)
	}
	want, err := s.bodies(target)
	if err != nil {
		return err
	}
	if !bytes.Equal(a.body, want) {
		return fmt.Errorf("the body of %d bytes differs from the expected one of %d bytes", len(a.body), len(want))
	}
	return nil
}

// measureLoad measures one side once, while a witness checks its answers.
func (h *harness) measureLoad(ctx context.Context, s *side) (wrkResult, error) {
	at, err := url.Parse(s.load.url)
	if err != nil {
		return wrkResult{}, err
	}
	w := watch(ctx, witness{host: at.Host, header: s.header, targets: s.targets, right: s.right})
	result, err := h.runWrk(ctx, s.Process, s.load, h.span)
	if wrong := w.end(); err == nil {
		err = wrong
	}
	if err != nil || s.size == 0 {
		return result, err
	}
	// wrk also counts the bytes of answers that were unfinished at the end.
	if extra := result.Bytes - result.Requests*int64(s.size); extra < 0 || extra > 64*int64(s.size) {
		return result, fmt.Errorf("%s: wrk counted %d answers of %d bytes, but %d bytes in all", s.Name,
			result.Requests, s.size, result.Bytes)
	}
	return result, nil
}

// steady is the rate at which response times are measured. Both sides can easily sustain it. At
// full load, a response time only shows in which order a server handles its queue.
const steady = 10_000

// slowest returns the 99th percentile of the response times at a steady rate, in microseconds.
func (h *harness) slowest(ctx context.Context, s *side) (float64, error) {
	at, err := url.Parse(s.load.url)
	if err != nil {
		return 0, err
	}
	more := headerLines(s.header)
	took, err := pace{at.Host, steady, 64, h.span / 2}.run(ctx, func(c *client) error {
		c.more = more
		status, _, err := c.get(s.targets[rand.IntN(len(s.targets))])
		if err == nil && status != s.status {
			err = fmt.Errorf("status %d, not %d", status, s.status)
		}
		return err
	})
	return quantile(took, 0.99), err
}

// A measure is the result of one turn of a side.
type measure struct {
	wrkResult
	slowest float64
}

func (h *harness) measure(ctx context.Context, s *side) (m measure, err error) {
	if m.wrkResult, err = h.measureLoad(ctx, s); err != nil {
		return m, err
	}
	m.slowest, err = h.slowest(ctx, s)
	return m, err
}

// takeTurns gives both sides the same work in each round. The sides take turns in going first.
// takeTurns compares the cost of a request and the 99th percentile of the response times.
func (h *harness) takeTurns(ctx context.Context, name string, reach float64, ours, peer *side) (cpu, slow row,
	err error) {
	var costs, waits []pairing
	for round := range h.rounds + 1 {
		var a, b measure
		first, second, order := ours, peer, []*measure{&a, &b}
		if round%2 == 1 {
			first, second, order = peer, ours, []*measure{&b, &a}
		}
		if *order[0], err = h.measure(ctx, first); err != nil {
			return row{}, row{}, err
		}
		if *order[1], err = h.measure(ctx, second); err != nil {
			return row{}, row{}, err
		}
		if round == 0 {
			continue // warms up caches, connections and the processor's clock
		}
		costs = append(costs, pairing{a.perRequest(), b.perRequest()})
		waits = append(waits, pairing{a.slowest, b.slowest})
		h.say("  %-34s round %d: ours %6.2f µs, %s %6.2f µs of CPU; p99 %.0f and %.0f µs; %.0f and %.0f requests/s",
			name, round, a.perRequest(), peer.Name, b.perRequest(), a.slowest, b.slowest, a.rate(), b.rate())
	}
	cpu = compare(name, "µs of server CPU per request", reach, costs)
	slow = compare(name+", p99", "µs, slowest of a hundred at 10,000 a second", 1, waits)
	cpu.Against, slow.Against = peer.Name, peer.Name
	return cpu, slow, nil
}
