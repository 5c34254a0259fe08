package web

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// FuzzRequest sends anything that net/http can read. No request causes an internal error, and what the
// address of a figure answers is a number only if the status is 200.
func FuzzRequest(f *testing.F) {
	for _, s := range []string{
		"GET /supply/jewel HTTP/1.1\r\nHost: x\r\n\r\n",
		"GET /pets/image/1?frame=false&size=90 HTTP/1.1\r\nHost: x\r\nIf-None-Match: \"a\", W/\"b\"\r\n\r\n",
		"HEAD /pets/tokens?ids=1,2 HTTP/1.0\r\nAccept-Encoding: gzip;q=0.5, zstd;q=1.0, *;q=0\r\n\r\n",
		"GET http://elsewhere/supply/../pets/token/%31 HTTP/1.1\r\nHost: y\r\nIf-Modified-Since: Sun, 01 Nov 2026 " +
			"01:30:00 GMT\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 1.2.3.4, nonsense\r\n\r\n",
		"POST /supply/jewel HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc",
		"GET /pets/tokens?egg=1&rarity=mythic&cursor=x&limit=7 HTTP/1.1\r\nHost: x\r\nX-Request-Id: a b\r\n\r\n",
	} {
		f.Add(s)
	}
	for _, path := range []string{"jewel/totalsupply", "JADE/circulatingSupply/", "gold/totalsupply",
		"jewel/maxsupply?format=json", "jewel//totalsupply", "jewel/totalsupply?format=json&format=json"} {
		f.Add("GET /supply/" + path + " HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	number := regexp.MustCompile(`^\d+(\.\d+)?$`)
	figure := regexp.MustCompile(`(?i)supply/?$`)
	kits := []*kit{newKit(f, oneHost()), newKit(f, threeHosts())}
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range kits {
			r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(text)))
			if err != nil {
				return
			}
			w := httptest.NewRecorder()
			k.ServeHTTP(w, r)
			if w.Code >= 500 && w.Code != http.StatusServiceUnavailable ||
				w.Code/100 == 3 && w.Code != http.StatusNotModified {
				t.Errorf("%q: status %d, %s", text, w.Code, w.Body)
			}
			if w.Code == http.StatusServiceUnavailable && w.Header().Get("Retry-After") == "" {
				t.Errorf("%q: 503 without Retry-After", text)
			}
			isText := strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") && figure.MatchString(r.URL.Path)
			whole := r.Method == http.MethodGet && w.Code != http.StatusNotModified
			if isText && whole && (w.Code == http.StatusOK) != number.MatchString(w.Body.String()) {
				t.Errorf("%q: status %d does not fit the body %q", text, w.Code, w.Body)
			}
			if w.Header().Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("%q: no CORS", text)
			}
		}
	})
}
