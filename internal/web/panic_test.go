package web

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"petsupply/internal/web/answer"
	"petsupply/testkit/process"
)

// brokenPages panic.
type brokenPages struct{}

func (brokenPages) Routes() []answer.Row {
	return []answer.Row{
		{Pattern: "/early", Serve: func(*answer.Request) (*answer.Response, error) { panic(secret) }},
		{Pattern: "/abort", Serve: func(*answer.Request) (*answer.Response, error) { panic(http.ErrAbortHandler) }},
	}
}

func (brokenPages) ShowProblem(*answer.Problem, *answer.Response) {}

// A brokenLog panics this many times when it is asked whether requests are logged. The lane asks before its
// answer, and net/http after it has begun to write.
type brokenLog struct {
	slog.Handler
	panics *atomic.Int64
}

func (l brokenLog) Enabled(_ context.Context, level slog.Level) bool {
	if level == slog.LevelDebug && l.panics.Add(-1) >= 0 {
		panic(secret)
	}
	return level > slog.LevelDebug
}

// defective is a kit whose log and pages panic.
func defective(t *testing.T, panics int64) (*kit, *process.Output) {
	t.Helper()
	log := new(process.Output)
	broken := brokenLog{slog.NewTextHandler(log, nil), new(atomic.Int64)}
	broken.panics.Store(panics)
	cfg := oneHost()
	cfg.Log = slog.New(broken)
	cfg.Site = brokenPages{}
	return newKit(t, cfg), log
}

func TestABrokenSiteIsAnInternalError(t *testing.T) {
	k, log := defective(t, 0)
	w := k.get("/early")
	if w.Code != 500 || strings.Contains(w.Body.String(), "10.0.0.7") || w.Header().Get("Content-Encoding") != "" ||
		w.Header().Get("Content-Type") != "application/problem+json" ||
		w.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("a panic gives status %d, %v %s", w.Code, w.Header(), w.Body)
	}
	if n := k.counted(t, "petsupply_http_panics_total"); n != 1 {
		t.Errorf("%v panics are counted", n)
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "level=ERROR") ||
		!strings.Contains(text, secret) || !strings.Contains(text, "panic_test.go") {
		t.Errorf("the log has %s", text)
	}
}

// An answer that has begun cannot become an error. Only its own connection ends. A panic in the lane
// leaves the request to net/http.
func TestABrokenAnswerIsCutOff(t *testing.T) {
	for _, c := range []struct {
		path   string
		lane   bool
		panics int64
	}{
		{"/supply/jewel/ledger", false, 1}, {"/supply/jewel/ledger", true, 2}, {"/abort", false, 0},
	} {
		t.Run(fmt.Sprint(c.path, " by the lane: ", c.lane), func(t *testing.T) {
			k, log := defective(t, c.panics)
			addr := listen(t, k, c.lane)
			if resp, err := http.Get("http://" + addr + c.path); err == nil {
				resp.Body.Close()
			}
			_, resp, _ := scene{method: "GET", target: "/supply/jewel", host: "localhost:8080"}.ask(t, addr, nil)
			if resp.StatusCode != 200 {
				t.Errorf("%+v: afterwards %d", c, resp.StatusCode)
			}
			if n := k.counted(t, "petsupply_http_panics_total"); n != float64(c.panics) {
				t.Errorf("%+v: %v panics are counted", c, n)
			}
			if text := log.String(); (c.panics > 0) != (strings.Contains(text, "level=ERROR") &&
				strings.Contains(text, "goroutine")) {
				t.Errorf("%+v: the log has %q", c, text)
			}
		})
	}
}
