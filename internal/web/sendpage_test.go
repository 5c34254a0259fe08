package web

import (
	"net/http"
	"testing"
)

func TestPagesHaveValidatorsAndCompression(t *testing.T) {
	k := sited(t, oneHost())
	for _, path := range []string{"/", "/token/jewel", "/api", "/status", "/gallery?rarity=1", "/pet/7",
		"/assets/site.js"} {
		tags, whole := map[string]string{}, ""
		for _, accept := range []string{"identity", "gzip", "zstd"} {
			w := k.get(path, "Accept-Encoding", accept)
			encoding, tag := w.Header().Get("Content-Encoding"), w.Header().Get("Etag")
			if w.Code != 200 || encoding == "" != (accept == "identity") || w.Header().Get("Vary") != "Accept-Encoding" {
				t.Errorf("%s as %s: %d %v", path, accept, w.Code, w.Header())
			}
			if other, taken := tags[tag]; taken || len(tag) < 10 || tag[0] != '"' {
				t.Errorf("%s as %s: ETag %q, which %s has too", path, accept, tag, other)
			}
			tags[tag] = accept
			body := string(unpack(t, w.Result(), w.Body.Bytes()))
			if whole == "" {
				whole = body
			}
			if body != whole {
				t.Errorf("%s as %s is another page", path, accept)
			}
			again := k.get(path, "Accept-Encoding", accept, "If-None-Match", tag)
			if again.Code != http.StatusNotModified || again.Body.Len() != 0 {
				t.Errorf("%s as %s, held already: %d", path, accept, again.Code)
			}
			for _, key := range []string{"Etag", "Vary", "Cache-Control", "Content-Encoding", "Content-Security-Policy",
				"Access-Control-Allow-Origin"} {
				if was, is := w.Header().Get(key), again.Header().Get(key); was != is {
					t.Errorf("%s as %s: %s is %q in the 304, %q in the 200", path, accept, key, is, was)
				}
			}
		}
	}
	if w := k.get("/nowhere", "Accept-Encoding", "gzip"); w.Code != 404 || w.Header().Get("Etag") != "" {
		t.Errorf("an error: %d %v", w.Code, w.Header())
	}
}
