package answer

import (
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// A Limit bounds the costly work that one address may ask for, through the interfaces and the
// site's pages together. Examples of costly work are drawing pictures, looking up pets that are not
// in memory, and listing pets. Prepared answers are not limited. The zero Limit is off.
type Limit struct {
	PerSecond float64        // milliseconds of CPU time
	Burst     int            // milliseconds that may be used at once; 0 means 2*PerSecond, but at least 10
	Trusted   []netip.Prefix // proxies whose X-Forwarded-For is trusted
	// SparePrivate exempts private and loopback addresses, which may belong to proxies that are not
	// in Trusted.
	SparePrivate bool
}

// maxCallers bounds the addresses that a limiter remembers.
const maxCallers = 1 << 15

// A limiter has a bucket of units for each address. A unit is a millisecond of CPU time. An address
// that it does not remember has a full bucket.
type limiter struct {
	Limit
	charged prometheus.Counter

	mu      sync.Mutex
	buckets map[netip.Addr]bucket
}

// A bucket had so many tokens at a time.
type bucket struct {
	tokens float64
	at     time.Time
}

func newLimiter(l Limit) *limiter {
	if l.Burst == 0 {
		l.Burst = max(int(2*l.PerSecond), 10)
	}
	return &limiter{Limit: l, buckets: map[netip.Addr]bucket{}, charged: prometheus.NewCounter(prometheus.CounterOpts{
		Name: "petsupply_http_charged_units_total",
		Help: "Costly work that callers were charged for, in units of about a millisecond of CPU.",
	})}
}

// take charges the address of q for this many units of costly work, or returns a 429.
func (l *limiter) take(q *Request, units float64) error {
	wait := l.spend(q.address(), q.At, units)
	if wait <= 0 {
		return nil
	}
	reset := seconds(wait + time.Second - 1)
	window := math.Ceil(float64(l.Burst) / l.PerSecond)
	return &Problem{
		Status: http.StatusTooManyRequests, Retry: wait, Reason: refusedRate,
		Detail: "too much costly work was requested from this address",
		headers: []field{
			newField("RateLimit-Policy", fmt.Sprintf(`"costly";q=%d;w=%d`, l.Burst, max(1, int(window)))),
			newField("RateLimit", `"costly";r=0;t=`+reset),
		},
	}
}

// ChargePeer is Request.Charge for a connection of the lane, without memory for a body. It reports false
// if the caller has no units left, or if peer is a trusted proxy, which does not pay itself.
func (a *Answerer) ChargePeer(peer net.Addr, now time.Time, units float64) bool {
	tcp, ok := peer.(*net.TCPAddr)
	if !ok {
		return false
	}
	addr := tcp.AddrPort().Addr().Unmap()
	return !a.limiter.trusts(addr) && a.limiter.spend(Network(addr), now, units) <= 0
}

// spend takes units from the bucket of the address a and returns 0. If the bucket has less than one
// unit, spend takes nothing and returns the time until it has one. If it has at least one unit,
// spend may take more than the bucket has, and the address then waits longer for the next unit. So
// even a costly request passes a small bucket. If the limit is off or spares the address, spend
// returns 0.
func (l *limiter) spend(a netip.Addr, now time.Time, units float64) time.Duration {
	if units <= 0 {
		return 0
	}
	if l.PerSecond <= 0 || l.SparePrivate && (a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast()) {
		l.charged.Add(units)
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	tokens := float64(l.Burst)
	if b, ok := l.buckets[a]; ok {
		tokens = l.tokensIn(b, now)
	} else {
		l.makeRoom(now)
	}
	if tokens < 1 {
		return time.Duration((1 - tokens) / l.PerSecond * float64(time.Second))
	}
	l.buckets[a] = bucket{tokens - units, now}
	l.charged.Add(units)
	return 0
}

// tokensIn returns how many tokens a bucket has now.
func (l *limiter) tokensIn(b bucket, now time.Time) float64 {
	gone := max(now.Sub(b.at), 0)
	return min(b.tokens+gone.Seconds()*l.PerSecond, float64(l.Burst))
}

// makeRoom makes room for one more bucket: it forgets buckets that are full again. If most of them
// are not, it forgets all. The caller holds mu.
func (l *limiter) makeRoom(now time.Time) {
	if len(l.buckets) < maxCallers {
		return
	}
	maps.DeleteFunc(l.buckets, func(_ netip.Addr, b bucket) bool { return l.tokensIn(b, now) >= float64(l.Burst) })
	if len(l.buckets) > maxCallers/2 {
		clear(l.buckets)
	}
}

// caller returns the address of the caller. Behind trusted proxies it is the last address in
// X-Forwarded-For that is not one of them. If none is found, it is the farthest known proxy.
func (l *limiter) caller(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	a := peer.Addr().Unmap()
	if !l.trusts(a) {
		return a
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return a
		}
		a = hop.Unmap().WithZone("")
		if !l.trusts(a) {
			return a
		}
	}
	return a
}

func (l *limiter) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(l.Trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// Network returns the address that pays for what the address a asks for. An IPv4 address pays for
// itself. All addresses of an IPv6 /64 pay together, because one customer usually has all of them.
func Network(a netip.Addr) netip.Addr {
	if a.Is6() && !a.IsLoopback() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}
