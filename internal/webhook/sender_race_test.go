package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
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
	away    bool // the places of hooks cannot be read
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if after < m.pruned || after > uint64(len(m.pets)) {
		return nil, pet.OutsideFeed{Oldest: m.pruned + 1, Newest: uint64(len(m.pets))}
	}
	list := m.pets[after:]
	return list[:min(limit, len(list))], nil
}

func (m *memory) SupplyNotices(_ context.Context, after uint64, limit int) ([]supply.Notice, error) {
	list := slices.Clone(m.notices)
	list = slices.DeleteFunc(list, func(n supply.Notice) bool { return n.Seq <= after })
	return list[:min(limit, len(list))], nil
}

func (m *memory) EnsureWebhookCursor(_ context.Context, hook, feed string) (Cursor, error) {
	if m.away {
		return Cursor{}, errors.New("the store is away")
	}
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

func testHook(t *testing.T, name string, events ...string) Hook {
	t.Helper()
	return Hook{Name: name, URL: "https://" + name + ".example/key-in-path", Events: events,
		Secret: Secrets{parseSecret(t, testSecret)}}
}

// accept accepts every request.
func accept(*http.Request, int) (int, http.Header) { return 200, nil }

// taken returns the events that a hook accepted, such as pet-moved 3, without repetitions.
func (a *answering) taken(hook string) (list []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i, id := range a.ids {
		if part := strings.Split(id, "_"); a.hosts[i] == hook+".example" && a.statuses[i] == 200 {
			list = append(list, part[1]+" "+part[2])
		}
	}
	return list
}

func TestHooksGetTheEventsTheyWantInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &answering{answer: accept}
		m := newMemory(250, 2)
		stop := running(t, sender(t, m, to, io.Discard, testHook(t, "pets", "pet"),
			testHook(t, "some", "pet.moved", "supply")))
		time.Sleep(time.Minute)
		stop()
		var pets, moves []string
		for _, c := range m.pets {
			e := fmt.Sprintf("pet-%s %d", c.Kind, c.Seq)
			pets = append(pets, e)
			if c.Kind == pet.Moved {
				moves = append(moves, e)
			}
		}
		if got := to.taken("pets"); !slices.Equal(got, pets) {
			t.Errorf("pets got %q", got)
		}
		got := to.taken("some") // the order between two feeds does not matter
		slices.SortStableFunc(got, func(a, b string) int { return cmp.Compare(a[:3], b[:3]) })
		if want := append(moves, "supply-published 1", "supply-published 2"); !slices.Equal(got, want) {
			t.Errorf("some got %q, want %q", got, want)
		}
		for key, seq := range map[string]uint64{"petspet": 250, "petssupply": 0, "somepet": 250, "somesupply": 2} {
			if c := m.cursor(key); c.Seq != seq {
				t.Errorf("the place of %s is %+v", key, c)
			}
		}
	})
}

// A fault of one receiver does not affect another. No message shows the address or the secret.
func TestReceiversThatFailDelayNoOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		faults := map[string]int{"hangs": 0, "refuses": unreachable, "fails": 500, "redirects": 307}
		to := &answering{answer: func(q *http.Request, _ int) (int, http.Header) {
			name, _, _ := strings.Cut(q.Host, ".")
			if status, bad := faults[name]; bad && time.Since(begun) < time.Hour {
				return status, http.Header{"Location": {"https://elsewhere.example/"}}
			}
			return 200, nil
		}}
		hooks := []Hook{testHook(t, "good", "pet")}
		for name := range faults {
			hooks = append(hooks, testHook(t, name, "pet"))
		}
		var log syncedText
		s := sender(t, newMemory(30, 0), to, &log, hooks...)
		stop := running(t, s)
		time.Sleep(10 * time.Second)
		synctest.Wait()
		good := to.taken("good")
		if failing := s.Failing(); len(good) != 30 || len(failing) != len(faults)-1 || failing["good"] > 0 {
			t.Errorf("after ten seconds good has %d events, failing: %v", len(good), failing)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if failing := s.Failing(); len(failing) > 0 {
			t.Errorf("in the end failing: %v", failing)
		}
		stop()
		for name := range faults {
			if got := to.taken(name); !slices.Equal(got, good) {
				t.Errorf("after it recovered, %s got %q", name, got)
			}
		}
		for _, line := range []string{"failed; trying again", "works again"} { // only the first and the last of many
			if n := strings.Count(log.String(), line); n != len(faults) {
				t.Errorf("the log says %q %d times, want %d", line, n, len(faults))
			}
		}
		for _, secret := range []string{"key-in-path", "MfKQ9r8"} {
			if strings.Contains(log.String(), secret) {
				t.Errorf("the log shows a secret:\n%s", log.String())
			}
		}
		if len(to.taken("elsewhere")) > 0 {
			t.Error("a redirect was followed")
		}
	})
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

