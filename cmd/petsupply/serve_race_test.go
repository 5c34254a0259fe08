package main

import (
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
)

func TestServeAnswersTheContract(t *testing.T) {
	r := start(t, "--data", t.TempDir())
	for _, test := range []struct{ url, kind string }{
		{r.supply + "/", "application/json"},
		{r.supply + "/jewel", "application/json"},
		{r.supply + "/jewel/", "application/json"},
		{r.supply + "/Jewel/totalSupply", "text/plain; charset=utf-8"},
		{r.supply + "/jade/circulatingsupply", "text/plain; charset=utf-8"},
		{r.supply + "/crystal/evidence", "application/json"},
		{r.supply + "/crystal/ledger", "application/json"},
		{r.supply + "/crystal/history", "application/json"},
		{r.pets + "/token/1", "application/json"},
		{r.pets + "/token/1000000000001", "application/json"},
		{r.pets + "/token/2000000000001", "application/json"},
		{r.pets + "/tokens?ids=1,2,3", "application/json"},
		{r.pets + "/contract", "application/json"},
		{r.pets + "/image/1", "image/png"},
		{r.pets + "/image/1?frame=false&background=false", "image/png"},
		{r.site + "/", "text/html; charset=utf-8"},
		{r.supply + "/openapi.json", "application/json"},
		{r.supply + "/openapi.yaml", "application/yaml"},
		{r.pets + "/openapi.json", "application/json"},
		{r.pets + "/openapi.yaml", "application/yaml"},
	} {
		t.Run(test.url, func(t *testing.T) {
			status, header, body := fetch(t, test.url)
			if kind := header.Get("Content-Type"); status != http.StatusOK || kind != test.kind || len(body) == 0 {
				t.Errorf("%d %s, %d bytes; want 200 %s", status, kind, len(body), test.kind)
			}
		})
	}
	if code := r.stop(); code != exitOK {
		t.Errorf("exit code %d, want 0:\n%s", code, r.out)
	}
}

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
