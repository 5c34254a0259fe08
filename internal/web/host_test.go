package web

import "testing"

func TestAddresses(t *testing.T) {
	for _, c := range []Config{
		{SupplyURL: "localhost", PetsURL: "http://a/p", SiteURL: "http://a"},
		{SupplyURL: "http://a/s?x=1", PetsURL: "http://a/p", SiteURL: "http://a"},
		{SupplyURL: "http://a/p", PetsURL: "http://a/P/", SiteURL: "http://a"},
		{SupplyURL: "ftp://a/s", PetsURL: "http://a/p", SiteURL: "http://a"},
	} {
		c.Log = newKit(t, oneHost()).answerer.Log
		if _, err := New(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	cfg := Config{SupplyURL: "http://h:1", PetsURL: "http://h:2", SiteURL: "http://h:3/deep/site"}
	k := newKit(t, cfg)
	for host, want := range map[string]int{"h:1": 0, "H:2": 1, "h:3": 2, "h": -1, "h:4": -1, "x": -1, "": -1} {
		if got := k.answerer.Host(host); got != want {
			t.Errorf("%q is host %d, not %d", host, got, want)
		}
	}
}
