package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// A Store has the feeds and each hook's place in them. *store.Store is one.
type Store interface {
	// WebhookChanges returns the changes of pets after that number, in order; a
	// pet.OutsideFeed if they are not kept. It does not wait behind callers.
	WebhookChanges(ctx context.Context, after uint64, limit int) ([]pet.Change, error)
	// SupplyNotices returns the notices after that number that are kept, in order.
	SupplyNotices(ctx context.Context, after uint64, limit int) ([]supply.Notice, error)
	// EnsureWebhookCursor returns the number of the last event that the hook is done
	// with. For a new hook it saves and returns the newest number. Only the leader may
	// call it.
	EnsureWebhookCursor(ctx context.Context, hook, feed string) (uint64, error)
	// SaveWebhookCursor saves that number, and the time of the last delivery unless it
	// is zero. Only the leader may call it.
	SaveWebhookCursor(ctx context.Context, hook, feed string, seq uint64, delivered time.Time) error
}

// Config says what a Sender does. Times that are zero have defaults.
type Config struct {
	Hooks   []Hook
	Store   Store
	Log     *slog.Logger
	Poll    time.Duration // how often a feed is looked at
	Timeout time.Duration // of one delivery, from dialling to the end of the answer
	Pause   time.Duration // after a first failure; each further one doubles it
	MaxWait time.Duration // the longest pause
	// Transport carries the requests, unless it is nil.
	Transport http.RoundTripper
}

// A Sender sends every hook its events. Each hook has a queue for each feed, with its
// own order and pace.
type Sender struct {
	cfg        Config
	queues     []*queue
	deliveries *prometheus.CounterVec
}

// New prepares a Sender. Nothing is sent before Run.
func New(cfg Config) *Sender {
	cfg.Poll = cmp.Or(cfg.Poll, time.Second)
	cfg.Timeout = cmp.Or(cfg.Timeout, 15*time.Second)
	cfg.Pause = cmp.Or(cfg.Pause, time.Second)
	cfg.MaxWait = cmp.Or(cfg.MaxWait, 5*time.Minute)
	s := &Sender{cfg: cfg, deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_webhook_deliveries_total", Help: "Attempts to deliver an event to a webhook, by outcome.",
	}, []string{"webhook", "outcome"})}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		to := &endpoint{Hook: h, client: h.client(cfg.Timeout)}
		if cfg.Transport != nil {
			to.client.Transport = cfg.Transport
		}
		for feed, read := range map[string]reader{Pets: readPets(cfg.Store), Supply: readSupply(cfg.Store)} {
			if h.wantsFeed(feed) {
				s.queues = append(s.queues, &queue{
					cfg: &s.cfg, hook: h, to: to, feed: feed, read: read, deliveries: s.deliveries})
			}
		}
	}
	return s
}

// Run sends until ctx ends, which is when this process no longer leads.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, q := range s.queues {
		all.Go(func() { q.run(ctx) })
	}
	all.Wait()
}

// Failing returns the hooks that do not take their events, and for how long.
func (s *Sender) Failing() map[string]time.Duration {
	out := map[string]time.Duration{}
	for _, q := range s.queues {
		if since := q.failing.Load(); since != nil {
			out[q.hook.Name] = max(out[q.hook.Name], time.Since(*since))
		}
	}
	return out
}

// An endpoint is the address of a hook. All queues of the hook share it.
type endpoint struct {
	*Hook
	client *http.Client
	quiet  atomic.Int64 // the receiver asks for no requests before this time, in nanoseconds
}

// send posts a message once, when the receiver allows it.
func (e *endpoint) send(ctx context.Context, m *message) (*Answer, error) {
	for left := e.quietFor(); left > 0 && ctx.Err() == nil; left = e.quietFor() {
		pause(ctx, left)
	}
	a, err := e.post(ctx, e.client, m)
	if err == nil && a.RetryAfter > 0 {
		e.quiet.Store(time.Now().Add(a.RetryAfter).UnixNano())
	}
	return a, err
}

