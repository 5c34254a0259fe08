package packwatch

import (
	"bytes"
	"context"
	_ "embed" // script.js
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httputil"
	"strconv"
	"strings"
	"sync"
	"time"

	"petsupply/internal/art"
)

// Paths of the front's own, under a name that the site does not have.
const (
	sheetPath  = "/pack-watch/sheet"
	eventsPath = "/pack-watch/events"
	scriptPath = "/pack-watch/script.js"
)

//go:embed script.js
var watchScript []byte

// A front stands before a demo that is exchanged for another whenever the
// pack changes. It adds a script to the pages that loads them again then, and
// shows what is wrong with a pack that cannot be shown.
type front struct {
	mu      sync.Mutex
	changed chan struct{} // closed when what follows changes
	turn    int           // how often another pack was shown
	fault   string        // why the newest is not
	held    bool          // one is being exchanged for another
	pack    *art.Pack
	address string // of the demo; "" before the first
}

func newFront() *front { return &front{changed: make(chan struct{}), held: true} }

// update changes the state and wakes all who wait for that.
func (f *front) update(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	close(f.changed)
	f.changed = make(chan struct{})
}

// hold makes requests wait.
func (f *front) hold() { f.update(func() { f.held = true }) }

func (f *front) show(pack *art.Pack, address string) {
	f.update(func() { f.held, f.fault, f.pack, f.address, f.turn = false, "", pack, address, f.turn+1 })
}

func (f *front) fail(err error) {
	f.update(func() { f.held, f.fault = false, err.Error() })
}

// A state is what pages are told.
type state struct {
	Turn  int    `json:"turn"`
	Fault string `json:"fault"`
}

func (f *front) now() (s state, address string, held bool, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return state{f.turn, f.fault}, f.address, f.held, f.changed
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case eventsPath:
		f.events(w, r)
		return
	case scriptPath:
		w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
		w.Write(watchScript)
		return
	}
	s, address, ok := f.shown(r.Context(), -1)
	if !ok {
		return
	}
	switch {
	case r.URL.Path == sheetPath || address == "":
		f.sheet(w)
	default:
		f.forward(w, r, address, s.Turn)
	}
}

// events tells a page the state, now and whenever it changes.
func (f *front) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	for {
		s, _, held, changed := f.now()
		if !held {
			data, err := json.Marshal(s)
			if err != nil {
				return
			}
			if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

// sheet shows all that the pack draws, or, before there is one that opens, why
// there is none.
func (f *front) sheet(w http.ResponseWriter) {
	f.mu.Lock()
	pack, fault, turn := f.pack, f.fault, f.turn
	f.mu.Unlock()
	page := []byte("<!doctype html><meta charset=utf-8><title>pack watch</title><pre>" + html.EscapeString(fault) + "</pre>")
	if pack != nil {
		var err error
		if page, err = (art.Sheet{Pack: pack}).HTML(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(withScript(page, turn))
}

// forward has the demo answer, and adds the script to its pages.
func (f *front) forward(w http.ResponseWriter, r *http.Request, address string, turn int) {
	proxy := httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.Out.URL.Scheme, p.Out.URL.Host, p.Out.Host = "http", address, p.In.Host
			for _, name := range []string{"If-None-Match", "If-Modified-Since", "Accept-Encoding"} {
				p.Out.Header.Del(name)
			}
			p.Out.Header.Set("Accept-Encoding", "identity")
		},
		ModifyResponse: func(res *http.Response) error {
			res.Header.Set("Cache-Control", "no-store")
			if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") || r.Method == http.MethodHead {
				return nil
			}
			page, err := io.ReadAll(res.Body)
			if err != nil {
				return err
			}
			res.Body.Close()
			page = withScript(page, turn)
			res.Body = io.NopCloser(bytes.NewReader(page))
			res.Header.Set("Content-Length", strconv.Itoa(len(page)))
			res.Header.Del("ETag")
			return nil
		},
		FlushInterval: -1, // events
		ErrorHandler:  func(w http.ResponseWriter, r *http.Request, _ error) { f.again(w, r, turn) },
	}
	proxy.ServeHTTP(w, r)
}

// shown waits until a demo is shown that is not the one of a turn. ok is false if the
// context ends first.
func (f *front) shown(ctx context.Context, except int) (s state, address string, ok bool) {
	for {
		s, address, held, changed := f.now()
		if !held && s.Turn != except {
			return s, address, true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return s, address, false
		}
	}
}

// again has another demo answer what the one of a turn did not, for it was just
// exchanged.
func (f *front) again(w http.ResponseWriter, r *http.Request, turn int) {
	ctx, cancel := context.WithTimeout(r.Context(), exchangeLimit)
	defer cancel()
	s, address, ok := f.shown(ctx, turn)
	if !ok {
		http.Error(w, "the demo does not answer", http.StatusBadGateway)
		return
	}
	f.forward(w, r, address, s.Turn)
}

// exchangeLimit is how long a request waits for another demo.
const exchangeLimit = 30 * time.Second

// withScript adds the script to a page, which tells it whether the page shows
// the newest pack.
func withScript(page []byte, turn int) []byte {
	return fmt.Appendf(bytes.Clone(page), "\n<script src=\"%s?turn=%d\"></script>\n", scriptPath, turn)
}
