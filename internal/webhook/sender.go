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
	// the end of the feed. address is a hash of the hook's URL. If the hook has ended because a
	// receiver answered 410 at another URL, it becomes active again. Only the leader may call it.
	EnsureWebhookCursor(ctx context.Context, hook, feed, address string) (Cursor, error)
	// SaveWebhookCursor saves the hook's place in a feed. If aside is not nil, the same transaction
	// sets this event aside. Only the leader may call it.
	SaveWebhookCursor(ctx context.Context, hook, feed string, c Cursor, aside *Message) error
}

// A Cursor is the place of a hook in a feed.
type Cursor struct {
	Seq       uint64        // number of the last event that was delivered, set aside, skipped or lost
	Refused   time.Duration // how long the receiver has refused the next event
	Delivered time.Time     // the last delivery; zero if there was none or it is unknown
	Ended     string        // the hash of the address that answered 410; "" for none
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

// Run sends until ctx ends, which happens when this process no longer leads.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, q := range s.queues {
		q.to.ended.Store(false)
	}
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

// An endpoint is the address of a hook. All queues of the hook share it.
type endpoint struct {
	*Hook
	client *http.Client
	quiet  atomic.Int64 // the receiver wants no requests before this time, in Unix nanoseconds
	ended  atomic.Bool  // the receiver wants no more requests at this address
}

var errEnded = errors.New("the receiver wants no more events")

// send waits until the receiver allows requests, and posts a message once. The error is errEnded if
// the receiver wants no more events.
func (e *endpoint) send(ctx context.Context, m *Message) (*Answer, error) {
	for left := e.quietFor(); left > 0 && ctx.Err() == nil; left = e.quietFor() {
		pause(ctx, left)
	}
	if e.ended.Load() {
		return nil, errEnded
	}
	a, err := e.post(ctx, e.client, m)
	if err == nil && a.RetryAfter > 0 {
		until := time.Now().Add(a.RetryAfter).UnixNano()
		for was := e.quiet.Load(); was < until && !e.quiet.CompareAndSwap(was, until); was = e.quiet.Load() {
			// The queue of another feed has changed the time. Try again: the later time counts.
		}
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
	failing    atomic.Pointer[time.Time] // start of the failures; nil if deliveries work

	place     Cursor
	saved     Cursor    // the value of place that is in the store
	savedAt   time.Time // when saved was written
	refusedAt time.Time // when the last attempt was refused; zero if it was not
}

// run sends events until ctx or the hook ends. It continues from the place in the store, where the
// last leader stopped.
func (q *queue) run(ctx context.Context) {
	begun := false
	wait := q.cfg.Pause
	for ctx.Err() == nil && !q.to.ended.Load() {
		var more bool
		var err error
		if !begun {
			q.place, err = q.cfg.Store.EnsureWebhookCursor(ctx, q.hook.Name, q.feed, q.hook.address())
			begun, q.saved = err == nil, q.place
			if q.place.Ended != "" {
				q.ended()
				continue
			}
		}
		from := q.place.Seq
		if err == nil {
			more, err = q.page(ctx)
		}
		if q.place.Seq != from { // at least one event is done
			wait = q.cfg.Pause
		}
		switch {
		case ctx.Err() != nil || q.to.ended.Load():
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
	if begun && q.place != q.saved {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = q.save(ctx) // if it fails, the next leader sends some events again
	}
}

// page reads and sends the next events. more reports whether there may be further events.
func (q *queue) page(ctx context.Context) (more bool, err error) {
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

// deliver sends an event. If it returns nil, the queue continues with the next event.
func (q *queue) deliver(ctx context.Context, m *Message) error {
	a, err := q.to.send(ctx, m)
	refusedAt := q.refusedAt
	q.refusedAt = time.Time{}
	switch {
	case err != nil:
	case a.Taken():
		q.deliveries.WithLabelValues(q.hook.Name, "delivered").Inc()
		q.place.Delivered = time.Now()
		q.well()
		return nil
	case a.Status == http.StatusGone:
		q.place.Ended = q.hook.address()
		if err = q.saveWith(ctx, nil); err != nil {
			q.place.Ended = "" // saving failed, so the queue sends the event again
			break
		}
		q.ended()
		err = errEnded
	default:
		err = fmt.Errorf("the receiver answered %d", a.Status)
		if a.Refused() {
			q.refusedAt = time.Now()
			if !refusedAt.IsZero() {
				q.place.Refused += q.refusedAt.Sub(refusedAt)
			}
			if q.place.Refused >= setAsideAfter {
				err = q.setAside(ctx, m, a.Status)
			}
		}
	}
	q.deliveries.WithLabelValues(q.hook.Name, "failed").Inc()
	return err
}

// setAsideAfter is how long an event is refused before the queue continues without it.
const setAsideAfter = 24 * time.Hour

// setAside keeps a refused event in the store and continues after it. An operator can send it
// again.
func (q *queue) setAside(ctx context.Context, m *Message, status int) error {
	before := q.place
	q.pass(m.seq)
	if err := q.saveWith(ctx, m); err != nil {
		q.place = before
		return err
	}
	q.cfg.Log.Warn("a receiver refused an event for a day; the event is set aside", "webhook", q.hook.Name,
		"feed", q.feed, "id", m.ID, "status", status)
	return nil
}

// ended stops all queues of the hook.
func (q *queue) ended() {
	q.to.ended.Store(true)
	q.cfg.Log.Warn("a receiver answered 410, so its webhook has ended; to begin again, change its url",
		"webhook", q.hook.Name, "feed", q.feed, "after", q.place.Seq)
}

// pass moves the hook's place past the event with number seq.
func (q *queue) pass(seq uint64) { q.place.Seq, q.place.Refused, q.refusedAt = seq, 0, time.Time{} }

// save writes the hook's place to the store, if it has changed.
func (q *queue) save(ctx context.Context) error {
	if q.place == q.saved {
		return nil
	}
	return q.saveWith(ctx, nil)
}

// saveWith writes the hook's place. If aside is not nil, it also sets this event aside.
func (q *queue) saveWith(ctx context.Context, aside *Message) error {
	err := q.cfg.Store.SaveWebhookCursor(ctx, q.hook.Name, q.feed, q.place, aside)
	if err == nil {
		q.saved, q.savedAt = q.place, time.Now()
	}
	return err
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
