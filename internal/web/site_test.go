package web

import (
	"net/http"
	"testing"
)

func TestUncleanPathsDoNotReachTheSite(t *testing.T) {
	cfg := oneHost()
	mux := http.NewServeMux() // redirects to the clean form of a path
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) })
	cfg.Site = mux
	k := newKit(t, cfg)
	addr := listen(t, k, true)
	for path, want := range map[string]int{
		"/": 200, "/gallery": 200, "/gallery/": 200, "/a.b": 200, "/...": 200,
		"//": 404, "///": 404, "//supply/": 404, "//gallery": 404, "/gallery//": 404, "/gallery//x": 404,
		"/.": 404, "/..": 404, "/../etc/passwd": 404, "/a/../b": 404, "/a/./b": 404, "/%2e%2e/etc": 404, "/a/%2E": 404,
		"/%2e%2e%2fx/": 404, "/%2e%2e%2fx": 404, "/a%2f": 404, "/a%2f%2e%2e%2fb/": 404, "/%2fgallery": 404,
	} {
		_, resp, _ := scene{method: "GET", target: path, host: "localhost:8080"}.ask(t, addr, nil)
		if resp.StatusCode != want {
			t.Errorf("%s: %d, not %d", path, resp.StatusCode, want)
		}
	}
}
