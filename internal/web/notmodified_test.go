package web

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"petsupply/internal/web/express"
)

// sendsLikeNetHTTP compares what the lane sends for a target with the answer w of net/http to the same
// request. It returns false if the lane sends nothing.
func (k *kit) sendsLikeNetHTTP(t *testing.T, target string, w *httptest.ResponseRecorder, headers ...string) bool {
	t.Helper()
	q := &express.Request{Target: target, Host: "localhost:8080", At: k.clock.now(), Room: make([]byte, 0, 8<<10)}
	for i := 0; i < len(headers); i += 2 {
		*map[string]*string{"Accept-Encoding": &q.AcceptEncoding, "If-None-Match": &q.IfNoneMatch,
			"If-Modified-Since": &q.IfModifiedSince}[headers[i]] = headers[i+1]
	}
	head, body := k.Find(q)
	if head == nil {
		return false
	}
	var want strings.Builder
	want.WriteString("HTTP/1.1 " + strconv.Itoa(w.Code) + " " + http.StatusText(w.Code) + "\r\n")
	if err := w.Result().Header.Write(&want); err != nil {
		t.Fatal(err)
	}
	if string(head) != want.String()+"Date: " || string(body) != w.Body.String() {
		t.Errorf("%s with %q:\n%s\n%d bytes; net/http answers\n%s\n%d bytes",
			target, headers, head, len(body), &want, w.Body.Len())
	}
	return true
}

// Every kind of route has one content in every encoding, with an ETag for each. A 304 has the headers of
// its 200, for every condition. The lane sends the same.
func TestFormsOfAnAnswer(t *testing.T) {
	k := sited(t, oneHost())
	k.remember(20)
	found := 0
	laned := 0
	for _, path := range []string{
		"/supply/", "/supply/jewel", "/supply/jewel/totalsupply", "/supply/jewel/totalsupply?format=json",
		"/supply/jewel?q=total", "/supply/jewel/ledger", "/supply/jewel/evidence", "/supply/jewel/history?points=2",
		"/supply/log/checkpoint", "/supply/log/key", "/pets/contract", "/pets/token/7",
		"/pets/image/7?size=90&frame=false",
		"/pets/tokens", "/pets/changes", "/", "/token/jewel", "/api", "/status", "/gallery?rarity=1", "/pet/7",
		"/assets/site.js",
	} {
		tags := map[string]string{} // by Content-Encoding
		content := ""
		for _, accept := range []string{"", "gzip", "zstd", "br"} {
			whole := k.get(path, "Accept-Encoding", accept)
			tag := whole.Header().Get("Etag")
			date := whole.Header().Get("Last-Modified")
			encoding := whole.Header().Get("Content-Encoding")
			body := string(unpack(t, whole.Result(), whole.Body.Bytes()))
			if whole.Code != http.StatusOK || content != "" && body != content {
				t.Errorf("%s as %q: %d, or another content", path, accept, whole.Code)
			}
			content = body
			for other, taken := range tags {
				if (other == encoding) != (taken == tag) || tag == "" {
					t.Errorf("%s as %q has the ETag %q, as %q %q", path, encoding, tag, other, taken)
				}
			}
			tags[encoding] = tag
			for _, condition := range [][]string{{}, {"If-None-Match", "*"}, {"If-None-Match", `"x", W/` + tag},
				{"If-Modified-Since", started.Add(time.Hour).Format(http.TimeFormat)},
				{"If-None-Match", tag, "If-Modified-Since", date}} {
				headers := append([]string{"Accept-Encoding", accept}, condition...)
				w := k.get(path, headers...)
				if k.sendsLikeNetHTTP(t, path, w, headers...) {
					laned++
				}
				if w.Code != http.StatusNotModified {
					continue
				}
				found++
				want := maps.Clone(whole.Header())
				maps.DeleteFunc(want, func(key string, _ []string) bool {
					return key == "Content-Type" || key == "Content-Length"
				})
				if w.Body.Len() > 0 || !reflect.DeepEqual(w.Header(), want) {
					t.Errorf("%s as %q with %q: %d bytes, %v, not %v",
						path, accept, condition, w.Body.Len(), w.Header(), want)
				}
			}
		}
		if compressed := tags["gzip"] != "" && tags["zstd"] != ""; strings.HasPrefix(content, "<") && !compressed {
			t.Errorf("%s is not compressed", path)
		}
	}
	if found < 280 || laned < 250 {
		t.Errorf("only %d answers were 304, and only %d from the lane", found, laned)
	}
	if w := k.get("/nowhere", "Accept-Encoding", "gzip"); w.Code != 404 || w.Header().Get("Etag") != "" {
		t.Errorf("an error: %d %v", w.Code, w.Header())
	}
}
