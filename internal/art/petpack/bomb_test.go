package petpack

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestAManifestThatGrowsIsRefused: a small pack.json cannot cause much memory or work.
func TestAManifestThatGrowsIsRefused(t *testing.T) {
	const most = 300 << 20 // bytes that reading 512 kB may take, garbage included
	list := func(head, value, tail string) string {
		n := (maxManifest - len(head) - len(tail) - len(value)) / (len(value) + 1)
		return head + strings.Repeat(value+",", n) + value + tail
	}
	var many []string
	for i := range 2000 {
		many = append(many, fmt.Sprintf("pet/%d.png", i))
	}
	for name, test := range map[string]struct{ manifest, want string }{
		"lists in lists":     {head + `"slots":` + strings.Repeat("[", 400_000), "max depth"},
		"objects in objects": {head + `"slots":[` + strings.Repeat(`[{"a":`, 60_000), "max depth"},
		"long lists":         {list(head+`"delays":[`, "20", "]}"), "delays"},
		"slots":              {list(head+`"slots":[`, "{}", "]}"), "slots"},
		"patterns": {head + `"slots":[{"name":"pet","files":[` + strings.Repeat(`"pet/{egg}.png",`, 25_000) +
			`"pet/{egg}.png"]}]}`, "patterns"},
		"patterns of many files": {head + `"slots":[{"name":"pet","files":[` + strings.Repeat(`"pet/{egg}.png",`, 50) +
			`"pet/{egg}.png"]}]}`, "layers"},
		"values": {strings.Replace(head, `"common"`, strings.Repeat(`"a",`, 60_000)+`"b"`, 1) +
			`"slots":[]}`, "values: rarity"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := packOf(test.manifest, many...)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := NewSource(tree).Manifest(traits)
			runtime.ReadMemStats(&after)
			took := (after.TotalAlloc - before.TotalAlloc) >> 20
			if err == nil || !strings.Contains(err.Error(), test.want) || took > most>>20 {
				t.Errorf("%d MB and %.300v", took, err)
			}
		})
	}
}
