package answer

import (
	"testing"
	"time"
)

func TestNotModified(t *testing.T) {
	at := time.Date(2026, 11, 1, 1, 30, 0, 0, time.UTC)
	for _, c := range []struct {
		tags, since string
		want        bool
	}{
		{"", "", false}, {`"a"`, "", true}, {`W/"a"`, "", true}, {`"b"`, "", false}, {`"b", "a"`, "", true},
		{`"b","a"`, "", true},
		{"*", "", true}, {" * ", "", true}, {"*x", "", false}, {"a", "", false}, {`"a`, "", false},
		{`w/"a"`, "", false}, {`"b", a, "a"`, "", false},
		{`"x,y", "a"`, "", true}, {`,, "a"`, "", true},
		{"", "Sun, 01 Nov 2026 01:30:00 GMT", true}, {"", "Sun, 01 Nov 2026 01:29:59 GMT", false},
		{"", "Sunday, 01-Nov-26 01:30:00 GMT", true},
		{"", "Sun Nov  1 01:30:00 2026", true}, {"", "now", false}, {`"b"`, "Sun, 01 Nov 2026 01:30:00 GMT", false},
	} {
		t.Run(c.tags+" since "+c.since, func(t *testing.T) {
			e := Entry{status: 200, ETag: []byte(`"a"`), Modified: at}
			if got := e.NotModified(c.tags, c.since); got != c.want {
				t.Errorf("tags %q, since %q: not modified is %v", c.tags, c.since, got)
			}
		})
	}
	undated := Entry{status: 200}
	if undated.NotModified("", "Sun, 01 Nov 2026 01:30:00 GMT") {
		t.Error("a representation without a date is unchanged since one")
	}
}
