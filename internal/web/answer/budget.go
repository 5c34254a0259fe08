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

// change takes n more bytes for an address, or gives bytes back if n is negative. If they are not
// available, it takes nothing and returns false.
func (b *budget) change(holder netip.Addr, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	held := b.held[holder] + n
	if n > 0 && b.total > 0 && (b.used+n > b.total || held > b.share) {
		return false
	}
	b.used += n
	b.held[holder] = held
	if held == 0 {
		delete(b.held, holder)
	}
	return true
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
	if err := q.answerer.limiter.take(q, units); err != nil {
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
	if n == q.reserved {
		return true
	}
	if !a.budget.change(q.address(), n-q.reserved) {
		return false
	}
	q.reserved = n
	return true
}
