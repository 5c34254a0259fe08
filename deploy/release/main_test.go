package main

import (
	"path"
	"regexp"
	"testing"
)

// TestLinks follows every relative link of the documents in an archive.
func TestLinks(t *testing.T) {
	files, err := (&release{source: "../.."}).documents("dir")
	if err != nil {
		t.Fatal(err)
	}
	packed := map[string]bool{}
	for _, f := range files {
		for name := f.name; name != "."; name = path.Dir(name) { // the file and its folders
			packed[name] = true
		}
	}
	link, seen := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`), 0
	for _, f := range files {
		if path.Ext(f.name) != ".md" {
			continue
		}
		for _, m := range link.FindAllStringSubmatch(string(f.data), -1) {
			seen++
			if to := path.Join(path.Dir(f.name), m[1]); !packed[to] {
				t.Errorf("%s links to %s, which is not in the archive", f.name, to)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d links were seen", seen)
	}
}

func TestBadReleases(t *testing.T) {
	for _, r := range []release{
		{date: "2026-01-31T12:00:00Z"},
		{version: "v1 -X", date: "2026-01-31T12:00:00Z"},
		{version: "v1", date: "today"},
	} {
		if err := r.run(t.Context(), nil); err == nil {
			t.Errorf("%+v was built", r)
		}
	}
}
