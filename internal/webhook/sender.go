package webhook

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A Store has the feeds and each hook's place in them. *store.Store implements it.
type Store interface {
	// WebhookChanges returns up to limit changes of pets, in order: those with higher numbers than
	// after. The error is a pet.OutsideFeed if the next change was deleted, or if no change has a
	// number as high as after. The call does not wait for HTTP requests that read the store.
	WebhookChanges(ctx context.Context, after uint64, limit int) ([]pet.Change, error)
	// SupplyNotices returns up to limit notices, in order: those with higher numbers than after. The
	// store deletes old notices, so the first number in the list may be greater than after+1.
	SupplyNotices(ctx context.Context, after uint64, limit int) ([]supply.Notice, error)
	// EnsureWebhookCursor returns the hook's place in a feed. For a new hook it saves and returns
	// the end of the feed. Only the leader may call it.
	EnsureWebhookCursor(ctx context.Context, hook, feed string) (Cursor, error)
	// SaveWebhookCursor saves the hook's place in a feed. Only the leader may call it.
	SaveWebhookCursor(ctx context.Context, hook, feed string, c Cursor) error
}

// A Cursor is the place of a hook in a feed.
type Cursor struct {
	Seq       uint64        // number of the last event that was delivered, skipped, lost or not wanted
	Refused   time.Duration // how long the receiver has refused the next event
	Skipped   uint64        // how many events were skipped, because the receiver refused them for a day
	Delivered time.Time     // the last delivery; zero if there was none or it is unknown
}

// The pause after a failure. Each further failure doubles it.
const (
	firstPause   = time.Second
	longestPause = 5 * time.Minute
)

// Config has the options of a Sender.
type Config struct {
	Hooks []Hook
	Store Store
	Log   *slog.Logger
	Poll  time.Duration // how often a feed is read; 0 means every second
	// Transport sends the requests. nil means the transport of Hook.client.
	Transport http.RoundTripper
}

// A Sender sends every hook its events. Each hook has a queue for each feed that it wants. A queue
// sends its events in order, and does not wait for other queues.
type Sender struct {
	cfg        Config
	queues     []*queue
	deliveries *prometheus.CounterVec
}

// New prepares a Sender. Nothing is sent before Run.
func New(cfg Config) *Sender {
	cfg.Poll = cmp.Or(cfg.Poll, time.Second)
	s := &Sender{cfg: cfg, deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_webhook_deliveries_total", Help: "Attempts to deliver an event to a webhook, by outcome.",
	}, []string{"webhook", "outcome"})}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		client := h.client()
		if cfg.Transport != nil {
			client.Transport = cfg.Transport
		}
		for _, feed := range []string{Pets, Supply} {
			if h.wantsFeed(feed) {
				s.queues = append(s.queues, &queue{Sender: s, hook: h, client: client, feed: feed})
			}
		}
	}
	return s
}

// Collectors returns the metrics of the sender, to be registered once.
func (s *Sender) Collectors() []prometheus.Collector { return []prometheus.Collector{s.deliveries} }

// Run sends until ctx ends, which happens when this process no longer leads.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, q := range s.queues {
		all.Go(func() { q.run(ctx) })
	}
	all.Wait()
	<-ctx.Done()
}

// Failing returns the hooks whose events cannot be read or sent, and for how long they have failed.
func (s *Sender) Failing() map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, q := range s.queues {
		if since := q.failing.Load(); since != nil {
			out[q.hook.Name] = max(out[q.hook.Name], time.Since(*since))
		}
	}
	return out
}

// A queue sends one feed to one hook.
type queue struct {
	*Sender
	hook    *Hook
	client  *http.Client
	feed    string
	failing atomic.Pointer[time.Time] // start of the failures; nil if deliveries work

	// Only run uses these.
	place     *Cursor   // nil until it was read from the store
	saved     Cursor    // place as it is in the store
	refusedAt time.Time // when the last attempt was refused; zero if it was not
}

