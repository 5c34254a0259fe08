package answer

import "testing"

func TestCutSegments(t *testing.T) {
	for path, want := range map[string]string{
		"/deep/site": "/", "/deep/site/": "/", "/deep/site/gallery/x": "/gallery/x", "/DEEP/Site/a": "/a",
	} {
		t.Run(path, func(t *testing.T) {
			if got := cutSegments(path, 2); got != want {
				t.Errorf("%s, not %s", got, want)
			}
		})
	}
}
