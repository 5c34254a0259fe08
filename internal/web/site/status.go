package site

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/supply"
)

// A Status is how the service is doing, in words fit for the public: providers
// have names here, never addresses.
type Status struct {
	Version string
	Started time.Time
	Leader  string // "" where nobody leads, or nobody has to
	Leading bool   // this instance does
	Store   string // the engine
	// StoreLost: the file of the store was removed or replaced while it was in use.
	StoreLost bool
	Log       LogStatus
	Chains    []ChainStatus
	Realms    []RealmStatus
	Barren    bool // all realms were read, and no pet was found
	// Webhooks are those that are told what changes.
	Webhooks []WebhookStatus
}

// A WebhookStatus is how far a receiver has come; it has a name here, never an
// address.
type WebhookStatus struct {
	Name      string
	Waiting   uint64        // events that it has not taken
	Delivered time.Time     // the last one; zero: none yet
	Failing   time.Duration // for which it has taken none though some wait, as far as this instance knows
	Ended     bool          // it answered 410 and gets no more events
	Aside     uint64        // events that it refused for a day
}

// A LogStatus is the log of what is published; zero where there is none.
type LogStatus struct {
	Size            int64
	Checkpoint, Key string
}

// A ChainStatus is one chain and its providers.
type ChainStatus struct {
	Name      string
	ID        uint64
	Quorum    int
	Finality  string
	Providers []ProviderStatus
}

// A ProviderStatus is one node that is asked.
type ProviderStatus struct {
	Name          string
	State         string // ok, backoff, open
	Height        uint64
	Seen          time.Time // of that block
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	Error         string // the last one, while it is not ok
}

// Asked says whether it was asked at all.
func (p ProviderStatus) Asked() bool { return p.Height > 0 || p.Latency > 0 || p.Errors > 0 }

// Doing words its state.
func (p ProviderStatus) Doing() string {
	return cmp.Or(map[string]string{"backoff": "given a rest", "open": "silent", "unconfirmed": "left out"}[p.State], p.State)
}

// Asked says whether any of them was asked.
func (c ChainStatus) Asked() bool { return slices.ContainsFunc(c.Providers, ProviderStatus.Asked) }

// Top is the newest block that any provider reported.
func (c ChainStatus) Top() (top ProviderStatus) {
	for _, p := range c.Providers {
		if p.Height > top.Height {
			top = p
		}
	}
	return top
}

// Behind is how many blocks a provider is behind the first.
func (c ChainStatus) Behind(p ProviderStatus) uint64 { return c.Top().Height - p.Height }

// Healthy is how many providers answer.
func (c ChainStatus) Healthy() (n int) {
	for _, p := range c.Providers {
		if p.State == "ok" {
			n++
		}
	}
	return n
}

// Enough says whether as many answer as must agree.
func (c ChainStatus) Enough() bool { return !c.Asked() || c.Healthy() >= c.Quorum }

// A RealmStatus is how far the pets of a realm are known.
type RealmStatus struct {
	Name    string
	Closed  bool
	Phase   string // natives, guests, verify, follow; "" where another instance indexes it, or nobody has to
	Pets    uint64
	Block   uint64
	Head    uint64
	Share   float64 // of a bootstrap, 0 to 100
	Rate    float64 // pets a second
	Left    time.Duration
	Aside   int           // pets that cannot be read
	Misfit  string        // why its contract cannot be served as the collection says; "" if nothing is known
	Failing bool          // the last step went wrong and is tried again
	Still   time.Duration // for which it has not got on, 0 while that is no matter
}

// Behind is how many final blocks are not followed yet.
func (r RealmStatus) Behind() uint64 { return max(r.Head, r.Block) - r.Block }

// Doing says what its indexer does.
func (r RealmStatus) Doing() string {
	if r.Closed {
		return "closed: it stays as it was"
	}
	return cmp.Or(map[string]string{
		"natives": "reading its own",
		"guests":  "reading its guests",
		"away":    "reading its guests",
		"verify":  "checking what was read",
		"follow":  "following",
	}[r.Phase], "stored")
}

