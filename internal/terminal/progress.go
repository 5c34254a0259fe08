package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// A Progress shows the progress of long work: on a terminal a bar, elsewhere a line every few
// seconds. It is safe for use by many goroutines.
type Progress struct {
	mu    sync.Mutex
	out   io.Writer
	what  string
	total int // 0 if it is not known
	count int
	began time.Time
	shown time.Time
	live  bool // on a terminal
}

const (
	barWidth  = 30
	barEvery  = 100 * time.Millisecond
	lineEvery = 5 * time.Second
)

// NewProgress returns a Progress at the start of the work. The argument what names the counted
// things. total is 0 if it is not known.
func NewProgress(out io.Writer, what string, total int) *Progress {
	if e, ok := out.(Escaper); ok && Is(out) {
		out = e.Writer // an Escaper would escape the control characters of a bar
	}
	now := time.Now()
	return &Progress{out: out, what: what, total: total, began: now, shown: now, live: Is(out)}
}

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	if e, ok := stream.(Escaper); ok {
		stream = e.Writer
	}
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Add adds n to the count, and shows the count unless it was shown a moment ago.
func (p *Progress) Add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count += n
	every := lineEvery
	if p.live {
		every = barEvery
	}
	if now := time.Now(); now.Sub(p.shown) >= every {
		p.shown = now
		p.show(now)
	}
}

// Done shows that the work is complete, and returns the count.
func (p *Progress) Done() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total = p.count
	p.show(time.Now())
	if p.live {
		fmt.Fprintln(p.out)
	}
	return p.count
}

func (p *Progress) show(now time.Time) {
	var b strings.Builder
	if p.live {
		b.WriteString("\r\x1b[K")
		if p.total > 0 {
			full := min(barWidth*p.count/p.total, barWidth)
			fmt.Fprintf(&b, "[%s%s] ", strings.Repeat("#", full), strings.Repeat(".", barWidth-full))
		}
	}
	fmt.Fprintf(&b, "%s: %d", p.what, p.count)
	if p.total > p.count {
		fmt.Fprintf(&b, " of %d", p.total)
	}
	fmt.Fprintf(&b, ", %v", now.Sub(p.began).Round(time.Millisecond))
	if !p.live {
		b.WriteByte('\n')
	}
	io.WriteString(p.out, b.String())
}
