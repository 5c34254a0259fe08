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

// Config has the options of a Sender. Times that are zero have defaults.
type Config struct {
	Hooks   []Hook
	Store   Store
	Log     *slog.Logger
	Poll    time.Duration // how often a feed is read
	Timeout time.Duration // for one delivery, from dialling to the end of the answer
	Pause   time.Duration // after a first failure; each further failure doubles it
	MaxWait time.Duration // the longest pause
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
	cfg.Timeout = cmp.Or(cfg.Timeout, answerTime)
	cfg.Pause = cmp.Or(cfg.Pause, time.Second)
	cfg.MaxWait = cmp.Or(cfg.MaxWait, 5*time.Minute)
	s := &Sender{cfg: cfg, deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_webhook_deliveries_total", Help: "Attempts to deliver an event to a webhook, by outcome.",
	}, []string{"webhook", "outcome"})}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		client := h.client(cfg.Timeout)
		if cfg.Transport != nil {
			client.Transport = cfg.Transport
		}
		for feed, read := range map[string]reader{Pets: readPets(cfg.Store), Supply: readSupply(cfg.Store)} {
			if h.wantsFeed(feed) {
				s.queues = append(s.queues, &queue{
					cfg: &s.cfg, hook: h, client: client, feed: feed, read: read, deliveries: s.deliveries})
			}
		}
	}
	return s
}

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
	cfg        *Config
	hook       *Hook
	client     *http.Client
	feed       string
	read       reader
	deliveries *prometheus.CounterVec
	failing    atomic.Pointer[time.Time] // start of the failures; nil if deliveries work

	begun     bool // place was read from the store
	place     Cursor
	saved     Cursor    // the value of place that is in the store
	savedAt   time.Time // when saved was written
	refusedAt time.Time // when the last attempt was refused; zero if it was not
}

// run sends events until ctx ends. It continues from the place in the store, where the last leader
// stopped.
func (q *queue) run(ctx context.Context) {
	q.begun = false
	wait := q.cfg.Pause
	for ctx.Err() == nil {
		from := q.place.Seq
		more, err := q.page(ctx)
		if q.place.Seq != from { // at least one event is done
			wait = q.cfg.Pause
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			q.fail(err)
			d := wait/2 + rand.N(wait/2+1)
			if e, ok := errors.AsType[answerError](err); ok {
				d = max(d, e.RetryAfter)
			}
			pause(ctx, d)
			wait = min(2*wait, q.cfg.MaxWait)
		case !more:
			q.well()
			wait = q.cfg.Pause
			pause(ctx, q.cfg.Poll)
		}
	}
	q.failing.Store(nil)
	if q.begun {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = q.save(ctx) // if it fails, the next leader sends some events again
	}
}

// begin reads the place from the store.
func (q *queue) begin(ctx context.Context) (err error) {
	q.place, err = q.cfg.Store.EnsureWebhookCursor(ctx, q.hook.Name, q.feed)
	q.begun = err == nil
	q.saved = q.place
	q.refusedAt = time.Time{}
	return err
}

// page reads and sends the next events. more reports whether there may be further events.
func (q *queue) page(ctx context.Context) (more bool, err error) {
	if !q.begun {
		if err := q.begin(ctx); err != nil {
			return false, err
		}
	}
	list, err := q.read(ctx, q.place.Seq)
	if lost, ok := errors.AsType[lostError](err); ok {
		q.cfg.Log.Warn("a webhook lost events", "webhook", q.hook.Name, "feed", q.feed, "after", q.place.Seq, "error", err)
		q.pass(lost.resume)
		return true, q.save(ctx)
	}
	for i := range list {
		if m := &list[i]; q.hook.wants(m.event) {
			if err := q.deliver(ctx, m); err != nil {
				return false, errors.Join(err, q.save(ctx))
			}
		}
		q.pass(list[i].seq)
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

// An answerError is an answer that does not accept an event.
type answerError struct{ *Answer }

func (e answerError) Error() string { return fmt.Sprintf("the receiver answered %d", e.Status) }

// deliver sends an event. If it returns nil, the queue continues with the next event.
func (q *queue) deliver(ctx context.Context, m *Message) error {
	a, err := q.hook.post(ctx, q.client, m)
	if err == nil && a.Taken() {
		q.deliveries.WithLabelValues(q.hook.Name, "delivered").Inc()
		q.place.Delivered = time.Now()
		q.well()
		return nil
	}
	q.deliveries.WithLabelValues(q.hook.Name, "failed").Inc()
	if err == nil && a.Refused() {
		return q.refused(m, a)
	}
	q.refusedAt = time.Time{}
	if err != nil {
		return err
	}
	return answerError{a}
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
		return answerError{a}
	}
	q.place.Skipped++
	q.cfg.Log.Warn("a receiver refused an event for a day; the event is skipped", "webhook", q.hook.Name,
		"feed", q.feed, "id", m.ID, "status", a.Status)
	return nil
}

// pass moves the hook's place past the event with number seq.
func (q *queue) pass(seq uint64) {
	q.place.Seq = seq
	q.place.Refused = 0
	q.refusedAt = time.Time{}
}

// save writes the hook's place to the store, if it has changed.
func (q *queue) save(ctx context.Context) error {
	if q.place == q.saved {
		return nil
	}
	if err := q.cfg.Store.SaveWebhookCursor(ctx, q.hook.Name, q.feed, q.place); err != nil {
		return err
	}
	q.saved = q.place
	q.savedAt = time.Now()
	return nil
}

// fail records a failure. It logs only the first of several failures in a row.
func (q *queue) fail(err error) {
	now := time.Now()
	if q.failing.CompareAndSwap(nil, &now) {
		q.cfg.Log.Warn("sending events to a webhook failed; trying again",
			"webhook", q.hook.Name, "feed", q.feed, "after", q.place.Seq, "error", err)
	}
}

// well records that deliveries work. It logs the first success after a failure.
func (q *queue) well() {
	if q.failing.Swap(nil) != nil {
		q.cfg.Log.Info("sending events to a webhook works again", "webhook", q.hook.Name, "feed", q.feed)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