// statusKept is how long pages are made from one status.
const statusKept = time.Second

// A keptStatus is the status that was read last. Its zero value is ready.
type keptStatus struct {
	last    atomic.Pointer[madeStatus]
	reading sync.Mutex
}

type madeStatus struct {
	Status
	at time.Time
}

// recentStatus returns how the service was doing within the last second. Reading it
// asks the store, so pages do not do it for each request. While it is read again,
// the last one goes on answering.
func (s *Site) recentStatus() Status {
	k, last := &s.kept, s.kept.last.Load()
	if last != nil && (time.Since(last.at) < statusKept || !k.reading.TryLock()) {
		return last.Status
	}
	if last == nil {
		k.reading.Lock()
	}
	defer k.reading.Unlock()
	if other := k.last.Load(); other != last { // read while this one waited
		return other.Status
	}
	now := &madeStatus{Status: s.Status(), at: time.Now()}
	k.last.Store(now)
	return now.Status
}

type statusPage struct {
	Status
	States   []supply.State
	Holds    []hold
	Problems []string // what is not as it should be
}

func (s *Site) status(r *http.Request) (*page, error) {
	d := statusPage{Status: s.recentStatus(), States: s.Board.Now().States}
	d.Holds = s.recentHolds(r.Context(), d.States)
	d.Problems = d.problems(s.chainName, s.say("{many}"))
	return &page{template: "status", Title: "Status", Section: "status", Data: d, Live: true}, nil
}

// problems lists in words what is not as it should be.
func (d *statusPage) problems(name func(chain string) string, many string) []string {
	var out []string
	if d.StoreLost {
		out = append(out, "The file of the store was removed or replaced. What is in memory is served; nothing new is kept.")
	}
	for _, st := range d.States {
		switch st.Status {
		case supply.Stale:
			out = append(out, st.Token.Symbol+" has not been measured for a while; its last good figure is served.")
		case supply.Withdrawn:
			out = append(out, "The figure of "+st.Token.Symbol+" is withdrawn: "+st.Correction.Reason)
		case supply.Unavailable:
			out = append(out, st.Token.Symbol+" has no figure that we would stand by.")
		}
		if h := st.Hold; h != nil {
			out = append(out, fmt.Sprintf("A new figure of %s has been held since %s: %s. "+
				"It waits until it is confirmed or released; the last good one is served.",
				st.Token.Symbol, minute(h.Since), h.Reason))
		}
		if r := st.Rejected; r != nil {
			out = append(out, fmt.Sprintf("The newest measurement of %s was rejected, as others since %s: %s.",
				st.Token.Symbol, minute(r.Since), r.Reason))
		}
	}
	for _, c := range d.Chains {
		if !c.Enough() {
			out = append(out, "Too few providers of "+name(c.Name)+" answer to agree on anything.")
		}
	}
	for _, w := range d.Webhooks {
		if w.Ended {
			out = append(out, "Webhook "+w.Name+" has ended: its receiver wants no more events.")
		}
		if w.Aside > 0 {
			out = append(out, fmt.Sprintf("Webhook %s refused events for a day; %d set aside.", w.Name, w.Aside))
		}
	}
	for _, r := range d.Realms {
		if r.Misfit != "" {
			out = append(out, fmt.Sprintf("The contract of %s does not fit the collection: %s.", r.Name, r.Misfit))
		}
		if r.Still > 0 {
			out = append(out, fmt.Sprintf("%s stands still: its %s are as they were %s ago.", r.Name, many, r.Still))
		} else if r.Failing && r.Misfit == "" {
			out = append(out, "Following "+r.Name+" stumbled; it is tried again.")
		}
		if r.Aside > 0 {
			out = append(out, fmt.Sprintf(
				"%d %s cannot be read in %s; they are asked for again, and nobody waits for them.", r.Aside, many, r.Name))
		}
	}
	if d.Barren {
		out = append(out, fmt.Sprintf("No %s were found. None exist yet, or a realm is not described as its contract is.", many))
	}
	return out
}
