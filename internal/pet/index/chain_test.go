package index

import "testing"

func TestWindow(t *testing.T) {
	for name, test := range map[string]struct{ widest uint64 }{
		"wide": {2000}, "narrow": {500}, "ten blocks": {10}, "single blocks": {1}, "no limit": {1 << 60},
	} {
		t.Run(name, func(t *testing.T) {
			w := window{blocks: 1024, ceiling: maxWindow}
			served, refused, blocks := 0, 0, uint64(0)
			for served < 1000 {
				asked := w.blocks
				if asked > test.widest {
					refused++
					w.refused(asked)
					continue
				}
				served++
				blocks += asked
				w.served(asked, 10)
			}
			if refused > 60 || blocks/uint64(served) < min(test.widest, maxWindow)/2 {
				t.Errorf("%s: %d refused, %d blocks a search", name, refused, blocks/uint64(served))
			}
			w.served(w.blocks, 10*manyLogs)
			if narrow := w.blocks; narrow > max(1, test.widest/2) && narrow > maxWindow/2 {
				t.Errorf("%s: many logs leave the width at %d", name, narrow)
			}
		})
	}
	w := window{blocks: 1024, ceiling: maxWindow}
	w.refused(20)
	for range 20 * ceilingSearches { // the node now allows more
		w.served(w.blocks, 0)
	}
	if w.blocks != maxWindow {
		t.Errorf("the window grows back to %d only", w.blocks)
	}
}
