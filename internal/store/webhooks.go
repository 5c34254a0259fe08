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

// keepNotices is how many of the newest notices about new figures are kept. Three tokens that change
// every minute make 100,000 notices in about three weeks.
const keepNotices = 100_000

// appendNotices numbers and saves notices, in the transaction that publishes the figures.
func (s *Store) appendNotices(ctx context.Context, tx *sql.Tx, notices []supply.Notice) (err error) {
	if len(notices) == 0 {
		return nil
	}
	defer wrap(&err, "saving notices")
	var newest uint64
	if err := tx.QueryRowContext(ctx, newestOf[webhook.Supply]).Scan(&newest); err != nil {
		return err
	}
	for i := range notices {
		newest++
		notices[i].Seq = newest
	}
	columns := []string{"seq", "token", "forever", "notice"}
	err = database.InsertRows(ctx, s.db, tx, "supply_notice", columns, "", notices,
		func(args []any, n *supply.Notice) []any {
			return append(args, int64(n.Seq), n.Token, bit(n.Kind != supply.NoticePublished), asJSON{n})
		})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM supply_notice WHERE seq <= $1 AND forever = 0`, int64(newest)-keepNotices)
	return err
}

// WebhookChanges is ChangesSince for the leader. It uses the leader's connections, so that it does
// not wait for callers.
func (s *Store) WebhookChanges(ctx context.Context, after uint64, limit int) ([]pet.Change, error) {
	return changesSince(ctx, s.db.Leader, &after, limit)
}

// SupplyNotices returns at most limit notices about figures, with numbers greater than after, in
// order. Like WebhookChanges, it uses the leader's connections.
func (s *Store) SupplyNotices(ctx context.Context, after uint64, limit int) (_ []supply.Notice, err error) {
	defer wrap(&err, "reading notices")
	return list(ctx, s.db.Leader, func(scan scanFunc, n *supply.Notice) error { return scan(asJSON{n}) },
		fmt.Sprintf(`SELECT notice FROM supply_notice WHERE seq > $1 ORDER BY seq LIMIT %d`, limit), int64(after))
}

// maxEvents limits one answer of Events.
const maxEvents = 200

// Events returns the latest maxEvents notices about holds, releases and corrections of a token,
// newest last.
func (s *Store) Events(ctx context.Context, token string) (out []supply.Notice, err error) {
	defer wrap(&err, "reading the events of %s", token)
	out, err = list(ctx, s.db, func(scan scanFunc, n *supply.Notice) error { return scan(asJSON{n}) },
		fmt.Sprintf(`SELECT notice FROM supply_notice WHERE token = $1 AND forever = 1 ORDER BY seq DESC LIMIT %d`,
			maxEvents), token)
	slices.Reverse(out)
	return out, err
}

// newestOf has the queries for the newest number of each feed.
var newestOf = map[string]string{
	webhook.Pets:   `SELECT COALESCE(MAX(seq), 0) FROM pet_change`,
	webhook.Supply: `SELECT COALESCE(MAX(seq), 0) FROM supply_notice`,
}

// EnsureWebhookCursor returns a webhook's cursor in a feed. A new webhook starts after the newest
// event. Only the leader may call it.
func (s *Store) EnsureWebhookCursor(ctx context.Context, name, feed string) (c webhook.Cursor, err error) {
	defer wrap(&err, "reading the cursor of the webhook %s", name)
	var refused int64
	err = s.fenced(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO webhook (name, feed, seq, delivered, refused, skipped)
			VALUES ($1, $2, (`+newestOf[feed]+`), 0, 0, 0)
			ON CONFLICT DO NOTHING`, name, feed)
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, `SELECT seq, refused, skipped FROM webhook WHERE name = $1 AND feed = $2`,
			name, feed).Scan(&c.Seq, &refused, &c.Skipped)
	})
	c.Refused = time.Duration(refused) * time.Millisecond
	return c, err
}

// SaveWebhookCursor saves a webhook's cursor in a feed. Only the leader may call it.
func (s *Store) SaveWebhookCursor(ctx context.Context, name, feed string, c webhook.Cursor) (err error) {
	defer wrap(&err, "saving the cursor of the webhook %s", name)
	return s.fenced(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			UPDATE webhook SET seq = $3, refused = $4, skipped = $5,
				delivered = CASE WHEN $6 > delivered THEN $6 ELSE delivered END
			WHERE name = $1 AND feed = $2`,
			name, feed, int64(c.Seq), c.Refused.Milliseconds(), int64(c.Skipped), toMillis(c.Delivered))
		return err
	})
}

// WebhookBacklogs returns the backlogs of all webhooks that ever existed.
func (s *Store) WebhookBacklogs(ctx context.Context) (_ []webhook.Backlog, err error) {
	defer wrap(&err, "reading the backlog of webhooks")
	return list(ctx, s.db, func(scan scanFunc, b *webhook.Backlog) error {
		return scan(&b.Name, &b.Waiting, &b.Skipped, millis{&b.Delivered})
	}, `SELECT name, CAST(SUM(CASE feed WHEN 'pet' THEN (`+newestOf[webhook.Pets]+`)
			ELSE (`+newestOf[webhook.Supply]+`) END - seq) AS BIGINT), CAST(SUM(skipped) AS BIGINT), MAX(delivered)
		FROM webhook GROUP BY name ORDER BY name`)
}
