package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// Chain is the chain that an Indexer reads. *evm.Chain implements it.
type Chain interface {
	// Pin returns the highest block at the chain's finality that a quorum of its providers has
	// reached. Unless limit is zero, the block is no later than limit.
	Pin(ctx context.Context, limit time.Time) (evm.Block, error)
	// Blocks returns the canonical blocks with these numbers, all or none.
	Blocks(ctx context.Context, numbers ...uint64) ([]evm.Block, error)
	// Read answers all calls at a block, or none. The error is evm.ErrReorg if the block is not
	// canonical.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
	// Logs returns all logs of the range. The error is evm.ErrRange if the range is too wide.
	Logs(ctx context.Context, q evm.LogQuery) ([]evm.Log, error)
}

// A reading is the state of some pets in the realm at a block.
type reading struct {
	seen       []pet.Observation
	unreadable pet.Unreadable
}

// A prefetch is a reading that was started before it is needed.
type prefetch struct {
	at   evm.Block
	ids  []uint64
	done chan struct{} // closed when the fields below are set

	reading
	err error
}

// pin returns the newest block that has the chain's finality.
func (x *Indexer) pin(ctx context.Context) (evm.Block, error) {
	head, err := x.chain.Pin(ctx, time.Time{})
	if err == nil {
		x.head = head
	}
	return head, err
}

// block returns the canonical block with a number.
func (x *Indexer) block(ctx context.Context, number uint64) (evm.Block, error) {
	blocks, err := x.chain.Blocks(ctx, number)
	if err != nil {
		return evm.Block{}, err
	}
	return blocks[0], nil
}

// startPrefetch starts the reading that observe will need next.
func (x *Indexer) startPrefetch(ctx context.Context, at evm.Block, ids []uint64) {
	f := &prefetch{at: at, ids: ids, done: make(chan struct{})}
	x.prefetch = f
	newest := at == x.head
	go func() {
		defer close(f.done)
		f.reading, f.err = x.readStanding(ctx, at, ids, newest)
	}()
}

