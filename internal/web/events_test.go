package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
)

// A streamWriter reports the status of an answer.
type streamWriter struct {
	header http.Header
	once   sync.Once
	begun  chan int
}

func (w *streamWriter) Header() http.Header    { return w.header }
func (w *streamWriter) WriteHeader(status int) { w.once.Do(func() { w.begun <- status }) }
func (w *streamWriter) Flush()                 {}
func (w *streamWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return len(b), nil
}

// openStream opens a stream from an address and returns the status of its answer.
func openStream(events *Events, from string) int {
	r := httptest.NewRequest(http.MethodGet, "/events", nil)
	r = r.WithContext(turns.For(r.Context(), answer.Network(netip.MustParseAddrPort(from).Addr())))
	w := &streamWriter{header: http.Header{}, begun: make(chan int, 1)}
	go events.ServeHTTP(w, r)
	return <-w.begun
}

func TestOneAddressCannotHoldAllStreams(t *testing.T) {
	k := newKit(t, oneHost())
	events := k.NewEvents()
	defer events.Close()
	statuses := map[int]int{}
	for i := range maxStreams + 100 {
		statuses[openStream(events, fmt.Sprintf("[2001:db8::%x]:99", i+1))]++ // one network
	}
	if statuses[200] >= maxStreams/4 || statuses[429] != maxStreams+100-statuses[200] {
		t.Errorf("one network's streams by status: %v", statuses)
	}
	for i := range 3 * maxStreams {
		openStream(events, fmt.Sprintf("10.0.%d.1:99", i%20))
	}
	open := func() float64 { return testutil.ToFloat64(k.streams) }
	if open() != maxStreams {
		t.Fatalf("%v streams are open", open())
	}
	for i := range 3 {
		if status := openStream(events, fmt.Sprintf("192.0.2.%d:99", i)); status != 200 {
			t.Errorf("all streams are taken, and a new address gets %d", status)
		}
	}
	if open() != maxStreams {
		t.Errorf("%v streams are open after that", open())
	}
}

func TestTheLargestHolderOfStreamsGivesWayFirst(t *testing.T) {
	events := newEvents(4, 3, streamBeat, prometheus.NewGauge(prometheus.GaugeOpts{}))
	for i, step := range []struct {
		from string
		want int
	}{
		{"10.0.0.1:1", 200}, {"10.0.0.1:2", 200}, {"10.0.0.1:3", 200}, {"10.0.0.1:4", 429}, {"10.0.0.2:1", 200},
		{"10.0.0.2:2", 200},                      // takes the place of one of the three
		{"10.0.0.3:1", 200},                      // takes the place of one of the two
		{"10.0.0.3:2", 503},                      // two would equal the largest number
		{"10.0.0.4:1", 200},                      // now each has one
		{"10.0.0.4:2", 503}, {"10.0.0.5:1", 200}, // the last one takes the place of any other
	} {
		if got := openStream(events, step.from); got != step.want {
			t.Errorf("step %d, from %s: %d, not %d", i, step.from, got, step.want)
		}
	}
	events.Close()
	if _, err := events.enter(netip.MustParseAddr("10.0.0.6")); err != errClosed {
		t.Errorf("after the end: %v, not %v", err, errClosed)
	}
}
