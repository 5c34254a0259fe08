package audit

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"
	"time"

	"petsupply/internal/demo"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(q *http.Request) (*http.Response, error) { return f(q) }

func refusal(code int) func() (*http.Response, error) {
	return func() (*http.Response, error) {
		w := httptest.NewRecorder()
		http.Error(w, "<html>no", code)
		return w.Result(), nil
	}
}

// A service is no liar because one answer could not be read, whichever it is, or because it could
// not be read from one answer on.
func TestAnswersThatCannotBeRead(t *testing.T) {
	after, before := successor(t, 8)
	repeat(after, before)
	proven, wrong := honest(t, 300), withdrawn(t)
	proven.prove()
	wrong.prove()
	for state, s := range map[string]*service{"proven": proven, "withdrawn": wrong, "a second log": after} {
		h := s.handler(t)
		for _, row := range []struct {
			name   string
			answer func() (*http.Response, error)
			always bool // from one answer on
		}{
			{"404", refusal(http.StatusNotFound), false}, // of a process that is behind
			{"503", refusal(http.StatusServiceUnavailable), false},
			{"503", refusal(http.StatusServiceUnavailable), true},
			{"no connection", func() (*http.Response, error) { return nil, io.EOF }, true},
			{"half an answer", func() (*http.Response, error) {
				return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))}, nil
			}, false},
		} {
			for at, asked := 1, 1; asked >= at; at++ {
				asked = 0
				path := ""
				_, err := Run(t.Context(), Config{URL: "http://service.test",
					Now: func() time.Time { return demo.Start.AddDate(1, 0, 0) },
					Client: &http.Client{Transport: roundTrip(func(q *http.Request) (*http.Response, error) {
						if asked++; asked == at || row.always && asked > at {
							if asked == at {
								path = q.URL.RequestURI()
							}
							return row.answer()
						}
						w := httptest.NewRecorder()
						h.ServeHTTP(w, q)
						return w.Result(), nil
					})}})
				if errors.As(err, new(*Fault)) {
					t.Errorf("%s, %s at %s, always %t: %v", state, row.name, path, row.always, err)
				}
			}
		}
	}
}