// Of an answer without end, only the beginning is read. An endless header is an error.
func TestAnswersAreBounded(t *testing.T) {
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/header" {
			w.Header().Set("X", strings.Repeat("x", 2*maxHeader))
			return
		}
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	}))
	defer r.Close()
	h := testHook(t, "game")
	h.Private = true
	h.URL = r.URL
	if a, err := h.Send(t.Context(), &Message{ID: "a"}); err != nil || !a.Accepted() || len(a.Body) != maxAnswer {
		t.Errorf("%+v, %v", a, err)
	}
	h.URL = r.URL + "/header"
	if a, err := h.Send(t.Context(), &Message{ID: "a"}); err == nil {
		t.Errorf("an endless header: %+v", a)
	}
}

// The leader is killed before it can save its place. The next one sends the events after the saved
// place again, with the same ids.
func TestTheNextLeaderRepeatsEventsWithTheSameIDs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &answering{answer: accept}
		m := newMemory(20, 0)
		m.fenced = true
		stop := running(t, sender(t, m, to, io.Discard))
		time.Sleep(100 * time.Millisecond)
		stop()
		m.fenced = false
		stop = running(t, sender(t, m, to, io.Discard))
		time.Sleep(time.Minute)
		stop()
		if len(to.ids) != 40 || !slices.Equal(to.ids[:20], to.ids[20:]) {
			t.Errorf("the leaders sent %v", to.ids)
		}
	})
}

// The store is away when a leader begins. A place that could not be read is not the start of the
// feed, so no event is sent a second time.
func TestASenderWaitsForItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &answering{answer: accept}
		m := newMemory(20, 0)
		m.cursors["gamepet"] = Cursor{Seq: 15}
		m.away = true
		stop := running(t, sender(t, m, to, io.Discard))
		time.Sleep(time.Minute)
		stop()
		if len(to.ids) > 0 {
			t.Fatalf("without a place, the sender sent %v", to.ids)
		}
		m.away = false
		stop = running(t, sender(t, m, to, io.Discard))
		time.Sleep(time.Minute)
		stop()
		if len(to.ids) != 5 {
			t.Errorf("the sender sent %v", to.ids)
		}
	})
}

func TestASenderContinuesWithTheEventsThatAreKept(t *testing.T) {
	for name, test := range map[string]struct {
		change func(m *memory)
		want   string
	}{
		"old changes are deleted": {func(m *memory) { m.pruned = 15 }, "pet-appeared 16"},
		"old notices are deleted": {func(m *memory) { m.notices = m.notices[15:] }, "supply-published 16"},
		"the feed began anew":     {func(m *memory) { m.cursors["gamepet"] = Cursor{Seq: 99} }, "pet-moved 21"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				to := &answering{answer: accept}
				m := newMemory(20, 20)
				feed, _, _ := strings.Cut(test.want, "-")
				test.change(m)
				var log syncedText
				stop := running(t, sender(t, m, to, &log, testHook(t, "game", feed)))
				time.Sleep(time.Minute)
				m.mu.Lock()
				if name == "the feed began anew" {
					m.pets = append(m.pets, pet.Change{Seq: 21, Kind: pet.Moved})
				}
				m.mu.Unlock()
				time.Sleep(time.Minute)
				stop()
				if got := to.taken("game"); len(got) == 0 || got[0] != test.want {
					t.Errorf("the first event is %v, want %s", got, test.want)
				}
				if strings.Count(log.String(), "lost events") != 1 {
					t.Errorf("the log:\n%s", log.String())
				}
			})
		})
	}
}

func TestAPrivateAddressIsNotDialledUnlessConfigured(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		h := testHook(t, "game")
		h.URL = "http://" + host + ":1"
		if _, err := h.Send(t.Context(), &Message{}); !errors.Is(err, errPrivate) {
			t.Errorf("%s: %v", host, err)
		}
	}
}
