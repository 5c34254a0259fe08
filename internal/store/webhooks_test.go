package store

import (
	"context"
	"errors"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/webhook"
	"petsupply/testkit/traits"
)

func TestWebhooksGoOnWhereTheLastLeaderStopped(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		a := leading(t, url)
		n := jewel(t, demo.Start)
		publish := func(s *Store) { saved(t, s, supply.Change{Record: record(n), Publishes: true}) }
		cursor := func(s *Store, feed string, want uint64) {
			t.Helper()
			if c, err := s.EnsureWebhookCursor(t.Context(), "game", feed); c.Seq != want || err != nil {
				t.Errorf("the place in %s is %d, want %d: %v", feed, c.Seq, want, err)
			}
		}
		publish(a)
		cursor(a, webhook.Supply, 1) // a new webhook gets no earlier events
		cursor(a, webhook.Pets, 0)
		publish(a)
		publish(a)
		write(t, a, batch{Realm: realm("second"), At: block(1),
			Observations: []pet.Observation{see(second+1, alice, traits.V2())}})
		list, err := a.SupplyNotices(t.Context(), 1, 10)
		if err != nil || len(list) != 2 || list[0].Seq != 2 || list[1].Seq != 3 ||
			list[0].Kind != supply.NoticePublished || !list[0].Figures.Equal(n.Figures) {
			t.Fatalf("the notices are %+v, %v", list, err)
		}
		delivered := time.UnixMilli(1_700_000_000_123).UTC()
		if err := a.SaveWebhookCursor(t.Context(), "game", webhook.Supply,
			webhook.Cursor{Seq: 2, Delivered: delivered}); err != nil {
			t.Fatal(err)
		}
		backlogs, err := a.WebhookBacklogs(t.Context())
		if err != nil || len(backlogs) != 1 ||
			backlogs[0] != (webhook.Backlog{Name: "game", Waiting: 2, Delivered: delivered}) {
			t.Errorf("the backlogs are %+v, %v", backlogs, err)
		}

		b := open(t, url)
		// The leader is paused past its lease.
		if _, err := a.db.Leader.ExecContext(t.Context(), `UPDATE lease SET expires = 0`); err != nil {
			t.Fatal(err)
		}
		if ok, err := b.Campaign(t.Context(), "b", time.Minute); !ok || err != nil {
			t.Fatalf("taking the lease: %v, %v", ok, err)
		}
		cursor(b, webhook.Supply, 2)
	})
}

// How long an event was refused, and how many events were skipped, is kept for each feed. The backlog
// counts both feeds.
func TestWebhooksThatRefuse(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		for feed, want := range map[string]webhook.Cursor{
			webhook.Pets:   {Seq: 4, Refused: 90 * time.Minute, Skipped: 2},
			webhook.Supply: {Seq: 5, Skipped: 1},
		} {
			if c, err := s.EnsureWebhookCursor(t.Context(), "game", feed); c != (webhook.Cursor{}) || err != nil {
				t.Errorf("a new webhook has the cursor %+v, %v", c, err)
			}
			if err := s.SaveWebhookCursor(t.Context(), "game", feed, want); err != nil {
				t.Fatal(err)
			}
			if c, err := s.EnsureWebhookCursor(t.Context(), "game", feed); c != want || err != nil {
				t.Errorf("the cursor is %+v, %v, want %+v", c, err, want)
			}
		}
		list, err := s.WebhookBacklogs(t.Context())
		if err != nil || len(list) != 1 || list[0] != (webhook.Backlog{Name: "game", Waiting: -9, Skipped: 3}) {
			t.Errorf("the backlogs are %+v, %v", list, err)
		}
	})
}

// Of notices about figures, the newest are kept. Those about other events are kept forever.
func TestEventsOfATokenAreKeptForEver(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		n := jewel(t, demo.Start)
		held := record(n)
		held.Hold = &supply.Hold{Candidate: n, Reason: "it doubled", Since: demo.Start}
		wrong := supply.Decision{Kind: supply.Wrong, Token: "jewel", Subject: n.ID, Reason: "miscounted",
			At: demo.End, Granted: true}
		saved(t, s, supply.Change{Record: held, Publishes: true})
		saved(t, s, supply.Change{Record: record(n), Publishes: true, Decided: []supply.Decision{wrong}})
		newest, err := s.SupplyNotices(t.Context(), 0, 100)
		if err != nil {
			t.Fatal(err)
		}
		last := newest[len(newest)-1].Seq
		if _, err := s.db.ExecContext(t.Context(), `INSERT INTO supply_notice (seq, token, forever, notice)
			VALUES ($1, 'jewel', 0, '{"seq":1}'), ($2, 'jewel', 0, '{"seq":2}'), ($3, 'jewel', 0, '{}')`,
			last+1, last+2, last+keepNotices); err != nil {
			t.Fatal(err)
		}
		saved(t, s, supply.Change{Record: record(n), Publishes: true})
		if left, err := s.SupplyNotices(t.Context(), last, 1); err != nil || left[0].Seq != 2 {
			t.Errorf("the oldest notice about a figure is %+v, %v", left, err)
		}
		list, err := s.Events(t.Context(), "jewel")
		if err != nil || len(list) != 2 || list[0].Kind != supply.NoticeHeld || list[0].Reason != "it doubled" ||
			list[1].Kind != supply.NoticeCorrected || !list[1].At.Equal(demo.End) {
			t.Errorf("the events are %+v, %v", list, err)
		}
		if list, err := s.Events(t.Context(), "jade"); err != nil || len(list) != 0 {
			t.Errorf("of another token %+v, %v", list, err)
		}
	})
}

// Callers do as many listings and lookups as they may, and use every common connection. The leader
// can still read its feeds, renew its lease and save figures.
func TestCallersDoNotDelayTheLeader(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
		write(t, s, batch{Realm: realm("second"), At: block(1),
			Observations: []pet.Observation{see(second+1, alice, traits.V2())}})
		defer crowd(t, s.turns)()
		// Before it signs, the leader reads a log's first leaf.
		if _, err := s.LogLeaves(t.Context(), 1, 0, 1); !errors.Is(err, tlog.ErrNone) {
			t.Errorf("the first leaf: %v", err)
		}
		for range s.db.Stats().MaxOpenConnections {
			conn, err := s.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // ends the test if the leader must wait
		defer cancel()
		if list, err := s.WebhookChanges(ctx, 0, 10); err != nil || len(list) != 1 {
			t.Errorf("changes of pets: %+v, %v", list, err)
		}
		if list, err := s.SupplyNotices(ctx, 0, 10); err != nil || len(list) != 1 {
			t.Errorf("notices: %+v, %v", list, err)
		}
		if ok, err := s.Campaign(ctx, t.Name(), time.Minute); !ok || err != nil {
			t.Errorf("the lease was not renewed: %v", err)
		}
		saved(t, s, supply.Change{Record: record(jewel(t, demo.Start))})
	})
}
