package supply

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"sync"
)

// recordStore has the records of tokens. *store.Store implements it.
type recordStore interface {
	// Sequences returns the sequence number of each token's last write. No number is used twice,
	// even after a backup is restored.
	Sequences(ctx context.Context) (map[string]int64, error)
	// Records returns the records of all tokens, with their ledgers.
	Records(ctx context.Context) ([]Record, error)
}

// A Poller copies the leader's writes from the store to the board, in every process. While the
// store is unreachable, the board keeps its figures until they are too old.
type Poller struct {
	store recordStore
	board *Board
	log   *slog.Logger

	mu   sync.Mutex       // held while polling, so that the board never goes back
	seen map[string]int64 // the sequence number of each token's last write
}

// NewPoller returns a poller that has read nothing yet.
func NewPoller(store recordStore, board *Board, log *slog.Logger) *Poller {
	return &Poller{store: store, board: board, log: log}
}

// Step publishes the stored records if any was written since the last step.
func (p *Poller) Step(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	now, err := p.store.Sequences(ctx)
	if err != nil {
		return fmt.Errorf("reading the number of each token's last write: %w", err)
	}
	if maps.Equal(now, p.seen) {
		return nil
	}
	records, err := p.store.Records(ctx)
	if err != nil {
		return fmt.Errorf("reading the records of tokens: %w", err)
	}
	for token, seq := range p.seen {
		if now[token] >= seq {
			continue
		}
		p.log.Warn("the store went back in time, as after a restore", "token", token,
			"last_write_before", seq, "last_write_now", now[token])
		if now[token] == 0 { // the store is now older than the token's first figure
			records = append(records, Record{Token: token})
		}
	}
	p.seen = now
	p.board.Set(records...)
	return nil
}