func (e *endpoint) quietFor() time.Duration { return time.Until(time.Unix(0, e.quiet.Load())) }

// A queue sends one feed to one hook.
type queue struct {
	cfg        *Config
	hook       *Hook
	to         *endpoint
	feed       string
	read       reader
	deliveries *prometheus.CounterVec
	failing    atomic.Pointer[time.Time] // since when deliveries fail; nil if they do not

	after     uint64    // the last number that is done with
	saved     uint64    // the number in the store
	savedAt   time.Time // when it was saved
	delivered time.Time // the last delivery
}

// run goes on from the place in the store, where the last leader stopped.
func (q *queue) run(ctx context.Context) {
	begun := false
	wait := q.cfg.Pause
	for ctx.Err() == nil {
		var more bool
		var err error
		if !begun {
			q.after, err = q.cfg.Store.EnsureWebhookCursor(ctx, q.hook.Name, q.feed)
			begun, q.saved = err == nil, q.after
		}
		from := q.after
		if err == nil {
			more, err = q.page(ctx)
		}
		if q.after != from { // some were delivered
			wait = q.cfg.Pause
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			q.fail(err)
			pause(ctx, wait/2+rand.N(wait/2+1))
			wait = min(2*wait, q.cfg.MaxWait)
		case !more:
			q.well()
			wait = q.cfg.Pause
			pause(ctx, q.cfg.Poll)
		}
	}
	q.failing.Store(nil)
	if begun && q.after != q.saved {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = q.save(ctx) // if it fails, the next leader sends some again
	}
}

// page sends the next events. more reports whether further ones may be waiting.
func (q *queue) page(ctx context.Context) (more bool, err error) {
	list, err := q.read(ctx, q.after)
	if lost, ok := errors.AsType[lostError](err); ok {
		q.cfg.Log.Warn("a webhook lost events", "webhook", q.hook.Name, "feed", q.feed, "after", q.after, "error", err)
		q.after = lost.next
		return true, q.save(ctx)
	}
	for i := range list {
		if m := &list[i]; q.hook.wants(m.event) {
			if err := q.deliver(ctx, m); err != nil {
				return false, errors.Join(err, q.save(ctx))
			}
		}
		q.after = list[i].seq
		if time.Since(q.savedAt) > time.Second {
			if err := q.save(ctx); err != nil {
				return false, err
			}
		}
	}
	if err == nil {
		err = q.save(ctx)
	}
	return len(list) == pageSize, err
}

func (q *queue) deliver(ctx context.Context, m *message) error {
	a, err := q.to.send(ctx, m)
	if err == nil && !a.Taken() {
		err = fmt.Errorf("the receiver answered %d", a.Status)
	}
	if err != nil {
		q.deliveries.WithLabelValues(q.hook.Name, "failed").Inc()
		return err
	}
	q.deliveries.WithLabelValues(q.hook.Name, "delivered").Inc()
	q.delivered = time.Now()
	q.well()
	return nil
}

// save writes the hook's place to the store, if it has changed.
func (q *queue) save(ctx context.Context) error {
	if q.after == q.saved {
		return nil
	}
	err := q.cfg.Store.SaveWebhookCursor(ctx, q.hook.Name, q.feed, q.after, q.delivered)
	if err == nil {
		q.saved, q.savedAt = q.after, time.Now()
	}
	return err
}

// fail logs the first failure in a row.
func (q *queue) fail(err error) {
	now := time.Now()
	if q.failing.CompareAndSwap(nil, &now) {
		q.cfg.Log.Warn("a webhook does not take its events; trying again",
			"webhook", q.hook.Name, "feed", q.feed, "after", q.after, "error", err)
	}
}

// well ends a row of failures.
func (q *queue) well() {
	if q.failing.Swap(nil) != nil {
		q.cfg.Log.Info("a webhook takes its events again", "webhook", q.hook.Name, "feed", q.feed)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
