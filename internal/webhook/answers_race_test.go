package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// unreachable is the status with which answering refuses a connection.
const unreachable = -1

// answering is a receiver in memory. It records the time of each request.
type answering struct {
	answer func(q *http.Request, n int) (status int, header http.Header) // to the nth request

	mu       sync.Mutex
	hosts    []string
	ids      []string
	at       []time.Time
	statuses []int
}

func (a *answering) RoundTrip(q *http.Request) (*http.Response, error) {
	status, header := a.next(q)
	if status == unreachable {
		return nil, errors.New("connection refused")
	}
	if status == 0 { // the receiver does not answer
		<-q.Context().Done()
		return nil, q.Context().Err()
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("no")), Request: q},
		nil
}

// next records a request and returns the answer to it. Virtual time stands still while a queue waits
// for the lock, so RoundTrip does not hold it.
func (a *answering) next(q *http.Request) (status int, header http.Header) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hosts = append(a.hosts, q.Host)
	a.ids = append(a.ids, q.Header.Get("webhook-id"))
	a.at = append(a.at, time.Now())
	status, header = a.answer(q, len(a.ids))
	a.statuses = append(a.statuses, status)
	return status, header
}

// sender makes a sender to the hooks. Without any, it sends to one that wants all events.
func sender(t *testing.T, m *memory, to *answering, log io.Writer, hooks ...Hook) *Sender {
	t.Helper()
	if len(hooks) == 0 {
		hooks = []Hook{testHook(t, "game")}
	}
	return New(Config{Hooks: hooks, Store: m, Transport: to, Log: slog.New(slog.NewTextHandler(log, nil))})
}

// running runs a sender in virtual time until stop is called.
func running(t *testing.T, s *Sender) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	return func() { cancel(); <-done }
}

func TestAReceiverHasFifteenSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var took time.Duration
		to := &answering{answer: func(q *http.Request, n int) (int, http.Header) {
			if n > 1 {
				return 200, nil
			}
			begun := time.Now()
			<-q.Context().Done()
			took = time.Since(begun)
			return 0, nil
		}}
		stop := running(t, sender(t, newMemory(1, 0), to, io.Discard))
		time.Sleep(time.Minute)
		stop()
		if took != 15*time.Second || len(to.ids) != 2 {
			t.Errorf("the receiver had %s, and got %d requests", took, len(to.ids))
		}
	})
}

func TestRetryAfterIsRespected(t *testing.T) {
	for _, test := range []struct {
		name, value string
		status      int
		least, most time.Duration // the time until the next request
	}{
		{"none", "", 503, 0, time.Second},
		{"seconds", "90", 429, 90 * time.Second, 92 * time.Second},
		{"of a refusal", "90", 400, 90 * time.Second, 92 * time.Second},
		{"a date", "DATE", 503, 598 * time.Second, 602 * time.Second},
		{"a day", "86400", 503, time.Hour, time.Hour + time.Second},
		{"past every number", "99999999999999999999", 503, 0, time.Second},
		{"negative", "-5", 503, 0, time.Second},
		{"words", "soon", 503, 0, time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				value := test.value
				if value == "DATE" {
					value = time.Now().Add(10 * time.Minute).UTC().Format(http.TimeFormat)
				}
				to := &answering{answer: func(_ *http.Request, n int) (int, http.Header) {
					if n == 1 {
						return test.status, http.Header{"Retry-After": {value}}
					}
					return 200, nil
				}}
				stop := running(t, sender(t, newMemory(1, 0), to, io.Discard))
				time.Sleep(2 * time.Hour)
				stop()
				if len(to.at) != 2 {
					t.Fatalf("%d requests came", len(to.at))
				}
				if d := to.at[1].Sub(to.at[0]); d < test.least || d > test.most {
					t.Errorf("the next request came after %s, want %s to %s", d, test.least, test.most)
				}
			})
		})
	}
}

