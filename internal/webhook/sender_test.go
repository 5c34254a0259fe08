package webhook

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func parseSecret(t *testing.T, text string) (s Secret) {
	t.Helper()
	if err := s.UnmarshalText([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

// memory is a Store in memory with a number of changes and notices.
type memory struct {
	mu      sync.Mutex
	pets    []pet.Change
	notices []supply.Notice
	pruned  uint64 // changes up to here are not kept
	cursors map[string]Cursor
	fenced  bool // another process is the leader
}

func newMemory(pets, notices int) *memory {
	m := &memory{cursors: map[string]Cursor{}}
	kinds := []string{pet.Appeared, pet.Changed, pet.Moved}
	for i := range pets {
		m.pets = append(m.pets, pet.Change{Seq: uint64(i + 1), ID: 7, Kind: kinds[i%3], At: time.Unix(int64(i), 0)})
	}
	for i := range notices {
		m.notices = append(m.notices, supply.Notice{Seq: uint64(i + 1), Token: "gold", Kind: supply.NoticePublished,
			At: time.Unix(int64(i), 0)})
	}
	return m
}

func (m *memory) WebhookChanges(_ context.Context, after uint64, limit int) ([]pet.Change, error) {
	if after < m.pruned {
		return nil, pet.OutsideFeed{Oldest: m.pruned + 1, Newest: uint64(len(m.pets))}
	}
	list := m.pets[after:]
	return list[:min(limit, len(list))], nil
}

func (m *memory) SupplyNotices(_ context.Context, after uint64, limit int) ([]supply.Notice, error) {
	list := m.notices[after:]
	return list[:min(limit, len(list))], nil
}

func (m *memory) EnsureWebhookCursor(_ context.Context, hook, feed string) (Cursor, error) {
	return m.cursor(hook + feed), nil
}

func (m *memory) SaveWebhookCursor(_ context.Context, hook, feed string, c Cursor) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fenced {
		return errors.New("no longer the leader")
	}
	m.cursors[hook+feed] = c
	return nil
}

// cursor returns the cursor of a queue that is saved.
func (m *memory) cursor(queue string) Cursor {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.cursors[queue]
}

// reach waits until the place is saved.
func (m *memory) reach(t *testing.T, queue string, seq uint64) {
	t.Helper()
	for end := time.Now().Add(time.Minute); m.cursor(queue).Seq != seq; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the place of %s is %d, want %d", queue, m.cursor(queue).Seq, seq)
		}
	}
}

// A receiver records the ids that it accepted.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	taken []string
	event chan string
}

// newReceiver starts a receiver that answers with answer. A request counts as accepted if answer
// returns true.
func newReceiver(t *testing.T, answer func(http.ResponseWriter, *http.Request) bool) *receiver {
	t.Helper()
	r := &receiver{event: make(chan string, 10_000)}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		if answer(w, q) {
			id := q.Header.Get("webhook-id")
			r.mu.Lock()
			r.taken = append(r.taken, id)
			r.mu.Unlock()
			r.event <- id
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func takes(http.ResponseWriter, *http.Request) bool { return true }

func (r *receiver) hook(t *testing.T, name string, events ...string) Hook {
	t.Helper()
	return Hook{Name: name, URL: r.URL + "/key-in-path", Secret: Secrets{parseSecret(t, testSecret)}, Events: events,
		Private: true}
}

// await waits until n more messages were accepted.
func (r *receiver) await(t *testing.T, n int) {
	t.Helper()
	end := time.After(time.Minute)
	for i := range n {
		select {
		case <-r.event:
		case <-end:
			t.Fatalf("%d messages were taken, want %d", i, n)
		}
	}
}

// start runs a sender until the test ends or stop is called. Receivers have enough time that no
// message is sent again.
func start(t *testing.T, store Store, log io.Writer, hooks ...Hook) (s *Sender, stop func()) {
	t.Helper()
	return startImpatient(t, time.Minute, store, log, hooks...)
}

// startImpatient is start with a limit for the answers of receivers. On a slow machine a message
// may be sent again.
func startImpatient(t *testing.T, limit time.Duration, store Store, log io.Writer, hooks ...Hook) (s *Sender,
	stop func()) {
	t.Helper()
	s = New(Config{Hooks: hooks, Store: store, Log: slog.New(slog.NewTextHandler(log, nil)), Poll: 10 * time.Millisecond,
		Timeout: limit, Pause: 5 * time.Millisecond, MaxWait: 20 * time.Millisecond})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return s, stop
}

// awaitFailing waits until that many hooks are reported as failing.
func awaitFailing(t *testing.T, s *Sender, hooks int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); len(s.Failing()) < hooks; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("failing: %v, want %d", s.Failing(), hooks)
		}
	}
}

