package express

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"
)

const (
	silentRequest = "GET /silent HTTP/1.1\r\nHost: a\r\n\r\n"
	lateRequest   = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
)

func TestACallerWhoLeavesDuringALookupIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, base := newFigures(), newPipes()
		base.serve(t, f, Limits{Header: time.Minute, Idle: time.Minute}, time.Now)
		c, _ := base.dial(t)
		send(t, c, silentRequest)
		<-f.waits
		_ = c.Close()
		<-f.noticed // otherwise the test ends with a deadlock
	})
}

func TestRequestsDuringALookupAreAnswered(t *testing.T) {
	for name, pause := range map[string]time.Duration{"unwatched": 0, "watched": 2 * watchAfter} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, base := newFigures(), newPipes()
				base.serve(t, f, Limits{Header: time.Minute, Idle: time.Minute}, time.Now)
				c, r := base.dial(t)
				send(t, c, lateRequest)
				<-f.waits
				go func() { _, _ = io.WriteString(c, figureRequest) }()
				time.Sleep(pause) // on the test's own clock
				<-f.noticed
				for range 2 {
					resp, err := http.ReadResponse(r, nil)
					if err != nil {
						t.Fatal(err)
					}
					if body, err := io.ReadAll(resp.Body); err != nil || string(body) != figure {
						t.Errorf("the body is %q, %v", body, err)
					}
				}
				if f.answered.Load() != 2 || f.handed.Load() != 0 {
					t.Errorf("%d of 2 were answered in the lane", f.answered.Load())
				}
			})
		})
	}
}
