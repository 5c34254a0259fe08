package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/testkit/process"
)

const hotPet = "/pets/token/77"

// disturbed measures the memory of the service and how soon it gives a hot figure while other
// clients misbehave. There are silent connections, clients that send a byte now and then or never
// read, and a flood of ids that nobody requested before.
func disturbed(ctx context.Context, h *harness) (row, error) {
	if _, err := h.collectionStage(ctx); err != nil {
		return row{}, err
	}
	s, err := h.serve(ctx, "--config", h.collectionConfig)
	if err != nil {
		return row{}, err
	}
	defer s.Stop()
	abuser, err := h.abuse(ctx, s)
	if err != nil {
		return row{}, err
	}
	defer abuser.Stop()
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		return row{}, err
	}
	defer conn.Close()
	var waits []float64
	for end := time.Now().Add(10 * h.span); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		began := time.Now()
		a, err := ask(conn, s.address, figurePath, nil)
		if err != nil || a.status != http.StatusOK {
			return row{}, fmt.Errorf("a figure amid misbehaving clients: status %d, %v", a.status, err)
		}
		waits = append(waits, ms(began))
	}
	abuser.Stop()
	if said := abuser.Output.String(); said != allConnected {
		return row{}, errors.New(said)
	}
	_, most, err := s.Memory()
	if err != nil {
		return row{}, err
	}
	slowest := quantile(waits, 0.99)
	r := within("memory amid 10,000 idle connections, slow clients and a flood", "MB resident at most", 300,
		[]float64{most / 1e6})
	r.Ratio = min(r.Ratio, 100/slowest)
	r.Note = fmt.Sprintf("A figure took %s ms, and 99 %% took at most %s ms. Our limit for that is 100 ms.",
		figure(median(waits)), figure(slowest))
	return r, nil
}

const allConnected = "here\n"

// abuse starts the clients that misbehave. They are a separate program with a lower priority than
// the service and the client that is timed, because all share the processors.
func (h *harness) abuse(ctx context.Context, s *service) (*process.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	abuser, err := process.Start(exec.Command("nice", "-n", "19", self, "-abuse", s.address,
		"-quick="+strconv.FormatBool(h.quick)))
	if err != nil {
		return nil, err
	}
	return abuser, abuser.Until(ctx, func() error {
		if !strings.HasPrefix(abuser.Output.String(), allConnected) {
			return errors.New("the other clients are not ready yet")
		}
		return nil
	})
}

// misbehave runs the misbehaving clients until ctx ends. It prints a line when the idle clients are
// connected, and then starts the others.
func misbehave(ctx context.Context, address string, quick bool, out io.Writer) error {
	idle, slow := 10_000, 200
	if quick {
		idle, slow = 1_000, 20
	}
	conns := make([]net.Conn, idle)
	defer func() {
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
	}()
	var opening errgroup.Group
	opening.SetLimit(64)
	for i := range conns {
		opening.Go(func() (err error) {
			conns[i], err = net.Dial("tcp", address)
			if err == nil && i%2 == 0 { // half of them stay silent only after a first request
				_, err = ask(conns[i], address, hotPet, nil)
			}
			return err
		})
	}
	if err := opening.Wait(); err != nil {
		return fmt.Errorf("opening idle connections: %w", err)
	}
	fmt.Fprint(out, allConnected)
	group, ctx := errgroup.WithContext(ctx)
	for i := range slow {
		group.Go(func() error { return slowClient(ctx, address, i%2 == 0) })
	}
	for i := range 16 {
		group.Go(func() error { return flood(ctx, address, 1_000_000*(i+1)) })
	}
	return group.Wait()
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
			pause(ctx, 100*time.Millisecond)
		}
		conn.Close()
	}
	return nil
}

// flood requests distinct ids that no pet has, about 60 a second, until ctx ends. Each costs a read
// of the store.
func flood(ctx context.Context, address string, id int) error {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	for ; ctx.Err() == nil; id++ {
		a, err := ask(conn, address, "/pets/token/"+strconv.Itoa(id), nil)
		if err == nil && a.status != http.StatusNotFound {
			err = fmt.Errorf("pet %d, which does not exist: status %d: %s", id, a.status, a.body)
		}
		if err != nil {
			return err
		}
		pause(ctx, 16*time.Millisecond)
	}
	return nil
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
