package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
)

// Events sends server-sent events to open pages. Serve it at one URL, and call Broadcast from
// anywhere. When stopping, Close it first: its streams would otherwise delay the shutdown.
type Events struct {
	// beat is how often a comment is sent on each stream, so that proxies keep quiet streams open
	// and dead callers are noticed.
	beat  time.Duration
	max   int // limit of streams from all addresses together
	each  int // limit of streams from one address
	gauge prometheus.Gauge

	mu      sync.Mutex
	last    uint64
	clients map[chan []byte]netip.Addr // open streams and their callers' addresses; nil after Close
	held    map[netip.Addr]int         // the number of streams of each address
	recent  map[string][]byte          // the newest event of each kind, for new streams
	kinds   []string                   // the keys of recent, in the order of their first events
}

const (
	maxStreams = 1024
	maxHeld    = 128 // streams from one address
	streamBeat = 15 * time.Second
	maxBacklog = 16 // events that a slow caller may lag behind
)

var (
	errManyStreams = errors.New("too many requests: too many streams are open from this address")
	errNoStream    = errors.New("service unavailable: too many streams are open")
	errClosed      = errors.New("service unavailable: the service is stopping")
)

func newEvents(max, each int, beat time.Duration, gauge prometheus.Gauge) *Events {
	return &Events{
		beat: beat, max: max, each: each, gauge: gauge,
		clients: map[chan []byte]netip.Addr{}, held: map[netip.Addr]int{}, recent: map[string][]byte{},
	}
}

// Broadcast sends an event to every stream, and never waits. A caller that lags too far behind is
// disconnected; browsers then reconnect for the newest state. The argument kind is one of a few
// fixed words.
func (e *Events) Broadcast(kind string, data any) error {
	text, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("encoding an event %s: %w", kind, err)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.clients == nil {
		return nil
	}
	e.last++
	msg := []byte("id: " + strconv.FormatUint(e.last, 10) + "\nevent: " + kind + "\ndata: " + string(text) + "\n\n")
	if _, known := e.recent[kind]; !known {
		e.kinds = append(e.kinds, kind)
	}
	e.recent[kind] = msg
	for c := range e.clients {
		select {
		case c <- msg:
		default:
			e.end(c)
		}
	}
	return nil
}

// Close ends every stream and refuses new ones.
func (e *Events) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for c := range e.clients {
		e.end(c)
	}
	e.clients = nil
}

// enter adds a stream for the address holder and fills it with the newest event of each kind. If
// too many streams are open, it may end another one: see makeRoom.
func (e *Events) enter(holder netip.Addr) (chan []byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.clients == nil:
		return nil, errClosed
	case e.held[holder] >= e.each:
		return nil, errManyStreams
	case len(e.clients) >= e.max && !e.makeRoom(holder):
		return nil, errNoStream
	}
	c := make(chan []byte, maxBacklog+len(e.kinds))
	for _, k := range e.kinds {
		c <- e.recent[k]
	}
	e.clients[c] = holder
	e.held[holder]++
	e.gauge.Inc()
	return c, nil
}

// makeRoom ends a stream of the address with the most streams, so that the address newcomer can
// have another one. If newcomer has streams already and would then have more than the other
// address, makeRoom ends none and returns false. An address without a stream always gets one. A
// browser whose stream ended reconnects by itself. The caller holds mu.
func (e *Events) makeRoom(newcomer netip.Addr) bool {
	var largest netip.Addr
	for a, n := range e.held {
		if n > e.held[largest] {
			largest = a
		}
	}
	if mine := e.held[newcomer]; mine > 0 && e.held[largest] < mine+2 {
		return false
	}
	for c, a := range e.clients {
		if a == largest {
			e.end(c)
			return true
		}
	}
	return false
}

// end ends a stream, if it has not ended yet. The caller holds mu.
func (e *Events) end(c chan []byte) {
	if holder, ok := e.clients[c]; ok {
		delete(e.clients, c)
		if e.held[holder]--; e.held[holder] == 0 {
			delete(e.held, holder)
		}
		e.gauge.Dec()
		close(c)
	}
}

// ServeHTTP streams events until the caller leaves or the stream is ended.
func (e *Events) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", answer.CachePolicy{}.String())
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	switch r.Method {
	case http.MethodGet:
	case http.MethodHead:
		return
	default:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed: events are read with GET", http.StatusMethodNotAllowed)
		return
	}
	c, err := e.enter(turns.Address(r.Context()))
	if err != nil {
		status := http.StatusServiceUnavailable
		if err == errManyStreams {
			status = http.StatusTooManyRequests
		}
		h.Set("Retry-After", strconv.Itoa(int(retryLater/time.Second)))
		http.Error(w, err.Error(), status)
		return
	}
	defer func() {
		e.mu.Lock()
		e.end(c)
		e.mu.Unlock()
	}()
	e.stream(http.NewResponseController(w), w, r, c)
}

// stream writes the events from c. Each write has its own deadline. The stream as a whole has none.
func (e *Events) stream(ctl *http.ResponseController, w http.ResponseWriter, r *http.Request, c chan []byte) {
	send := func(msg []byte) bool {
		_ = ctl.SetWriteDeadline(time.Now().Add(e.beat)) // if this fails, TCP still notices a dead caller, but later
		if _, err := w.Write(msg); err != nil {
			return false
		}
		return ctl.Flush() == nil
	}
	if !send([]byte("retry: 3000\n\n")) {
		return
	}
	beat := time.NewTicker(e.beat)
	defer beat.Stop()
	for {
		var msg []byte
		var open bool
		select {
		case <-r.Context().Done():
			return
		case <-beat.C:
			msg, open = []byte(": still here\n\n"), true
		case msg, open = <-c:
		}
		if !open || !send(msg) {
			return
		}
	}
}
