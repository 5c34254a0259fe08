//go:build soak

package main

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// TestPaint measures how long the largest part of a page takes to show on a processor slowed four
// times. The limit is a second, unless the machine is so busy that an almost empty page takes long
// as well.
func TestPaint(t *testing.T) {
	x := openUncached(t, chrome(t), phone)
	r := start(t, "--data", t.TempDir())
	send(x, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: 4})
	shown := func(path string) float64 {
		x.visit(r.site + path)
		return js[float64](x, `new Promise(done => new PerformanceObserver(l => done(l.getEntries().at(-1).startTime))
			.observe({ type: "largest-contentful-paint", buffered: true }))`)
	}
	for _, l := range sitePages {
		for try := 1; ; try++ {
			plain := shown("/nowhere")
			took := shown(l.path)
			if took <= max(1000, 4*plain) {
				t.Logf("%s: %.0f ms, a plain page %.0f ms", l.name, took, plain)
				break
			}
			if try == 5 {
				t.Errorf("the largest part of %s shows after %.0f ms, want 1000; a plain page takes %.0f",
					l.name, took, plain)
				break
			}
		}
	}
}
