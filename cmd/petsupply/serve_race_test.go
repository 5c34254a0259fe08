package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

// An answer has begun when its header has arrived. If the service is closed, a request fails before
// that, and the caller uses another service.
func TestNoAcceptedRequestIsCutOff(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	picture := func(i int) string { return fmt.Sprintf("%s/image/%d?size=1080", r.pets, 5+i%4) }
	var first *http.Response
	within(t, waitLimit, "a picture", func() (ok bool) { // a busy machine may refuse the first ones
		var err error
		first, err = http.Get(picture(0))
		return err == nil && first.StatusCode == http.StatusOK
	})
	errs := make(chan error, 41)
	read := func(res *http.Response) {
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err == nil && int64(len(body)) != res.ContentLength {
			err = fmt.Errorf("%d of %d bytes", len(body), res.ContentLength)
		}
		errs <- err
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if res, err := http.Get(picture(i)); err == nil {
				read(res)
			}
		})
		if i == 20 {
			go r.stop()
		}
	}
	all.Wait()
	read(first)
	close(errs)
	for err := range errs {
		if err != nil {
			t.Errorf("an answer that had begun was cut off: %v", err)
		}
	}
	if code := r.stop(); code != exitOK {
		t.Errorf("exit code %d:\n%s", code, r.out)
	}
}
