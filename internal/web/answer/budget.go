package answer

import (
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"
)

const (
	// maxBody is larger than any body that is made for one request, so that each of
	// them fits the share of an address.
	maxBody = 4 << 20
	// shares is how many addresses together can use the whole budget.
	shares = 16
	// streamMemory is about what a request over HTTP/2 takes beside its body.
	streamMemory = 16 << 10
)

// errFull is the refusal of a body for which no memory is left.
var errFull = &Problem{
	Status: http.StatusServiceUnavailable, Reason: refusedMemory, Retry: 5 * time.Second,
	Detail: "too many answers are waiting for their readers",
}

// A budget bounds the memory of bodies that were made for one request and are not
// yet taken by their client. A body is reserved before it is made and released when
// it is written. Bytes that all callers share do not count.
type budget struct {
	total, share int64

	mu   sync.Mutex
	used int64
	held map[netip.Addr]int64 // by address or network
}

// newBudget makes a budget of so many bytes; 0 means no limit.
func newBudget(total int64) *budget {
	return &budget{total: total, share: min(max(total/shares, maxBody), total), held: map[netip.Addr]int64{}}
}

// reserve takes n more bytes for an address, or none at all. The zero address, which
// is that of trusted proxies, has no share of its own.
func (b *budget) reserve(holder netip.Addr, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.held[holder] + n
	if n > 0 && b.total > 0 && (b.used+n > b.total || holder.IsValid() && held > b.share) {
		return false
	}
	b.add(holder, n)
	return true
}

// release gives n bytes back.
func (b *budget) release(holder netip.Addr, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.add(holder, -n)
}

// add changes what an address holds. The caller holds mu.
func (b *budget) add(holder netip.Addr, n int64) {
	b.used += n
	if held := b.held[holder] + n; held != 0 {
		b.held[holder] = held
	} else {
		delete(b.held, holder)
	}
}

// unsent returns how many bytes are reserved.
func (b *budget) unsent() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}

// Reserve sets memory aside for a body of at most n bytes, before it is made for this
// request alone. It is released when the answer was sent.
func (q *Request) Reserve(n int) error {
	if !q.answerer.resize(q, int64(n)) {
		return errFull
	}
	return nil
}

// resize makes n bytes what is reserved for the request. If there are not that many,
// it changes nothing.
func (a *Answerer) resize(q *Request, n int64) bool {
	more := n - q.reserved
	switch {
	case more < 0:
		a.budget.release(q.holder, -more)
	case more > 0:
		if q.reserved == 0 {
			q.holder = a.Limit.sharer(q.Request)
		}
		if !a.budget.reserve(q.holder, more) {
			return false
		}
	}
	q.reserved = n
	return true
}

// BeginStream reserves what a request over HTTP/2 takes beside its body. A connection
// has many of them, and even a refusal has to wait if its client takes nothing, so
// that beyond the budget the stream is reset instead. The caller calls end when the
// request was answered.
func (a *Answerer) BeginStream(r *http.Request) (end func(), ok bool) {
	holder := a.Limit.sharer(r)
	if !a.budget.reserve(holder, streamMemory) {
		a.refusals.count(refusedMemory)
		return nil, false
	}
	return func() { a.budget.release(holder, streamMemory) }, true
}

// Reserve sets memory aside for what a connection has not taken yet, and reports
// whether there is enough. Release gives it back.
func (a *Answerer) Reserve(remote net.Addr, n int) bool {
	return a.budget.reserve(a.Limit.sharerOf(remote), int64(n))
}

// Release gives back what Reserve set aside.
func (a *Answerer) Release(remote net.Addr, n int) {
	a.budget.release(a.Limit.sharerOf(remote), int64(n))
}

// Unsent returns how many bytes are reserved now.
func (a *Answerer) Unsent() int64 { return a.budget.unsent() }
