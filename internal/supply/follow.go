package supply

import (
	"context"
	"fmt"
	"log/slog"
	"time"
)

// Journal is what a Follower reads. *store.Store is one.
type RecordReader interface {
	// Sequence returns the sequence of the newest write, 0 before the first.
	Sequence(ctx context.Context) (int64, error)
	// Records returns the record of every token that was written after seq.
	Records(ctx context.Context, seq int64) ([]Record, error)
	// Ledgers returns the versions by which figures of the token were
	// published, oldest first.
	Ledgers(ctx context.Context, token string) ([]Ledger, error)
}

// followPoll is how often a follower asks: a new figure is everywhere within a
// second.
const followPoll = 500 * time.Millisecond

// A Follower publishes what another process measured, as the store tells it.
// While the store is away the board stays as it is and grows stale by itself.
type Poller struct {
	journal RecordReader
	board   *Board
	log     *slog.Logger

	seq     int64
	ledgers map[string][]Ledger
	away    bool // the store did not answer last time; said once
}

// NewFollower returns a follower that has seen nothing yet.
func NewPoller(journal RecordReader, board *Board, log *slog.Logger) *Poller {
	return &Poller{journal: journal, board: board, log: log, ledgers: map[string][]Ledger{}}
}

// Run follows until ctx ends.
func (f *Poller) Run(ctx context.Context) error {
	tick := time.NewTicker(followPoll)
	defer tick.Stop()
	for {
		if err := f.Step(ctx); err != nil && ctx.Err() == nil {
			if !f.away {
				f.log.Error("following the store", "error", err)
			}
			f.away = true
		} else if f.away && err == nil {
			f.log.Info("following the store again")
			f.away = false
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// Step publishes what was written since the last step.
func (f *Poller) Step(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stepLimit)
	defer cancel()
	newest, err := f.journal.Sequence(ctx)
	if err != nil {
		return fmt.Errorf("asking for the newest write: %w", err)
	}
	if newest == f.seq {
		return nil
	}
	if newest < f.seq { // a backup was put back: what it holds is what is published
		f.log.Warn("the store went back in time; reading it afresh", "from", f.seq, "to", newest)
		f.seq, f.ledgers = 0, map[string][]Ledger{}
		f.board.rewind()
	}
	records, err := f.journal.Records(ctx, f.seq)
	if err != nil {
		return fmt.Errorf("loading what was written after %d: %w", f.seq, err)
	}
	var updates []Update
	seq := f.seq
	for _, rec := range records {
		if err := f.learn(ctx, rec); err != nil {
			return err
		}
		seq = max(seq, rec.Seq)
		updates = append(updates, Update{Token: rec.Token, Seq: rec.Seq, Snapshot: rec.Snapshot, Hold: rec.Hold, Ledgers: f.ledgers[rec.Token]})
	}
	f.seq = seq
	f.board.Set(updates...)
	return nil
}

// learn loads the ledger versions of a token when one is new.
func (f *Poller) learn(ctx context.Context, rec Record) error {
	if rec.Snapshot == nil {
		return nil
	}
	for _, v := range f.ledgers[rec.Token] {
		if v.Hash == rec.Snapshot.LedgerHash {
			return nil
		}
	}
	versions, err := f.journal.Ledgers(ctx, rec.Token)
	if err != nil {
		return fmt.Errorf("loading the ledgers of %s: %w", rec.Token, err)
	}
	f.ledgers[rec.Token] = versions
	return nil
}
