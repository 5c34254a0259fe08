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
			if c, err := s.EnsureWebhookCursor(t.Context(), "game", feed, "here"); c.Seq != want || err != nil {
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
			webhook.Cursor{Seq: 2, Delivered: delivered}, nil); err != nil {
			t.Fatal(err)
		}
		backlogs, err := a.WebhookBacklogs(t.Context())
		if err != nil || len(backlogs) != 1 ||
			backlogs[0] != (webhook.Backlog{Name: "game", Waiting: 2, Delivered: delivered}) {
			t.Errorf("the backlogs are %+v, %v", backlogs, err)
		}

		b := open(t, url)
		if _, err := b.EnsureWebhookCursor(t.Context(), "game", webhook.Supply, "here"); !errors.Is(err, errNotLeader) {
			t.Errorf("a follower gets %v", err)
		}
		// The leader is paused past its lease.
		if _, err := a.db.Leader.ExecContext(t.Context(), `UPDATE lease SET expires = 0`); err != nil {
			t.Fatal(err)
		}
		if ok, err := b.Campaign(t.Context(), "b", time.Minute); !ok || err != nil {
			t.Fatalf("taking the lease: %v, %v", ok, err)
		}
		if err := a.SaveWebhookCursor(t.Context(), "game", webhook.Supply,
			webhook.Cursor{Seq: 3, Delivered: delivered}, nil); !errors.Is(err, errNotLeader) {
			t.Errorf("the old leader could write: %v", err)
		}
		cursor(b, webhook.Supply, 2)
	})
}

// If a webhook ends, it ends for all feeds until its address changes. An event that is set aside is
// kept until it is dropped.
func TestWebhooksThatEndedOrRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		ensure := func(feed, address string) webhook.Cursor {
			t.Helper()
			c, err := s.EnsureWebhookCursor(t.Context(), "game", feed, address)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		save := func(c webhook.Cursor, aside *webhook.Message) {
			t.Helper()
			if err := s.SaveWebhookCursor(t.Context(), "game", webhook.Pets, c, aside); err != nil {
				t.Fatal(err)
			}
		}
		backlog := func(want webhook.Backlog) {
			t.Helper()
			want.Name = "game"
			if list, err := s.WebhookBacklogs(t.Context()); err != nil || len(list) != 1 || list[0] != want {
				t.Errorf("%+v, %v, want %+v", list, err, want)
			}
		}
		ensure(webhook.Pets, "here")
		first := &webhook.Message{ID: "msg_pet-moved_1_00", Body: []byte(`{"type":"pet.moved"}`)}
		save(webhook.Cursor{Refused: 90 * time.Minute}, nil)
		if c := ensure(webhook.Pets, "here"); c.Refused != 90*time.Minute {
			t.Errorf("refused for %s", c.Refused)
		}
		save(webhook.Cursor{}, first)
		save(webhook.Cursor{}, first)
		backlog(webhook.Backlog{Aside: 1})
		list, err := s.WebhookAside(t.Context(), "game")
		if err != nil || len(list) != 1 || list[0].ID != first.ID || string(list[0].Body) != string(first.Body) {
			t.Errorf("set aside are %+v, %v", list, err)
		}
		save(webhook.Cursor{Ended: "here"}, nil)
		save(webhook.Cursor{}, nil) // from the queue of another feed
		if c := ensure(webhook.Supply, "here"); c.Ended != "here" {
			t.Errorf("the other feed did not end: %+v", c)
		}
		backlog(webhook.Backlog{Aside: 1, Ended: true})
		if c := ensure(webhook.Supply, "there"); c.Ended != "" {
			t.Errorf("the webhook ended at %s too", c.Ended)
		}
		if err := s.DropWebhookAside(t.Context(), "game", first.ID); err != nil {
			t.Error(err)
		}
		backlog(webhook.Backlog{})
	})
}

func TestOnlyTheNewestNoticesAreKept(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		if _, err := s.db.ExecContext(t.Context(),
			`INSERT INTO supply_notice (seq, notice) VALUES (1, '{"seq":1}'), (2, '{"seq":2}'), ($1, '{}')`,
			keepNotices); err != nil {
			t.Fatal(err)
		}
		saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
		if list, err := s.SupplyNotices(t.Context(), 0, 1); err != nil || list[0].Seq != 2 {
			t.Errorf("the notices are %+v, %v", list, err)
		}
	})
}

func TestEventsOfATokenAreKeptForEver(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		n := jewel(t, demo.Start)
		held := record(n)
		held.Hold = &supply.Hold{Candidate: n, Reason: "it doubled", Since: demo.Start}
		wrong := supply.Decision{Kind: supply.Correct, Token: "jewel", Subject: n.ID, Reason: "miscounted",
			At: demo.End, Granted: true}
		saved(t, s, supply.Change{Record: held, Publishes: true})
		saved(t, s, supply.Change{Record: record(n), Publishes: true, Decided: []supply.Decision{wrong}})
		if _, err := s.db.ExecContext(t.Context(), `INSERT INTO supply_notice (seq, notice) VALUES ($1, '{}')`,
			2*keepNotices); err != nil {
			t.Fatal(err)
		}
		saved(t, s, supply.Change{Record: record(n), Publishes: true})
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
// can still read its feeds.
func TestCallersDoNotDelayTheLeadersReads(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		saved(t, s, supply.Change{Record: record(jewel(t, demo.Start)), Publishes: true})
		write(t, s, batch{Realm: realm("second"), At: block(1),
			Observations: []pet.Observation{see(second+1, alice, traits.V2())}})
		defer crowd(t, s.turns)()
		// Before it signs, the leader reads a log's first leaf.
		if _, err := s.LogHashes(t.Context(), 1, tlog.Entries, 0, 1); !errors.Is(err, tlog.ErrNone) {
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
	})
}
