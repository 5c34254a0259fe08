package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/process"
)

// A frozenCopy is the cost of freezing a collection.
type frozenCopy struct {
	pets   int
	took   time.Duration
	memory float64 // largest use, in bytes
}

func (f frozenCopy) String() string {
	return fmt.Sprintf("%s pets in %s, %.0f a second", ledger.Grouped(strconv.Itoa(f.pets)),
		f.took.Round(time.Second), float64(f.pets)/f.took.Seconds())
}

// freezing compares the cost of freezing a large collection into a folder with that of a smaller
// one.
func freezing(ctx context.Context, h *harness) ([]row, error) {
	few, many := 100_000, 1_000_000
	if h.quick {
		few, many = 1_000, 4_000
	}
	small, err := h.freeze(ctx, few)
	if err != nil {
		return nil, err
	}
	large, err := h.freeze(ctx, many)
	if err != nil {
		return nil, err
	}
	each := func(f frozenCopy) float64 { return float64(f.took.Microseconds()) / float64(f.pets) }
	name := fmt.Sprintf("freezing %s pets into a folder", ledger.Grouped(strconv.Itoa(many)))
	pace := compare(name, "µs a pet", 1/1.5, []pairing{{each(large), each(small)}})
	memory := within(name+", memory", "MB resident at most", 512, []float64{large.memory / 1e6})
	pace.Note = fmt.Sprintf("%s; %s.", large, small)
	pace.Against = ledger.Grouped(strconv.Itoa(few)) + " pets"
	memory.Note = fmt.Sprintf("%.0f MB for %s pets. Up to 256 MB of the memory can be pages of the store's file.",
		small.memory/1e6, ledger.Grouped(strconv.Itoa(few)))
	return []row{pace, memory}, nil
}

// freeze makes a collection of this many pets in SQLite, and freezes it.
func (h *harness) freeze(ctx context.Context, pets int) (f frozenCopy, err error) {
	name := fmt.Sprintf("freezing-%d", pets)
	config, err := h.importPets(ctx, name, "sqlite://"+filepath.Join(h.dir, name+".db"), pets)
	if err != nil {
		return f, err
	}
	folder := filepath.Join(h.dir, name)
	defer os.RemoveAll(folder)
	began := time.Now()
	p, err := process.Start(exec.CommandContext(ctx, h.binary, "freeze", "--config", config, "-o", folder))
	if err != nil {
		return f, err
	}
	f.pets = pets
	for ended := false; !ended; {
		// Read the maximum while the process runs. The maximum that the kernel reports after its end
		// also includes the memory of this program, which started it.
		if _, most, err := p.Memory(); err == nil {
			f.memory = max(f.memory, most)
		}
		select {
		case <-p.Done():
			ended = true
		case <-time.After(50 * time.Millisecond):
		}
	}
	f.took = time.Since(began)
	if !p.Cmd.ProcessState.Success() {
		return f, fmt.Errorf("freezing %d pets: %s: %s", pets, p.Cmd.ProcessState, p.Output.Tail())
	}
	h.say("  %s, %.0f MB of memory", f, f.memory/1e6)
	return f, nil
}