// A receiver was down for two days, and the leader changed meanwhile. Then it gets every event in
// order, without a command.
func TestAReceiverThatWasAwayForTwoDaysGetsEverythingInOrder(t *testing.T) {
	for _, status := range []int{unreachable, 0, 302, 408, 425, 429, 503} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				var taken []string
				to := &answering{answer: func(q *http.Request, _ int) (int, http.Header) {
					if time.Since(begun) < 48*time.Hour {
						return status, nil
					}
					feed, rest, _ := strings.Cut(q.Header.Get("webhook-id"), "-")
					taken = append(taken, feed+" "+strings.Split(rest, "_")[1])
					return 200, nil
				}}
				m := newMemory(150, 120) // more than a page of each feed
				var log syncedText
				for range 3 {
					stop := running(t, sender(t, m, to, &log))
					time.Sleep(17 * time.Hour)
					stop()
				}
				for feed, n := range map[string]int{"msg_pet": 150, "msg_supply": 120} {
					var want []string
					for i := range n {
						want = append(want, fmt.Sprint(feed, " ", i+1))
					}
					got := slices.DeleteFunc(slices.Clone(taken),
						func(s string) bool { return !strings.HasPrefix(s, feed+" ") })
					if !slices.Equal(got, want) {
						t.Errorf("of %s came %v", feed, got)
					}
				}
				if n := m.cursor("gamepet").Skipped + m.cursor("gamesupply").Skipped; n != 0 ||
					strings.Contains(log.String(), "skipped") {
					t.Errorf("%d events were skipped\n%s", n, log.String())
				}
			})
		})
	}
}

func TestAnEventThatIsRefusedForADayIsSkipped(t *testing.T) {
	for _, status := range []int{400, 401, 404, 410, 413, 422, 499} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				to := &answering{}
				refused := ""
				to.answer = func(q *http.Request, _ int) (int, http.Header) {
					if id := q.Header.Get("webhook-id"); strings.Contains(id, "_2_") {
						refused = id
						return status, nil
					}
					return 200, nil
				}
				m := newMemory(4, 0)
				var log syncedText
				stop := running(t, sender(t, m, to, &log))
				time.Sleep(23 * time.Hour)
				synctest.Wait()
				if c := m.cursor("gamepet"); c.Seq != 1 || c.Skipped != 0 {
					t.Errorf("before a day the cursor is %+v", c)
				}
				time.Sleep(4 * time.Hour)
				stop()
				if c := m.cursor("gamepet"); c.Seq != 4 || c.Skipped != 1 {
					t.Errorf("after a day the cursor is %+v", c)
				}
				if text := log.String(); strings.Count(text, "the event is skipped") != 1 ||
					!strings.Contains(text, refused) {
					t.Errorf("the log:\n%s", text)
				}
			})
		})
	}
}

// Only the time between two refusals in a row counts. The time of other failures and the time
// without a leader do not. The count survives a change of leader, to another process or to the same.
func TestOnlyRefusalsCountTowardsTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, status := time.Now(), 400
		to := &answering{answer: func(*http.Request, int) (int, http.Header) { return status, nil }}
		m := newMemory(1, 0)
		first := sender(t, m, to, io.Discard)
		second := sender(t, m, to, io.Discard)
		for i, step := range []struct {
			leader  *Sender
			status  int
			length  time.Duration
			skipped uint64
		}{
			{first, 400, 10 * time.Hour, 0}, {first, 400, 10 * time.Hour, 0}, {second, unreachable, 100 * time.Hour, 0},
			{second, 503, 100 * time.Hour, 0}, {first, 400, 3 * time.Hour, 0}, {second, 400, 2 * time.Hour, 1},
		} {
			status = step.status
			stop := running(t, step.leader)
			time.Sleep(step.length)
			stop()
			if c := m.cursor("gamepet"); c.Skipped != step.skipped {
				t.Errorf("step %d, after %s: the cursor is %+v", i, time.Since(begun), c)
			}
			time.Sleep(48 * time.Hour) // there is no leader
		}
	})
}
