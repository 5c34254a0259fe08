package main

import (
	"context"
	"crypto/sha256"
	_ "embed" // watch.js
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/art/petpack"
)

// A packWatch shows a pack while it is being painted. When the files have changed and the pack can
// be opened, the service starts again with the new version, on the same socket. If the pack cannot
// be opened, the service keeps the last good version.
type packWatch struct {
	dir  string
	open func() (*art.Pack, error)
	out  io.Writer
	seen string // fingerprint of the files at the last check

	mu    sync.Mutex
	turn  int       // counts the versions that were opened; each is served by its own run of the service
	fault string    // why the newest version cannot be shown; "" if it is shown
	pack  *art.Pack // the last version that could be opened, nil if there is none
}

// watchEvery is how often the pack's files are checked.
const watchEvery = 300 * time.Millisecond

// watchPath is the first part of the addresses that wrap adds. The site has no such addresses.
const watchPath = "/pack-watch/"

//go:embed watch.js
var watchScript []byte

func newPackWatch(dir string, out io.Writer, open func() (*art.Pack, error)) *packWatch {
	w := &packWatch{dir: dir, open: open, out: out, seen: fingerprint(dir)}
	w.load()
	return w
}

// load opens the pack as it is now, and reports whether that worked.
func (w *packWatch) load() bool {
	pack, err := w.open()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.fault = err.Error()
		fmt.Fprintf(w.out, "%s: %v\n", w.dir, err)
		return false
	}
	w.turn, w.fault, w.pack = w.turn+1, "", pack
	return true
}

// await waits until the pack has changed and could be opened, or until ctx ends.
func (w *packWatch) await(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(watchEvery):
		}
		if now := fingerprint(w.dir); now != w.seen {
			w.seen = now
			if w.load() {
				return
			}
		}
	}
}

// fingerprint returns a text that changes when the name, length or time of a file in a directory
// changes. It looks at no more than petpack.MaxFiles files. A directory that cannot be listed has a
// fingerprint too.
func fingerprint(dir string) string {
	h := sha256.New()
	files := 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if files++; files > petpack.MaxFiles {
			return fs.SkipAll
		}
		if info, err := e.Info(); err == nil {
			fmt.Fprintf(h, "%s\x00%d\x00%d\n", path, info.Size(), info.ModTime().UnixNano())
		}
		return nil
	})
	fmt.Fprint(h, err)
	return hex.EncodeToString(h.Sum(nil))
}

// wrap adds the addresses below watchPath to the service of one turn, and a script to each page.
// The script reloads the page when the next turn begins. No answer is cached.
func (w *packWatch) wrap(number int, service http.Handler) http.Handler {
	script := fmt.Sprintf("\n<script src=\"%sscript.js?turn=%d\"></script>\n", watchPath, number)
	return http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case watchPath + "state":
			w.mu.Lock()
			fault := w.fault
			w.mu.Unlock()
			out.Header().Set("Content-Type", "application/json")
			out.Header().Set("Cache-Control", "no-store")
			json.NewEncoder(out).Encode(map[string]any{"turn": number, "fault": fault})
		case watchPath + "script.js":
			out.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			out.Write(watchScript)
		case watchPath + "sheet":
			w.sheet(out)
			io.WriteString(out, script)
		default:
			for _, name := range []string{"If-None-Match", "If-Modified-Since", "Accept-Encoding"} {
				r.Header.Del(name)
			}
			page := &watchedAnswer{ResponseWriter: out, head: r.Method == http.MethodHead}
			service.ServeHTTP(page, r)
			if page.html {
				io.WriteString(out, script)
			}
		}
	})
}

// sheet shows everything that the pack draws. If no version could be opened yet, it shows why.
func (w *packWatch) sheet(out http.ResponseWriter) {
	w.mu.Lock()
	pack, fault := w.pack, w.fault
	w.mu.Unlock()
	out.Header().Set("Content-Type", "text/html; charset=utf-8")
	out.Header().Set("Cache-Control", "no-store")
	if pack == nil {
		fmt.Fprintf(out, "<!doctype html><meta charset=utf-8><title>sheet</title><pre>%s</pre>", html.EscapeString(fault))
		return
	}
	page, err := art.Sheet{Pack: pack}.HTML()
	if err != nil {
		http.Error(out, err.Error(), http.StatusInternalServerError)
		return
	}
	out.Write(page)
}

// A watchedAnswer is an answer that is not cached. If it is a page, it has no Content-Length,
// because wrap appends a script to it.
type watchedAnswer struct {
	http.ResponseWriter
	head bool // the method is HEAD, so no body is sent
	html bool
	sent bool
}

func (a *watchedAnswer) WriteHeader(status int) {
	h := a.Header()
	h.Set("Cache-Control", "no-store")
	h.Del("ETag")
	if a.html = !a.head && strings.HasPrefix(h.Get("Content-Type"), "text/html"); a.html {
		h.Del("Content-Length")
	}
	a.sent = true
	a.ResponseWriter.WriteHeader(status)
}

func (a *watchedAnswer) Write(text []byte) (int, error) {
	if !a.sent {
		a.WriteHeader(http.StatusOK)
	}
	return a.ResponseWriter.Write(text)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *watchedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// A turnListener accepts connections for one run of the service. Closing it leaves the socket open,
// so a client that connects between two runs waits for the next run.
type turnListener struct {
	*net.TCPListener
	closed atomic.Bool
}

func newTurnListener(socket net.Listener) (net.Listener, error) {
	l := &turnListener{TCPListener: socket.(*net.TCPListener)}
	return l, l.SetDeadline(time.Time{})
}

func (l *turnListener) Accept() (net.Conn, error) {
	conn, err := l.TCPListener.Accept()
	if err != nil && l.closed.Load() {
		return nil, net.ErrClosed
	}
	return conn, err
}

func (l *turnListener) Close() error {
	if l.closed.Swap(true) {
		return nil
	}
	return l.SetDeadline(time.Now()) // ends Accept
}
