package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/webhook"
)

var _ webhook.Store = (*Store)(nil)

// keepNotices is how many of the newest are kept: weeks of three tokens that
// change every minute.
const keepNotices = 100_000

// appendNotices numbers and keeps what others are told, in the transaction that
// publishes it.
func (s *Store) appendNotices(ctx context.Context, tx *sql.Tx, notices []supply.Notice) error {
	if len(notices) == 0 {
		return nil
	}
	var newest uint64
	if err := tx.QueryRowContext(ctx, newestOf[webhook.Supply]).Scan(&newest); err != nil {
		return fmt.Errorf("numbering notices: %w", err)
	}
	for i := range notices {
		newest++
		notices[i].Seq = newest
	}
	err := database.InsertRows(ctx, s.db, tx, "supply_notice", []string{"seq", "notice"}, "", notices,
		func(args []any, n *supply.Notice) []any { return append(args, int64(n.Seq), asJSON{n}) })
	if err == nil {
		events := slices.DeleteFunc(slices.Clone(notices), func(n supply.Notice) bool { return n.Kind == supply.NoticePublished })
		err = database.InsertRows(ctx, s.db, tx, "supply_event", []string{"token", "seq", "notice"}, "", events,
			func(args []any, n *supply.Notice) []any { return append(args, n.Token, int64(n.Seq), asJSON{n}) })
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, `DELETE FROM supply_notice WHERE seq <= $1`, int64(newest)-keepNotices)
	}
	if err != nil {
		return fmt.Errorf("keeping notices: %w", err)
	}
	return nil
}

// WebhookChanges is ChangesSince for the leader. It uses the leader's connections, so
// that it does not wait behind callers.
func (s *Store) WebhookChanges(ctx context.Context, after uint64, limit int) ([]pet.Change, error) {
	return changesSince(ctx, s.db.Leader, &after, limit)
}

// SupplyNotices returns what others are told of figures after that number, in
// order, at most limit. It uses the leader's connections too.
func (s *Store) SupplyNotices(ctx context.Context, after uint64, limit int) ([]supply.Notice, error) {
	out, err := list(ctx, s.db.Leader, func(scan scanFunc, n *supply.Notice) error { return scan(asJSON{n}) },
		fmt.Sprintf(`SELECT notice FROM supply_notice WHERE seq > $1 ORDER BY seq LIMIT %d`, limit), int64(after))
	if err != nil {
		return nil, fmt.Errorf("reading notices: %w", err)
	}
	return out, nil
}

// maxEvents bounds one answer of Events.
const maxEvents = 200

// Events returns what was held, released and corrected of a token, the newest
// last. Other notices are forgotten in time, these are not.
func (s *Store) Events(ctx context.Context, token string) ([]supply.Notice, error) {
	out, err := list(ctx, s.db, func(scan scanFunc, n *supply.Notice) error { return scan(asJSON{n}) },
		fmt.Sprintf(`SELECT notice FROM supply_event WHERE token = $1 ORDER BY seq DESC LIMIT %d`, maxEvents), token)
	if err != nil {
		return nil, fmt.Errorf("reading what happened to the figures of %s: %w", token, err)
	}
	slices.Reverse(out)
	return out, nil
}

// newestOf asks for the newest number of a feed.
var newestOf = map[string]string{
	webhook.Pets:   `SELECT COALESCE(MAX(seq), 0) FROM pet_change`,
	webhook.Supply: `SELECT COALESCE(MAX(seq), 0) FROM supply_notice`,
}

// EnsureWebhookCursor returns a webhook's place in a feed. For a new webhook it saves
// and returns the newest one. It forgets that the webhook ended at another address.
// Only the leader may call it.
func (s *Store) EnsureWebhookCursor(ctx context.Context, name, feed, address string) (c webhook.Cursor, err error) {
	var refused int64
	err = s.fenced(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO webhook (name, feed, seq, delivered, refused, ended) VALUES ($1, $2, (`+newestOf[feed]+`), 0, 0, '')
			ON CONFLICT DO NOTHING`, name, feed)
		if err == nil {
			_, err = tx.ExecContext(ctx, `UPDATE webhook SET ended = '' WHERE name = $1 AND ended <> $2`, name, address)
		}
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `
			SELECT seq, refused, (SELECT MAX(ended) FROM webhook WHERE name = $1) FROM webhook
			WHERE name = $1 AND feed = $2`, name, feed).Scan(&c.Seq, &refused, &c.Ended)
	})
	if err != nil {
		return webhook.Cursor{}, fmt.Errorf("asking how far a webhook has come: %w", err)
	}
	c.Refused = time.Duration(refused) * time.Millisecond
	return c, nil
}

// SaveWebhookCursor saves that place, and with it an event that is set aside, unless
// that is nil. Only the leader may call it.
func (s *Store) SaveWebhookCursor(ctx context.Context, name, feed string, c webhook.Cursor, aside *webhook.Message) error {
	err := s.fenced(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE webhook SET seq = $3, refused = $4, delivered = CASE WHEN $5 > delivered THEN $5 ELSE delivered END
			WHERE name = $1 AND feed = $2`, name, feed, int64(c.Seq), c.Refused.Milliseconds(), toMillis(c.Delivered))
		if err == nil && c.Ended != "" {
			_, err = tx.ExecContext(ctx, `UPDATE webhook SET ended = $2 WHERE name = $1`, name, c.Ended)
		}
		if err == nil && aside != nil {
			_, err = tx.ExecContext(ctx, `
				INSERT INTO webhook_aside (name, id, body, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
				name, aside.ID, string(aside.Body), s.now().UnixMilli())
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping how far a webhook has come: %w", err)
	}
	return nil
}

// WebhookAside returns the events of a webhook that are set aside, the oldest first.
func (s *Store) WebhookAside(ctx context.Context, name string) ([]webhook.Message, error) {
	out, err := list(ctx, s.db, func(scan scanFunc, m *webhook.Message) error { return scan(&m.ID, &m.Body) },
		`SELECT id, body FROM webhook_aside WHERE name = $1 ORDER BY since, id`, name)
	if err != nil {
		return nil, fmt.Errorf("reading what is set aside: %w", err)
	}
	return out, nil
}

// DropWebhookAside forgets an event that was set aside, since it is delivered now. Any
// process may call it.
func (s *Store) DropWebhookAside(ctx context.Context, name, id string) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM webhook_aside WHERE name = $1 AND id = $2`, name, id); err != nil {
		return fmt.Errorf("forgetting what was set aside: %w", err)
	}
	return nil
}

// WebhookBacklogs returns how far every webhook has come that there ever was.
func (s *Store) WebhookBacklogs(ctx context.Context) ([]webhook.Backlog, error) {
	out, err := list(ctx, s.db, func(scan scanFunc, b *webhook.Backlog) error {
		var at int64
		err := scan(&b.Name, &b.Waiting, &at, &b.Ended, &b.Aside)
		b.Delivered = fromMillis(at)
		return err
	}, `SELECT name, CAST(SUM(CASE feed WHEN 'pet' THEN (`+newestOf[webhook.Pets]+`)
			ELSE (`+newestOf[webhook.Supply]+`) END - seq) AS BIGINT), MAX(delivered), MAX(ended) <> '',
			(SELECT COUNT(*) FROM webhook_aside a WHERE a.name = webhook.name)
		FROM webhook GROUP BY name ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("reading the backlog of webhooks: %w", err)
	}
	return out, nil
}