// run sends events until ctx ends. It continues from the place in the store, where the last leader
// stopped.
func (q *queue) run(ctx context.Context) {
	q.place = nil
	pause := firstPause
	for ctx.Err() == nil {
		sent, err := q.page(ctx)
		wait := q.cfg.Poll
		if sent {
			pause = firstPause
			wait = 0
		}
		if err == nil {
			q.report(nil)
		} else if ctx.Err() == nil {
			q.report(err)
			wait = pause/2 + rand.N(pause/2+1)
			if a, ok := errors.AsType[*Answer](err); ok {
				wait = max(wait, a.RetryAfter)
			}
			pause = min(2*pause, longestPause)
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
	q.failing.Store(nil)
	if q.place != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = q.save(ctx) // if it fails, the next leader sends some events again
	}
}

// page reads and sends the next events. It reports whether the place moved.
func (q *queue) page(ctx context.Context) (moved bool, err error) {
	if q.place == nil {
		place, err := q.cfg.Store.EnsureWebhookCursor(ctx, q.hook.Name, q.feed)
		if err != nil {
			return false, err
		}
		q.place = &place
		q.saved = place
		q.refusedAt = time.Time{}
	}
	from := q.place.Seq
	list, err := readFeed(ctx, q.cfg.Store, q.feed, from)
	if kept, ok := errors.AsType[pet.OutsideFeed](err); ok {
		resume := kept.Oldest - 1
		if from > kept.Newest { // the feed was replaced by one with lower numbers
			resume = kept.Newest
		}
		q.lose(resume, err)
		err = nil
	}
	for _, e := range list {
		if e.seq > q.place.Seq+1 {
			q.lose(e.seq-1, errors.New("older events are not kept"))
		}
		if q.hook.wants(e.feed + "." + e.kind) {
			err = q.deliver(ctx, e)
			if err != nil {
				break
			}
		}
		q.pass(e.seq)
	}
	return q.place.Seq != from, errors.Join(err, q.save(ctx))
}

// deliver sends an event. If it returns nil, the queue continues with the next event.
func (q *queue) deliver(ctx context.Context, e event) error {
	m, err := e.message()
	if err != nil {
		return err
	}
	a, err := q.hook.post(ctx, q.client, &m)
	if err == nil && a.Accepted() {
		q.deliveries.WithLabelValues(q.hook.Name, "delivered").Inc()
		q.place.Delivered = time.Now()
		q.report(nil)
		return nil
	}
	q.deliveries.WithLabelValues(q.hook.Name, "failed").Inc()
	switch {
	case err == nil && a.Refused():
		return q.refused(&m, a)
	case err == nil:
		err = a
	}
	q.refusedAt = time.Time{}
	return err
}

// skipAfter is how long an event is refused before the queue continues without it.
const skipAfter = 24 * time.Hour

// refused adds the time since the last refusal of an event, if nothing else happened in between. It
// returns nil if the queue continues without the event.
func (q *queue) refused(m *Message, a *Answer) error {
	now := time.Now()
	if !q.refusedAt.IsZero() {
		q.place.Refused += now.Sub(q.refusedAt)
	}
	q.refusedAt = now
	if q.place.Refused < skipAfter {
		return a
	}
	q.place.Skipped++
	q.cfg.Log.Warn("a receiver refused an event for a day; the event is skipped", "webhook", q.hook.Name,
		"feed", q.feed, "id", m.ID, "status", a.Status)
	return nil
}

// lose continues after the event with number seq, because earlier events are not in the feed.
func (q *queue) lose(seq uint64, why error) {
	q.cfg.Log.Warn("a webhook lost events", "webhook", q.hook.Name, "feed", q.feed, "after", q.place.Seq,
		"continues_after", seq, "error", why)
	q.pass(seq)
}

// pass moves the hook's place past the event with number seq.
func (q *queue) pass(seq uint64) {
	q.place.Seq = seq
	q.place.Refused = 0
	q.refusedAt = time.Time{}
}

// save writes the hook's place to the store, if it has changed.
func (q *queue) save(ctx context.Context) error {
	if *q.place == q.saved {
		return nil
	}
	if err := q.cfg.Store.SaveWebhookCursor(ctx, q.hook.Name, q.feed, *q.place); err != nil {
		return err
	}
	q.saved = *q.place
	return nil
}

// report records whether deliveries work. It logs only the first of several failures in a row, and
// the first success after them.
func (q *queue) report(err error) {
	if err == nil {
		if q.failing.Swap(nil) != nil {
			q.cfg.Log.Info("sending events to a webhook works again", "webhook", q.hook.Name, "feed", q.feed)
		}
		return
	}
	now := time.Now()
	if q.failing.CompareAndSwap(nil, &now) {
		q.cfg.Log.Warn("sending events to a webhook failed; trying again", "webhook", q.hook.Name, "feed", q.feed,
			"error", err)
	}
}
