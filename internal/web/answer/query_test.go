package answer

import (
	"errors"
	"strings"
	"testing"
)

func FuzzBoolean(f *testing.F) {
	for _, s := range []string{"frame=true", "frame=FALSE", "frame=", "frame", "frame=maybe", "frame=true&frame=false",
		"frame=%74rue", "x=1&&frame=0", "%66rame=1", "frame=%zz", ";frame=1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q := Query{parameters: readParams(raw)}
		got := q.Boolean("frame", true)
		if q.Err != nil {
			if p, ok := errors.AsType[*Problem](q.Err); !ok || p.Status != 400 || p.Param != "frame" {
				t.Errorf("%q: the problem is %+v, want 400 for frame", raw, p)
			}
			return
		}
		if text, given := q.Text("frame"); given {
			want := text == "1" || strings.EqualFold(text, "true")
			if got != want || !want && text != "0" && !strings.EqualFold(text, "false") {
				t.Errorf("%q is taken for %v", text, got)
			}
		} else if !got {
			t.Errorf("%q: not given, but not the default", raw)
		}
	})
}
