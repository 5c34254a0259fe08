package supply

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"

	"petsupply/internal/supply/ledger"
)

// recordStore has the records of tokens. *store.Store implements it.
type recordStore interface {
	// Records returns the tokens' records that were written after seq.
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
		return nil, fmt.Errorf("loading the records after write number %d: %w", seq, err)
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
	// Sequences returns the sequence number of each token's last write. No number is used twice,
	// even after a backup is restored.
	Sequences(ctx context.Context) (map[string]int64, error)
}

// A Poller copies the leader's writes from the store to the board, in every process. While the
// store is unreachable, the board keeps its figures until they are too old.
type Poller struct {
	store pollStore
	board *Board
	log   *slog.Logger

	seen    map[string]int64 // the sequence number of each token's last write
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
	now, err := p.store.Sequences(ctx)
	if err != nil {
		return fmt.Errorf("reading the number of each token's last write: %w", err)
	}
	if maps.Equal(now, p.seen) {
		return nil
	}
	var after int64
	for token, seq := range p.seen {
		if now[token] < seq { // a backup was restored: publish its content
			p.log.Warn("the store went back in time, as after a restore; reading all of it again", "token", token,
				"last_write_before", seq, "last_write_now", now[token])
			p.ledgers = map[string][]ledger.Version{}
			p.board.acceptOlder()
			after = 0
			break
		}
		after = max(after, seq)
	}
	updates, err := readUpdates(ctx, p.store, after, p.ledgers)
	if err != nil {
		return err
	}
	for token := range p.seen {
		if now[token] == 0 { // a restored backup is older than the token's first figure
			updates = append(updates, Update{Record: Record{Token: token}})
		}
	}
	p.seen = now
	p.board.Set(updates...)
	return nil
}
