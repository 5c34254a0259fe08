package answer

import (
	"net/http"
	"net/netip"
	"sync"
	"time"
)

const (
	// maxBody is larger than any body that is made for one request, so each of them fits into the
	// share of an address.
	maxBody = 4 << 20
	// shares limits one address to 1/shares of the budget, or to maxBody if that is more.
	shares = 16
)

// errFull refuses a body that the budget has no memory for.
var errFull = &Problem{
	Status: http.StatusServiceUnavailable, Reason: refusedMemory, Retry: 5 * time.Second,
	Detail: "too many callers have not read their answers yet",
}

// A budget bounds the memory of bodies that were made for one request and that their client has not
// taken yet. Memory is reserved before a body is made, and released when the body is written. Bytes
// that all callers share do not count.
type budget struct {
	total, share int64 // bytes for all addresses, and for one; a total of 0 means no limit

	mu   sync.Mutex
	used int64                // bytes reserved by all addresses
	held map[netip.Addr]int64 // bytes reserved, by address or network
}

// newBudget makes a budget of total bytes; 0 means no limit.
func newBudget(total int64) *budget {
	return &budget{total: total, share: min(max(total/shares, maxBody), total), held: map[netip.Addr]int64{}}
}

// reserve takes n more bytes for an address. If they are not available, it takes nothing and
// returns false. The zero address stands for trusted proxies and unknown addresses. Only the total
// limits them.
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

// add changes the number of bytes that an address holds. The caller holds mu.
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

// Pay charges the caller for an answer with n items, as the table of routes says, and reserves memory
// for its body: see Charge.
func (q *Request) Pay(n int) error {
	c := q.Route.Cost
	return q.Charge(c.Units+float64(n)*c.UnitsEach, c.Bytes+n*c.BytesEach)
}

// Charge takes this many units of costly work from the caller's address, and reserves memory for a
// body of at most this many bytes. It returns an error if the address has no units left or if there
// is too little memory. The memory is released after the answer is sent.
func (q *Request) Charge(units float64, bytes int) error {
	if err := q.answerer.Limit.take(q, units); err != nil {
		return err
	}
	if bytes > 0 && !q.answerer.resize(q, int64(bytes)) {
		return errFull
	}
	return nil
}

// resize changes the memory reserved for the request to n bytes. If there is not enough, it changes
// nothing and returns false.
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
