package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A progress tells every few seconds how far long work has come, with its rate
// and the time left. It may be called from many goroutines.
type progress struct {
	mu    sync.Mutex
	out   io.Writer
	what  string
	total int // 0 if it is not known
	count int
	began time.Time
	shown time.Time
}

func newProgress(out io.Writer, what string, total int) *progress {
	now := time.Now()
	return &progress{out: out, what: what, total: total, began: now, shown: now}
}

// add counts n more, and shows it when it is time to.
func (p *progress) add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count += n
	if time.Since(p.shown) < 5*time.Second {
		return
	}
	p.shown = time.Now()
	spent := p.shown.Sub(p.began)
	fmt.Fprintf(p.out, "%s: %d, %.0f a second", p.what, p.count, float64(p.count)/spent.Seconds())
	if p.total > p.count && p.count > 0 {
		left := spent * time.Duration(p.total-p.count) / time.Duration(p.count)
		fmt.Fprintf(p.out, ", %d to go, %v left", p.total-p.count, left.Round(time.Second))
	}
	fmt.Fprintln(p.out)
}

// done shows the end.
func (p *progress) done() {
	fmt.Fprintf(p.out, "%s: %d in %v\n", p.what, p.count, time.Since(p.began).Round(time.Millisecond))
}
