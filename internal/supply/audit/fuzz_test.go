package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"
)

// A replay gives the recorded answers of an honest service, except those that were altered.
type replay struct {
	answers map[string][]byte
	asked   int
}

func (r *replay) RoundTrip(q *http.Request) (*http.Response, error) {
	r.asked++
	path := strings.TrimSuffix(q.URL.RequestURI(), "/")
	body, ok := r.answers[path]
	code := http.StatusOK
	if !ok {
		code = http.StatusNotFound
	}
	return &http.Response{StatusCode: code, Status: strconv.Itoa(code), Body: io.NopCloser(bytes.NewReader(body)),
		Request: q}, nil
}

// A recorder records the answers of a service.
type recorder struct {
	http.RoundTripper
	answers map[string][]byte
}

func (r *recorder) RoundTrip(q *http.Request) (*http.Response, error) {
	resp, err := r.RoundTripper.RoundTrip(q)
	if err != nil || resp.StatusCode != http.StatusOK {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	r.answers[strings.TrimSuffix(q.URL.RequestURI(), "/")] = body
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, err
}

// FuzzServed: a service replaces one answer, and signs a checkpoint of any size and root. The audit
// ends, takes little time and memory, and holds only if the answer is in the log.
func FuzzServed(f *testing.F) {
	s := honest(f, 10)
	s.recorded = map[string][]byte{}
	if _, err := s.run(f, nil); err != nil {
		f.Fatal(err)
	}
	kept := s.checkpoint(f)
	honestly := s.recorded
	for path, body := range honestly {
		f.Add(path, body, int64(len(s.leaves)), false)
		f.Add(path, append(body[:len(body)/2:len(body)/2], body[len(body)/2+1:]...), int64(len(s.leaves)), true)
	}
	f.Add("/log/tile/0/000", bytes.Repeat([]byte{7}, 32*256), int64(1)<<62, true)
	f.Add("/log/tile/0/000", bytes.Repeat([]byte{7}, 32*256), int64(1)<<40, true)
	f.Add("/log/tile/0/000", bytes.Repeat([]byte{7}, 32*256), int64(256), true)
	f.Add("", []byte("["+strings.Repeat("0,", 1<<20)+"0]"), int64(len(s.leaves)), false)
	f.Fuzz(func(t *testing.T, path string, body []byte, size int64, since bool) {
		_, root := s.hashes(t)
		r := &replay{answers: map[string][]byte{}}
		for at, honest := range honestly {
			r.answers[at] = honest
		}
		if size != int64(len(s.leaves)) && len(body) >= len(root) {
			copy(root[:], body)
		}
		var err error
		if r.answers["/log/checkpoint"], err = s.key.Sign(torchwood.Checkpoint{Origin: origin,
			Tree: merkle.Tree{N: size, Hash: root}}); err != nil {
			t.Fatal(err)
		}
		r.answers[s.head()] = r.answers["/log/checkpoint"]
		same := bytes.Equal(r.answers["/log/checkpoint"], honestly["/log/checkpoint"]) && bytes.Equal(honestly[path], body)
		r.answers[path] = body
		cfg := Config{URL: "http://service.test", Client: &http.Client{Transport: r}}
		if since {
			cfg.Since = kept
		}
		err = bounded(t, cfg, r)
		switch path {
		// Other bodies may be valid too: a longer note, other white space, or no tokens.
		case "/log/checkpoint", s.head(), "/log/key", "":
			return
		}
		if _, asked := honestly[path]; asked && err == nil && !same && !strings.HasSuffix(path, "/evidence") {
			t.Errorf("%s may be %q", path, body)
		}
	})
}

// bounded runs an audit and fails the test if it costs too much.
func bounded(t *testing.T, cfg Config, r *replay) (err error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	synctest.Test(t, func(t *testing.T) { // its clock skips the pauses
		_, err = Run(t.Context(), cfg)
	})
	runtime.ReadMemStats(&after)
	if took, cost := time.Since(began), after.TotalAlloc-before.TotalAlloc; took > 10*time.Second || cost > 256<<20 ||
		r.asked > 1000 {
		t.Errorf("%s, %d MB and %d requests", took, cost>>20, r.asked)
	}
	if err != nil && !errors.As(err, new(*Fault)) {
		err = fmt.Errorf("not a fault that is named: %w", err)
	}
	return err
}
