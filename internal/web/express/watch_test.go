package express

import (
	"io"
	"net/http"
	"testing"
	"time"
)

const (
	silentRequest = "GET /silent HTTP/1.1\r\nHost: a\r\n\r\n"
	lateRequest   = "GET /late HTTP/1.1\r\nHost: a\r\n\r\n"
)

func TestACallerWhoLeavesDuringALookupIsNoticed(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{Header: time.Minute, Idle: time.Minute})
	c, _ := dial(t, addr)
	if _, err := io.WriteString(c, silentRequest); err != nil {
		t.Fatal(err)
	}
	<-f.waits
	_ = c.Close()
	select {
	case <-f.noticed:
	case <-time.After(5 * time.Second):
		t.Error("the look-up still waits for a caller who has left")
	}
}

func TestWhatIsAskedDuringALookupIsAnswered(t *testing.T) {
	f := newFigures()
	_, _, addr := serve(t, f, Limits{Header: time.Minute, Idle: time.Minute})
	c, r := dial(t, addr)
	for _, pause := range []time.Duration{0, 2 * watchAfter} { // unwatched, and watched
		if _, err := io.WriteString(c, lateRequest); err != nil {
			t.Fatal(err)
		}
		<-f.waits
		time.Sleep(pause) // the watch is by the clock
		if _, err := io.WriteString(c, figureRequest); err != nil {
			t.Fatal(err)
		}
		time.Sleep(pause)
		<-f.noticed
		for range 2 {
			resp, err := http.ReadResponse(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(resp.Body); err != nil || string(body) != figure {
				t.Errorf("%q, %v", body, err)
			}
		}
	}
	if f.answered.Load() != 4 || f.handed.Load() != 0 {
		t.Errorf("%d of 4 were answered in the lane", f.answered.Load())
	}
}