// observe returns the realm's state of each id at a block, and the ids of unreadable pets.
func (x *Indexer) observe(ctx context.Context, at evm.Block, ids []uint64) ([]pet.Observation, []uint64, error) {
	f := x.prefetch
	if x.prefetch = nil; f == nil || f.at != at || !slices.Equal(f.ids, ids) {
		r, err := x.readStanding(ctx, at, ids, at == x.head)
		return r.seen, r.unreadable.IDs, err
	}
	select {
	case <-f.done:
		return f.seen, f.unreadable.IDs, f.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}

// readStanding reads at a block and then checks that the block is still canonical, because some
// nodes also answer for removed blocks. newest says that the block was the newest one before the
// read. If the chain has a newer block after the read, everything is read again. A node that was
// importing the newer block may have answered with the newer state. If the newer block were removed
// later, no event would correct the pets.
func (x *Indexer) readStanding(ctx context.Context, at evm.Block, ids []uint64, newest bool) (reading, error) {
	r, err := x.read(ctx, at, ids)
	if err != nil || len(ids) == 0 {
		return r, err
	}
	if newest {
		head, err := x.chain.Pin(ctx, time.Time{})
		if err != nil || head == at {
			return r, err
		}
		if r, err = x.read(ctx, at, ids); err != nil {
			return r, err
		}
	}
	if now, err := x.block(ctx, at.Number); err != nil {
		return reading{}, err
	} else if now.Hash != at.Hash {
		return reading{},
			fmt.Errorf("block %d was removed from the chain while %d pets were read at it: %w", at.Number, len(ids),
				evm.ErrReorg)
	}
	return r, nil
}

// read reads ids at a block, a few reads at a time.
func (x *Indexer) read(ctx context.Context, at evm.Block, ids []uint64) (reading, error) {
	parts := slices.Collect(slices.Chunk(ids, readIDs))
	lists, bad := make([][]pet.Observation, len(parts)), make([]pet.Unreadable, len(parts))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(reads)
	for i, part := range parts {
		group.Go(func() (err error) {
			lists[i], bad[i], err = x.readPart(ctx, at, part)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return reading{}, err
	}
	r := reading{seen: slices.Concat(lists...)}
	for _, b := range bad {
		r.unreadable.Add(b)
	}
	if n := len(r.unreadable.IDs); n > 0 {
		x.metrics.unreadable.Add(float64(n))
		x.log.Warn("pets: some pets cannot be read; they are set aside and tried again later", "pets", n, "block", at.Number,
			"error", r.unreadable.First)
		x.setProgress(func(p *Progress) { p.Unfit = r.unreadable.First })
	}
	return r, nil
}

// readPart reads all ids in one read. If their answers are too long together, it reads each half
// separately. A pet whose own answer is too long is unreadable.
func (x *Indexer) readPart(ctx context.Context, at evm.Block, ids []uint64) ([]pet.Observation, pet.Unreadable, error) {
	answers, err := x.chain.Read(ctx, at, x.kingdom.StateCalls(x.realm, ids))
	switch {
	case err == nil:
		return x.kingdom.Observations(x.realm, ids, answers)
	case !errors.Is(err, evm.ErrTooLong):
		return nil, pet.Unreadable{}, err
	case len(ids) == 1:
		return nil, pet.Unreadable{IDs: ids, First: fmt.Errorf("token %d: %w: %w", ids[0], collection.ErrShape, err)}, nil
	}
	half := len(ids) / 2
	list, bad, err := x.readPart(ctx, at, ids[:half])
	if err != nil {
		return nil, bad, err
	}
	more, worse, err := x.readPart(ctx, at, ids[half:])
	bad.Add(worse)
	return append(list, more...), bad, err
}

const (
	maxTries = 6      // tries after which the pause no longer doubles
	maxTried = 10_000 // pets whose tries are counted; others get the longest pause
)

// setAside returns the times at which to try unreadable pets again, by id. The pause grows with
// each try. Other pets do not wait for them.
func (x *Indexer) setAside(seen []pet.Observation, unreadable []uint64) map[uint64]time.Time {
	for i := range seen {
		delete(x.tries, seen[i].ID)
	}
	again := make(map[uint64]time.Time, len(unreadable))
	for _, id := range unreadable {
		tries := maxTries
		if _, known := x.tries[id]; known || len(x.tries) < maxTried {
			tries = min(x.tries[id], maxTries)
			x.tries[id] = tries + 1
		}
		again[id] = time.Now().Add(x.RetryAfter << tries)
	}
	return again
}

// dueNow returns the ids, each with the time now, for Batch.Want.
func dueNow(ids []uint64) map[uint64]time.Time {
	now, want := time.Now(), make(map[uint64]time.Time, len(ids))
	for _, id := range ids {
		want[id] = now
	}
	return want
}

// search returns the contract's logs of the first blocks between from and to, and the number of the
// last of these blocks. The window adapts to the node's limits and to the number of logs.
func (x *Indexer) search(ctx context.Context, from, to uint64) (logs []evm.Log, last uint64, err error) {
	for {
		last = min(to, from+x.window.blocks-1)
		logs, err = x.chain.Logs(ctx, evm.LogQuery{From: from, To: last, Addresses: []common.Address{x.realm.Contract}})
		blocks := last - from + 1
		if errors.Is(err, evm.ErrRange) && blocks > 1 {
			x.window.refused(blocks)
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		x.window.served(blocks, len(logs))
		for _, l := range logs {
			if id := pet.TransferID(l); id != nil {
				x.noteOutside(id)
			}
		}
		return logs, last, nil
	}
}

// noteOutside records the first token whose id is outside every realm's range.
func (x *Indexer) noteOutside(id []byte) {
	if outside := x.kingdom.Outside(x.realm, id); outside != nil {
		x.setProgress(func(p *Progress) {
			if p.Outside == nil {
				p.Outside = outside
			}
		})
	}
}

// A window is the number of blocks in one search for logs.
type window struct {
	blocks   uint64
	ceiling  uint64 // upper limit of blocks; lower than maxWindow if the node refused more
	searches int    // searches of the whole window that found few logs, since the ceiling was last set
}

const (
	maxWindow = 8192
	manyLogs  = 5000 // logs in one search that make the window shrink
	// ceilingSearches is the number of searches before a wider window is tried again.
	ceilingSearches = 64
)

// refused halves the window and lowers the ceiling.
func (w *window) refused(blocks uint64) {
	w.blocks, w.searches, w.ceiling = max(1, blocks/2), 0, max(1, blocks-1-blocks/8)
}

// served narrows the window after a search that found many logs. After a search of the whole window
// that found few, it widens the window up to the ceiling. After more than ceilingSearches of these
// it also raises the ceiling.
func (w *window) served(blocks uint64, logs int) {
	switch {
	case logs > manyLogs:
		w.blocks = max(1, blocks/2)
	case blocks == w.blocks && logs < manyLogs/4:
		if w.searches++; w.searches > ceilingSearches {
			w.ceiling, w.searches = min(maxWindow, 2*w.ceiling), 0
		}
		w.blocks = min(w.ceiling, w.blocks+w.blocks/4+1)
	}
}
