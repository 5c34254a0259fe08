package webhook

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// answering is a receiver in memory. It records the time of each request.
type answering struct {
	answer func(q *http.Request, n int) (status int, header http.Header) // to the nth request

	mu  sync.Mutex
	ids []string
	at  []time.Time
}

func (a *answering) RoundTrip(q *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids, a.at = append(a.ids, q.Header.Get("webhook-id")), append(a.at, time.Now())
	status, header := a.answer(q, len(a.ids))
	if status == 0 { // the receiver does not answer
		<-q.Context().Done()
		return nil, q.Context().Err()
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("no")), Request: q}, nil
}

// sending runs a sender with its own defaults, in virtual time, until stop is called.
func sending(t *testing.T, m *memory, to *answering, log io.Writer, events ...string) (stop func()) {
	t.Helper()
	return sendingTo(t, "https://example.com/hook", m, to, log, events...)
}

func sendingTo(t *testing.T, url string, m *memory, to *answering, log io.Writer, events ...string) (stop func()) {
	t.Helper()
	s := New(Config{Hooks: []Hook{testHook(t, url, events...)}, Store: m, Transport: to,
		Log: slog.New(slog.NewTextHandler(log, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	return func() { cancel(); <-done }
}

func testHook(t *testing.T, url string, events ...string) Hook {
	t.Helper()
	return Hook{Name: "game", URL: url, Secret: Secrets{parseSecret(t, testSecret)}, Events: events}
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
		stop := sending(t, newMemory(1, 0), to, io.Discard)
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
				stop := sending(t, newMemory(1, 0), to, io.Discard)
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

// The pause that a receiver requests applies to both feeds.
func TestRetryAfterHoldsBothFeeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := &answering{answer: func(_ *http.Request, n int) (int, http.Header) {
			if n <= 2 { // each feed may have sent one request
				return 429, http.Header{"Retry-After": {strconv.Itoa(60 * (3 - n))}}
			}
			return 200, nil
		}}
		stop := sending(t, newMemory(1, 1), to, io.Discard)
		time.Sleep(time.Hour)
		stop()
		if len(to.at) != 4 || to.at[2].Sub(to.at[0]) < 2*time.Minute {
			t.Errorf("requests came at %v", to.at)
		}
	})
}

// A receiver that answers 410 gets nothing more until its address changes, on both feeds and from
// the next leader too. Then it gets everything.
func TestGoneEndsAReceiverUntilItsAddressChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemory(2, 2)
		gone := &answering{answer: func(*http.Request, int) (int, http.Header) { return 410, nil }}
		var log syncedText
		for range 2 {
			stop := sending(t, m, gone, &log)
			time.Sleep(48 * time.Hour)
			stop()
		}
		if len(gone.ids) > 2 { // each feed may have sent one request
			t.Errorf("%d requests came", len(gone.ids))
		}
		if n := strings.Count(log.String(), "its webhook has ended"); n == 0 || n > 4 {
			t.Errorf("the log:\n%s", log.String())
		}
		well := &answering{answer: func(*http.Request, int) (int, http.Header) { return 200, nil }}
		stop := sendingTo(t, "https://example.com/elsewhere", m, well, io.Discard)
		time.Sleep(time.Minute)
		stop()
		if len(well.ids) != 4 || m.ended != "" {
			t.Errorf("the new address took %v", well.ids)
		}
	})
}

func TestAnEventThatIsRefusedForADayIsSetAside(t *testing.T) {
	for _, test := range []struct {
		status int
		aside  bool
	}{
		{400, true}, {401, true}, {404, true}, {413, true}, {422, true}, {499, true},
		{408, false}, {425, false}, {429, false}, {302, false}, {500, false}, {503, false}, {0, false},
	} {
		t.Run(strconv.Itoa(test.status), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				to := &answering{}
				to.answer = func(q *http.Request, _ int) (int, http.Header) {
					if strings.Contains(q.Header.Get("webhook-id"), "_2_") {
						return test.status, nil
					}
					return 200, nil
				}
				m := newMemory(4, 0)
				var log syncedText
				stop := sending(t, m, to, &log, "pet")
				time.Sleep(23 * time.Hour)
				synctest.Wait()
				if at, aside := m.place("gamepet"); at != 1 || len(aside) != 0 {
					t.Errorf("before a day it is at %d, and set aside are %v", at, aside)
				}
				time.Sleep(4 * time.Hour)
				stop()
				place, aside := uint64(1), 0
				if test.aside {
					place, aside = 4, 1
				}
				if m.cursors["gamepet"] != place || len(m.aside) != aside {
					t.Errorf("it is at %d, want %d, and set aside are %v", m.cursors["gamepet"], place, m.aside)
				}
				if told := strings.Contains(log.String(), "set aside"); told != test.aside {
					t.Errorf("the log:\n%s", log.String())
				}
			})
		})
	}
}

// Only the time between two refusals in a row counts. The time of other failures and the time
// without a leader do not. The count survives a change of leader.
func TestOnlyRefusalsCountTowardsTheDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun, status := time.Now(), 400
		to := &answering{answer: func(*http.Request, int) (int, http.Header) { return status, nil }}
		m := newMemory(1, 0)
		for i, step := range []struct {
			status int
			length time.Duration
			aside  int
		}{{400, 20 * time.Hour, 0}, {503, 100 * time.Hour, 0}, {400, 3 * time.Hour, 0}, {400, 2 * time.Hour, 1}} {
			status = step.status
			stop := sending(t, m, to, io.Discard, "pet")
			time.Sleep(step.length)
			stop()
			if len(m.aside) != step.aside {
				t.Errorf("step %d, after %s: set aside are %v", i, time.Since(begun), m.aside)
			}
			time.Sleep(48 * time.Hour) // there is no leader
		}
	})
}
