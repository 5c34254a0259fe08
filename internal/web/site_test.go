package web

import "testing"

// Every path has one spelling: paths that could be spelled in another way are not redirected.
func TestUncleanPathsAreNotRedirected(t *testing.T) {
	k := sited(t, oneHost())
	addr := listen(t, k, true)
	for path, want := range map[string]int{
		"/": 200, "/gallery": 200, "/gallery/": 200, "/a.b": 404, "/...": 404,
		"//": 404, "///": 404, "//supply/": 404, "//gallery": 404, "/gallery//": 404, "/gallery//x": 404,
		"/.": 404, "/..": 404, "/../etc/passwd": 404, "/a/../b": 404, "/./gallery": 404, "/%2e%2e/etc": 404,
		"/gallery/%2E": 404, "/%2e%2e%2fx/": 404, "/%2e%2e%2fx": 404, "/gallery%2f": 404, "/a%2f%2e%2e%2fb/": 404,
		"/%2fgallery": 404, "/assets": 404, "/assets/": 404, "/assets/../site.go": 404, "/assets/..%2fsite.go": 404,
	} {
		_, resp, _ := scene{method: "GET", target: path, host: "localhost:8080"}.ask(t, addr, nil)
		if resp.StatusCode != want {
			t.Errorf("%s: %d, not %d", path, resp.StatusCode, want)
		}
	}
}
