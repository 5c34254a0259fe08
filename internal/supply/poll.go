package supply

import (
	"context"
	"fmt"
	"log/slog"
	"slices"

	"petsupply/internal/supply/ledger"
)

// recordStore has the records of tokens. *store.Store implements it.
type recordStore interface {
	// Records returns the record of every token that was written after seq.
	Records(ctx context.Context, seq int64) ([]Record, error)
	// Ledgers returns the ledger versions of the token's published figures, oldest first.
	Ledgers(ctx context.Context, token string) ([]ledger.Version, error)
}

// readUpdates returns everything written after seq as updates of a board. ledgers caches the
// versions of each token between calls.
func readUpdates(
	ctx context.Context, store recordStore, seq int64, ledgers map[string][]ledger.Version,
) ([]Update, error) {
	records, err := store.Records(ctx, seq)
	if err != nil {
		return nil, fmt.Errorf("loading the records written after %d: %w", seq, err)
	}
	var updates []Update
	for _, rec := range records {
		if s := rec.Snapshot; s != nil && !hasVersion(ledgers[rec.Token], s.LedgerHash) {
			if ledgers[rec.Token], err = store.Ledgers(ctx, rec.Token); err != nil {
				return nil, fmt.Errorf("loading the ledgers of %s: %w", rec.Token, err)
			}
		}
		updates = append(updates, Update{Record: rec, Ledgers: ledgers[rec.Token]})
	}
	return updates, nil
}

func hasVersion(list []ledger.Version, hash string) bool {
	return slices.ContainsFunc(list, func(v ledger.Version) bool { return v.Hash == hash })
}

// pollStore is the store that a Poller reads. *store.Store implements it.
type pollStore interface {
	recordStore
	// Sequence returns the sequence of the newest write, or 0 before the first.
	Sequence(ctx context.Context) (int64, error)
}

// A Poller sets the board to the leader's writes, in every process. While the store is away the
// board stays unchanged and becomes stale by itself.
type Poller struct {
	store pollStore
	board *Board
	log   *slog.Logger

	seq     int64
	ledgers map[string][]ledger.Version
}

// NewPoller returns a poller that has read nothing yet.
func NewPoller(store pollStore, board *Board, log *slog.Logger) *Poller {
	return &Poller{store: store, board: board, log: log, ledgers: map[string][]ledger.Version{}}
}

// Step publishes everything that was written since the last step.
func (p *Poller) Step(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, storeLimit)
	defer cancel()
	newest, err := p.store.Sequence(ctx)
	if err != nil {
		return fmt.Errorf("reading the newest sequence: %w", err)
	}
	if newest == p.seq {
		return nil
	}
	if newest < p.seq { // a backup was restored, and its content is now published
		p.log.Warn("the store went back in time; reading all of it again", "from", p.seq, "to", newest)
		p.seq, p.ledgers = 0, map[string][]ledger.Version{}
		p.board.acceptOlder()
	}
	updates, err := readUpdates(ctx, p.store, p.seq, p.ledgers)
	if err != nil {
		return err
	}
	for _, u := range updates {
		p.seq = max(p.seq, u.Seq)
	}
	p.board.Set(updates...)
	return nil
}
