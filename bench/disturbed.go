package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/testkit/process"
)

// disturbed compares the response times of hot answers with and without misbehaving clients. There
// are silent connections, clients that send a byte now and then or never read, and a flood of ids
// that nobody requested before.
func disturbed(ctx context.Context, h *harness) ([]row, error) {
	if _, err := h.collectionStage(ctx); err != nil {
		return nil, err
	}
	s, err := h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return nil, err
	}
	defer s.Stop()
	want, err := os.ReadFile(h.collection.file(hotPet))
	if err != nil {
		return nil, err
	}
	want = moved(want, h.collection.ours, s)
	ask := func(ctx context.Context) ([]float64, error) {
		return pace{s.address, 1000, 16, 2 * h.span}.run(ctx, func(c *client) error {
			body, err := c.body(hotPet)
			if err == nil && !bytes.Equal(body, want) {
				err = errors.New("the body differs from the one without misbehaving clients")
			}
			return err
		})
	}
	var rounds []pairing
	for round := range h.rounds + 1 {
		calm, err := ask(ctx)
		if err != nil {
			return nil, err
		}
		wild, err := h.underAbuse(ctx, s, ask)
		if err != nil {
			return nil, err
		}
		a, b := quantile(wild, 0.99), quantile(calm, 0.99)
		h.say("  disturbed round %d: p50 %.0f µs, p99 %.0f µs; in peace p50 %.0f µs, p99 %.0f µs", round, median(wild), a,
			median(calm), b)
		if round > 0 {
			rounds = append(rounds, pairing{a, b})
		}
	}
	r := compare("hot answers amid idle connections, slow clients and a flood, p99", "µs at 1,000 requests a second", 0.5,
		rounds)
	r.Against = "the same in peace"
	return []row{r}, nil
}

const hotPet = "/pets/token/77"

// underAbuse calls f while other clients misbehave. They are a separate program with a lower
// priority than the service and the clients that are timed, because all share the processors.
func (h *harness) underAbuse(ctx context.Context, s *service,
	f func(context.Context) ([]float64, error)) ([]float64, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	said := new(process.Output)
	cmd := exec.Command("nice", "-n", "19", self, "-abuse", s.address, "-quick="+strconv.FormatBool(h.quick))
	cmd.Stdout, cmd.Stderr = said, said
	abuser, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	defer abuser.Stop()
	err = abuser.Until(ctx, func() error {
		if said.String() == "" {
			return errors.New("the other clients are not ready yet")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	took, err := f(ctx)
	abuser.Stop()
	if err == nil && said.String() != allConnected {
		err = errors.New(said.Tail())
	}
	return took, err
}

const allConnected = "here\n"

// misbehave runs the misbehaving clients until ctx ends. It prints a line when the idle clients are
// connected, and then starts the others.
func misbehave(ctx context.Context, address string, quick bool, out io.Writer) error {
	idle, slow := 10_000, 200
	if quick {
		idle, slow = 1_000, 20
	}
	conns, err := idleConns(address, idle)
	defer func() {
		for _, c := range conns {
			c.Close()
		}
	}()
	if err != nil {
		return err
	}
	fmt.Fprint(out, allConnected)
	var group errgroup.Group
	for i := range slow {
		group.Go(func() error { return slowClient(ctx, address, i%2 == 0) })
	}
	group.Go(func() error { return flood(ctx, address, 1_000_000+time.Now().UnixMilli()) })
	return group.Wait()
}

// idleConns opens connections that stay silent, half of them after a first request.
func idleConns(address string, n int) ([]net.Conn, error) {
	conns := make([]net.Conn, n)
	var group errgroup.Group
	group.SetLimit(64)
	for i := range conns {
		group.Go(func() error {
			c, err := dial(address)
			if err != nil {
				return fmt.Errorf("opening idle connection %d: %w", i, err)
			}
			conns[i] = c
			if i%2 == 0 {
				_, err = c.body(hotPet)
			}
			return err
		})
	}
	err := group.Wait()
	return opened(conns), err
}

func opened(conns []net.Conn) []net.Conn {
	var open []net.Conn
	for _, c := range conns {
		if c != nil {
			open = append(open, c)
		}
	}
	return open
}

// slowClient sends requests until ctx ends. If bytewise is true, it sends one byte at a time.
// Otherwise it requests pictures and does not read them.
func slowClient(ctx context.Context, address string, bytewise bool) error {
	for ctx.Err() == nil {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return err
		}
		text := requestText(address, hotPet, []string{"X-Slow: yes"})
		for i := 0; i < len(text) && ctx.Err() == nil; i++ {
			part := text[i : i+1]
			if !bytewise {
				part = requestText(address, "/pets/image/7", nil)
			}
			conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
			if _, err := io.WriteString(conn, part); err != nil {
				break // cut off, as expected
			}
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
		}
		conn.Close()
	}
	return nil
}

// floodRate is how many unknown ids are requested per second. Each costs a read of the store. On
// two processors, which also run the store and the clients, these reads take a third of their time.
const floodRate = 1000

// flood requests distinct ids that no pet has, until ctx ends.
func flood(ctx context.Context, address string, first int64) error {
	next := first
	var mu sync.Mutex
	_, err := pace{address: address, perSecond: floodRate, connections: 16}.run(ctx, func(c *client) error {
		mu.Lock()
		next++
		id := next
		mu.Unlock()
		status, body, err := c.get("/pets/token/" + strconv.FormatInt(id, 10))
		if err == nil && status != http.StatusNotFound {
			err = fmt.Errorf("pet %d, which does not exist: status %d: %s", id, status, body)
		}
		return err
	})
	return err
}