func TestHooksGetTheEventsTheyWantInOrder(t *testing.T) {
	all := newReceiver(t, takes)
	some := newReceiver(t, takes)
	m := newMemory(250, 5)
	_, stop := start(t, m, io.Discard, all.hook(t, "all"), some.hook(t, "some", "pet.moved"))
	all.await(t, 255)
	some.await(t, 83)
	for key, seq := range map[string]uint64{"allpet": 250, "allsupply": 5, "somepet": 250} {
		m.reach(t, key, seq)
	}
	stop()
	for feed, want := range map[string]int{"msg_pet-": 250, "msg_supply-": 5} {
		var seen []string
		for _, id := range all.taken {
			if strings.HasPrefix(id, feed) {
				seen = append(seen, strings.Split(id, "_")[2])
			}
		}
		for i, n := range seen {
			if len(seen) != want || n != strconv.Itoa(i+1) {
				t.Fatalf("%s got %v", feed, seen)
			}
		}
	}
	for _, id := range some.taken {
		if !strings.HasPrefix(id, "msg_pet-moved_") {
			t.Errorf("%s was not wanted", id)
		}
	}
}

// A fault of one receiver does not affect another, and nothing is lost. When the receiver recovers,
// it gets all events since its place.
func TestReceiversThatHangRefuseRedirectOrFailDelayNoOther(t *testing.T) {
	elsewhere := newReceiver(t, takes)
	var well sync.Map
	faults := map[string]func(http.ResponseWriter, *http.Request){
		"hangs": func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() },
		"fails": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"redirects": func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"breaks off": func(w http.ResponseWriter, _ *http.Request) {
			c, _, _ := w.(http.Hijacker).Hijack()
			c.Close()
		},
		"heads without end": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X",
				strings.Repeat("x", 2*maxHeader))
		},
	}
	good := newReceiver(t, takes)
	hooks := []Hook{good.hook(t, "good")}
	bad := map[string]*receiver{}
	for name, fault := range faults {
		bad[name] = newReceiver(t, func(w http.ResponseWriter, q *http.Request) bool {
			if _, ok := well.Load(name); ok {
				return true
			}
			fault(w, q)
			return false
		})
		hooks = append(hooks, bad[name].hook(t, name))
	}
	var log syncedText
	m := newMemory(30, 0)
	s, stop := startImpatient(t, 200*time.Millisecond, m, &log, hooks...)
	m.reach(t, "goodpet", 30)
	awaitFailing(t, s, len(bad))
	for name, r := range bad {
		if len(r.taken) > 0 {
			t.Errorf("what %s took %v", name, r.taken)
		}
		well.Store(name, true)
	}
	for name, r := range bad {
		m.reach(t, name+"pet", 30)
		if !slices.Equal(slices.Compact(r.taken), slices.Compact(good.taken)) {
			t.Errorf("after it recovered, %s took %v", name, r.taken)
		}
	}
	stop()
	if len(elsewhere.taken) > 0 {
		t.Error("a redirect was followed")
	}
	for _, secret := range []string{"key-in-path", "MfKQ9r8"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log shows a secret:\n%s", log.String())
		}
	}
}

// syncedText is a text that several goroutines write.
type syncedText struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *syncedText) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *syncedText) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// Only the beginning of an endless answer is read.
func TestAnAnswerIsReadNoFurtherThanItsBound(t *testing.T) {
	r := newReceiver(t, func(w http.ResponseWriter, q *http.Request) bool {
		for q.Context().Err() == nil && q.Header.Get("webhook-id") != "" {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				break
			}
		}
		return true
	})
	start(t, newMemory(3, 0), io.Discard, r.hook(t, "floods"))
	r.await(t, 3)
}

// The leader is killed before it can save its place. The next one sends the events after the saved
// place again, with the same ids.
func TestTheNextLeaderRepeatsEventsWithTheSameIDs(t *testing.T) {
	r := newReceiver(t, takes)
	m := newMemory(20, 0)
	m.fenced = true
	_, stop := start(t, m, io.Discard, r.hook(t, "game"))
	r.await(t, 20)
	stop()
	first := slices.Clone(r.taken)
	m.fenced = false
	_, stop = start(t, m, io.Discard, r.hook(t, "game"))
	r.await(t, 20)
	m.reach(t, "gamepet", 20)
	stop()
	if again := r.taken[len(r.taken)-20:]; !slices.Equal(again, first[:20]) {
		t.Errorf("the second leader sent %v\nwant %v", again, first)
	}
}

func TestASenderContinuesWithTheEventsThatAreKept(t *testing.T) {
	r := newReceiver(t, takes)
	m := newMemory(20, 0)
	m.pruned = 15
	var log syncedText
	start(t, m, &log, r.hook(t, "game"))
	r.await(t, 5)
	if !strings.HasPrefix(r.taken[0], "msg_pet-appeared_16_") || !strings.Contains(log.String(), "lost events") {
		t.Errorf("%v\n%s", r.taken, log.String())
	}
}

func TestAPrivateAddressIsNotDialledUnlessConfigured(t *testing.T) {
	r := newReceiver(t, takes)
	_, port, _ := net.SplitHostPort(r.Listener.Addr().String())
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		h := r.hook(t, "game")
		h.Private, h.URL = false, "http://"+host+":"+port
		if _, err := h.post(t.Context(), h.client(time.Second), &Message{}); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
	if len(r.taken) > 0 {
		t.Error("the receiver at a private address was reached")
	}
}
