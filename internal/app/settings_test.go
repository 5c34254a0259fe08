package app

import (
	"path/filepath"
	"testing"
)

func TestDataDirectory(t *testing.T) {
	for name, test := range map[string]struct {
		asked string
		env   map[string]string
		want  string // "" means an error
	}{
		"the given one": {"/srv/data", map[string]string{"HOME": "/home/a"}, "/srv/data"},
		"XDG":           {"", map[string]string{"HOME": "/home/a", "XDG_DATA_HOME": "/var/a"}, "/var/a/petsupply"},
		"relative XDG": {"", map[string]string{"HOME": "/home/a", "XDG_DATA_HOME": "a"},
			"/home/a/.local/share/petsupply"},
		"Windows": {"", map[string]string{"LOCALAPPDATA": "/Users/a/AppData/Local"},
			"/Users/a/AppData/Local/petsupply"},
		"nothing is known": {"", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := dataDirectory(test.asked, func(key string) string { return test.env[key] })
			if filepath.ToSlash(got) != test.want || (err == nil) != (test.want != "") {
				t.Errorf("%q, %v; want %q", got, err, test.want)
			}
		})
	}
}
