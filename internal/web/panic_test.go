package web

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"petsupply/internal/web/answer"
)

// A logBuffer is a log that may be read while it is written.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (d *logBuffer) Write(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.Write(b)
}

func (d *logBuffer) String() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.text.String()
}

// brokenPages panic.
type brokenPages struct{}

func (brokenPages) Routes() []answer.Row {
	return []answer.Row{
		{Pattern: "/early", Serve: func(*answer.Request) (*answer.Response, error) { panic(secret) }},
		{Pattern: "/abort", Serve: func(*answer.Request) (*answer.Response, error) { panic(http.ErrAbortHandler) }},
	}
}

func (brokenPages) ShowProblem(*answer.Problem, *answer.Response) {}

// defective is a kit that keeps its log. It has a prepared answer whose route has no counters, and pages that
// panic.
func defective(t *testing.T) (*kit, *logBuffer) {
	t.Helper()
	cfg, log := oneHost(), new(logBuffer)
	cfg.Log = slog.New(slog.NewTextHandler(log, nil))
	cfg.Site = brokenPages{}
	k := newKit(t, cfg)
	table := k.supply.table.Load()
	broken := *table.targets["/supply/jewel/totalsupply"]
	broken.Route = new(answer.Route)
	table.targets["/supply/broken"] = &broken
	return k, log
}

func TestABrokenSiteIsAnInternalError(t *testing.T) {
	k, log := defective(t)
	w := k.get("/early")
	if w.Code != 500 || strings.Contains(w.Body.String(), "10.0.0.7") || w.Header().Get("Content-Encoding") != "" ||
		w.Header().Get("Content-Type") != "application/problem+json" ||
		w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a panic gives status %d, %v %s", w.Code, w.Header(), w.Body)
	}
	if n := k.counted(t, "petsupply_http_panics_total"); n != 1 {
		t.Errorf("%v panics are counted", n)
	}
	if text := log.String(); !strings.Contains(text, "level=ERROR") || !strings.Contains(text, secret) ||
		!strings.Contains(text, "panic_test.go") {
		t.Errorf("the log has %s", text)
	}
}

// An answer that has begun cannot become an error. Only its own connection ends. A panic in the lane
// leaves the request to net/http.
func TestABrokenAnswerIsCutOff(t *testing.T) {
	for _, c := range []struct {
		path   string
		lane   bool
		panics float64
	}{
		{"/supply/broken", false, 1}, {"/supply/broken", true, 2}, {"/abort", false, 0},
	} {
		t.Run(fmt.Sprint(c.path, " by the lane: ", c.lane), func(t *testing.T) {
			k, log := defective(t)
			addr := listen(t, k, c.lane)
			if resp, err := http.Get("http://" + addr + c.path); err == nil {
				resp.Body.Close()
			}
			_, resp, _ := scene{method: "GET", target: "/supply/jewel", host: "localhost:8080"}.ask(t, addr, nil)
			if resp.StatusCode != 200 {
				t.Errorf("%+v: afterwards %d", c, resp.StatusCode)
			}
			if n := k.counted(t, "petsupply_http_panics_total"); n != c.panics {
				t.Errorf("%+v: %v panics are counted", c, n)
			}
			if text := log.String(); (c.panics > 0) != (strings.Contains(text, "level=ERROR") &&
				strings.Contains(text, "goroutine")) {
				t.Errorf("%+v: the log has %q", c, text)
			}
		})
	}
}
