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

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A Store has the feeds and keeps how far each hook has come. *store.Store is
// one.
type Store interface {
	// ChangesSince returns the changes of pets after that number, in order; a
	// pet.OutsideFeed if they are not kept.
	ChangesSince(ctx context.Context, since *uint64, limit int) ([]pet.Change, error)
	// SupplyNotices returns those after that number that are kept, in order.
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
}

// A Sender sends every hook its events: each feed of each hook in its own order
// and at its own pace.
type Sender struct {
	cfg     Config
	lines   []*line
	metrics *metrics
}

// New prepares a Sender. Nothing is sent before Run.
func New(cfg Config) *Sender {
	cfg.Poll = cmp.Or(cfg.Poll, time.Second)
	cfg.Timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	cfg.Pause = cmp.Or(cfg.Pause, time.Second)
	cfg.MaxWait = cmp.Or(cfg.MaxWait, 5*time.Minute)
	s := &Sender{cfg: cfg, metrics: newMetrics()}
	for i := range cfg.Hooks {
		h := &cfg.Hooks[i]
		client := h.client(cfg.Timeout)
		for feed, read := range map[string]reader{Pets: readPets(cfg.Store), Supply: readSupply(cfg.Store)} {
			if h.wantsOf(feed) {
				s.lines = append(s.lines, &line{cfg: &s.cfg, hook: h, feed: feed, read: read, client: client, metrics: s.metrics})
			}
		}
	}
	return s
}

// Run sends until ctx ends, which is when this process no longer leads.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for _, l := range s.lines {
		all.Go(func() { l.run(ctx) })
	}
	all.Wait()
}

// A line sends one feed to one hook.
type line struct {
	cfg     *Config
	hook    *Hook
	feed    string
	read    reader
	client  *http.Client
	metrics *metrics
	failing atomic.Pointer[time.Time] // since when; nil: it is well

	after     uint64    // the last number that is done with
	saved     uint64    // and the one that the store knows
	savedAt   time.Time // when it was told
	delivered time.Time // the last delivery that it was not told of
}

// run goes on from where the store says that the last leader came to.
func (l *line) run(ctx context.Context) {
	begun := false
	wait := l.cfg.Pause
	for ctx.Err() == nil {
		var more bool
		var err error
		if !begun {
			l.after, err = l.cfg.Store.EnsureWebhookCursor(ctx, l.hook.Name, l.feed)
			begun, l.saved = err == nil, l.after
		}
		from := l.after
		if err == nil {
			more, err = l.page(ctx)
		}
		if l.after != from { // it took some
			wait = l.cfg.Pause
		}
		switch {
		case ctx.Err() != nil:
		case err != nil:
			l.fail(err)
			pause(ctx, wait/2+rand.N(wait/2+1))
			wait = min(2*wait, l.cfg.MaxWait)
		case !more:
			l.well()
			wait = l.cfg.Pause
			pause(ctx, l.cfg.Poll)
		}
	}
	l.failing.Store(nil)
	if begun && l.after != l.saved {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = l.save(ctx) // else the next leader sends them once more
	}
}

// page sends the next events, and says whether there may be more at once.
func (l *line) page(ctx context.Context) (more bool, err error) {
	list, err := l.read(ctx, l.after)
	if gap := (*lost)(nil); errors.As(err, &gap) {
		l.cfg.Log.Warn("a webhook lost events", "webhook", l.hook.Name, "feed", l.feed, "after", l.after, "error", err)
		l.after = gap.to
		return true, l.save(ctx)
	}
	for i := range list {
		if m := &list[i]; l.hook.wants(m.event) {
			if err := l.deliver(ctx, m); err != nil {
				return false, errors.Join(err, l.save(ctx))
			}
		}
		l.after = list[i].seq
		if time.Since(l.savedAt) > time.Second {
			if err := l.save(ctx); err != nil {
				return false, err
			}
		}
	}
	if err == nil {
		err = l.save(ctx)
	}
	return len(list) == pageSize, err
}

func (l *line) deliver(ctx context.Context, m *message) error {
	err := l.hook.send(ctx, l.client, m)
	if err != nil {
		l.metrics.count(l.hook.Name, "failed")
		return err
	}
	l.metrics.count(l.hook.Name, "delivered")
	l.delivered = time.Now()
	l.well()
	return nil
}

// save tells the store how far the hook has come, if it does not know.
func (l *line) save(ctx context.Context) error {
	if l.after == l.saved {
		return nil
	}
	err := l.cfg.Store.SaveWebhookCursor(ctx, l.hook.Name, l.feed, l.after, l.delivered)
	if err == nil {
		l.saved, l.savedAt = l.after, time.Now()
	}
	return err
}

// fail and well say once what is wrong, and that it no longer is.
func (l *line) fail(err error) {
	now := time.Now()
	if l.failing.CompareAndSwap(nil, &now) {
		l.cfg.Log.Warn("a webhook does not take its events; it is tried again", "webhook", l.hook.Name, "feed", l.feed, "after", l.after, "error", err)
	}
}

func (l *line) well() {
	if l.failing.Swap(nil) != nil {
		l.cfg.Log.Info("a webhook takes its events again", "webhook", l.hook.Name, "feed", l.feed)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
