package process

import (
	"strings"
	"sync"
)

// An Output has the output of a program. It can be read while the program runs. It keeps at least
// the last 16 MB.
type Output struct {
	mu   sync.Mutex
	text []byte
}

const keep = 16 << 20

func (o *Output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.text)+len(b) > 2*keep {
		o.text = append(o.text[:0], o.text[len(o.text)-keep:]...)
	}
	o.text = append(o.text, b...)
	return len(b), nil
}

func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// Tail returns the end of the output, for a message.
func (o *Output) Tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.TrimSpace(string(o.text[max(0, len(o.text)-4096):]))
}
