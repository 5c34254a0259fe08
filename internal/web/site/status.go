package site

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/supply"
)

// A Status is the state of the service as the public may see it. It has the names of providers, but
// not their addresses.
type Status struct {
	Version string
	Started time.Time
	Leader  string // "" if no instance leads, or if this is a frozen copy
	Leading bool   // this instance is the leader
	Store   string // the engine of the store: sqlite or postgres
	// StoreLost says that the file of the store was removed or replaced while it was in use.
	StoreLost bool
	Log       LogStatus
	Chains    []ChainStatus
	Realms    []RealmStatus
	Barren    bool // all realms were read, and no pet was found
	// Webhooks are the receivers of events.
	Webhooks []WebhookStatus
}

// A WebhookStatus is the state of one receiver of events. It has the receiver's name, but not its
// address.
type WebhookStatus struct {
	Name      string
	Waiting   uint64        // events after its places in the feeds; it may not want all of them
	Delivered time.Time     // when it last accepted an event; zero if never
	Failing   time.Duration // how long it has accepted no event although some wait, as far as this instance knows
	Ended     bool          // it answered 410 and gets no more events
	Aside     uint64        // events that were set aside, because it refused them for a day
}

// A LogStatus is the state of the log; zero if there is none.
type LogStatus struct {
	Size            uint64
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

// A ProviderStatus is the state of one node.
type ProviderStatus struct {
	Name          string
	State         string // ok, backoff, open, unconfirmed
	Height        uint64
	Seen          time.Time // time of the block at Height
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	// Error is the last error. But if State is "ok", Error says which old blocks the node could not
	// read lately, or is "" if there were none.
	Error string
}

// Asked reports whether the provider was asked at all.
func (p ProviderStatus) Asked() bool { return p.Height > 0 || p.Latency > 0 || p.Errors > 0 }

// Doing describes the provider's state in words.
func (p ProviderStatus) Doing() string {
	return cmp.Or(map[string]string{"backoff": "pausing", "open": "not answering", "unconfirmed": "left out"}[p.State],
		p.State)
}

// Asked reports whether any provider of the chain was asked.
func (c ChainStatus) Asked() bool { return slices.ContainsFunc(c.Providers, ProviderStatus.Asked) }

// Top returns the provider with the newest block.
func (c ChainStatus) Top() (top ProviderStatus) {
	for _, p := range c.Providers {
		if p.Height > top.Height {
			top = p
		}
	}
	return top
}

// Behind returns how many blocks a provider is behind the newest block.
func (c ChainStatus) Behind(p ProviderStatus) uint64 { return c.Top().Height - p.Height }

// Healthy returns how many providers answer.
func (c ChainStatus) Healthy() (n int) {
	for _, p := range c.Providers {
		if p.State == "ok" {
			n++
		}
	}
	return n
}

// Enough reports whether enough providers answer for a quorum. Before the first provider is asked,
// it reports true.
func (c ChainStatus) Enough() bool { return !c.Asked() || c.Healthy() >= c.Quorum }

// A RealmStatus says how far the pets of a realm were read.
type RealmStatus struct {
	Name    string
	Closed  bool
	Phase   string // natives, guests, away, verify, follow; "" if this instance does not index it
	Pets    uint64
	Block   uint64        // the last block that was read
	Head    uint64        // the newest final block
	Share   float64       // progress of Phase, 0 to 100; 0 in the phase "follow" or if not known
	Rate    float64       // pets that were read per second lately
	Left    time.Duration // time left for Phase; 0 if not known
	Aside   int           // pets that cannot be read
	Misfit  string        // why the contract does not fit the collection; "" if it fits, as far as known
	Failing bool          // the last step failed and will be tried again
	Still   time.Duration // how long nothing new of the realm could be read, if that is too long; otherwise 0
	Every   time.Duration // time between two readings in the phase "follow"; otherwise 0
}

// Behind returns how many final blocks were not read yet.
func (r RealmStatus) Behind() uint64 { return max(r.Head, r.Block) - r.Block }

// Doing describes in words what the realm's indexer does.
func (r RealmStatus) Doing() string {
	if r.Closed {
		return "closed, no longer read"
	}
	if r.Phase == "" && r.Block == 0 {
		return "not read yet"
	}
	if r.Failing && r.Phase == "follow" {
		return "reading failed"
	}
	return cmp.Or(map[string]string{
		"natives": "first reading",
		"guests":  "first reading, guests",
		"away":    "first reading, guests",
		"verify":  "checking",
		"follow":  "up to date",
	}[r.Phase], "stored")
}

// statusKept is how long one status is used for pages.
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

// recentStatus returns the last status, or reads a new one if the last is older than a second.
// Reading a status queries the store, so requests share it. While one request reads a new status,
// others get the last one, however old it is.
func (s *Site) recentStatus() Status {
	k, last := &s.kept, s.kept.last.Load()
	if last != nil && (time.Since(last.at) < statusKept || !k.reading.TryLock()) {
		return last.Status
	}
	if last == nil {
		k.reading.Lock()
	}
	defer k.reading.Unlock()
	if other := k.last.Load(); other != last { // another request has read a new status while this one waited
		return other.Status
	}
	now := &madeStatus{Status: s.Status(), at: time.Now()}
	k.last.Store(now)
	return now.Status
}

type statusPage struct {
	Status
	Tokens    []tokenStatus
	Incidents []incident // newest first
	Problems  []string   // in words
	Every     string     // how often tokens are measured, "" if they are not
	Late      string     // a figure older than this was not measured in time
}

// A tokenStatus says how reliably a token is measured.
type tokenStatus struct {
	supply.State
	Next   time.Time // when it is measured next; zero if it is not measured
	InTime string    // share of the last statusDays days in which it was measured in time; "" if not known
}

// statusDays is the number of days that the status page covers.
const statusDays = 90

func (s *Site) status(r *http.Request) (*page, error) {
	d := statusPage{Status: s.recentStatus()}
	states := s.Board.Now().States
	for _, st := range states {
		line, happened := tokenStatus{State: st}, incidents(st, s.events(r.Context(), st))
		now := s.clock(st)
		if st.Snapshot != nil && s.Every > 0 {
			var gaps []supply.Gap
			gaps, line.InTime = s.lateTimes(r.Context(), st, now)
			line.Next = st.Confirmed.Add(s.Every)
			happened = append(happened, gapIncidents(st, gaps, happened)...)
		}
		old := func(i incident) bool { return i.Since.Before(now.AddDate(0, 0, -statusDays)) && !i.Ended.IsZero() }
		d.Tokens, d.Incidents = append(d.Tokens, line), append(d.Incidents, slices.DeleteFunc(happened, old)...)
	}
	slices.SortStableFunc(d.Incidents, func(a, b incident) int { return b.Since.Compare(a.Since) })
	if s.Every > 0 {
		d.Every, d.Late = often(s.Every), length(s.Late)
	}
	d.Problems = d.problems(states, s.chainName, s.say("{many}"))
	return &page{template: "status", Title: "Status", Section: "status", Data: d, Live: true}, nil
}

// clock returns the current time for a token. In a demo, whose clock can stand still, it is the
// time at which the figure was last confirmed.
func (s *Site) clock(st supply.State) time.Time {
	if s.Demo && st.Snapshot != nil {
		return st.Confirmed
	}
	return time.Now()
}

// lateTimes returns a token's gaps in the last statusDays days, and the share of these days in
// which its figure was not late. A gap is a time of more than s.Late without a published
// measurement. inTime is "" if the store cannot be read. lateTimes reads the store once an hour,
// and when the token's status changes.
func (s *Site) lateTimes(ctx context.Context, st supply.State, now time.Time) (gaps []supply.Gap, inTime string) {
	begin, first := now.AddDate(0, 0, -statusDays), s.firstPublished(ctx, st.Token.Path)
	version := fmt.Sprint(now.Unix()/3600, st.Status)
	gaps, current := s.gaps.get(st.Token.Path, version)
	if !current {
		read, err := s.History.Gaps(ctx, st.Token.Path, begin, s.Late)
		if err != nil || first.IsZero() {
			return nil, ""
		}
		gaps = read
		s.gaps.keep(st.Token.Path, version, gaps)
	}
	if now.Sub(st.Confirmed) > s.Late {
		gaps = append(slices.Clone(gaps), supply.Gap{From: st.Confirmed}) // the gap continues
	}
	if first.After(begin) {
		begin = first
	}
	lost, whole := time.Duration(0), max(now.Sub(begin), time.Second)
	for _, g := range gaps {
		from, to := g.From.Add(s.Late), g.To
		if from.Before(begin) {
			from = begin
		}
		if to.IsZero() {
			to = now
		}
		lost += max(0, to.Sub(from))
	}
	return gaps, decimal(int64(10_000*(1-lost.Seconds()/whole.Seconds())), 2) + "%"
}

// gapIncidents returns an incident for each gap, except for gaps in which a hold began. The
// argument others has the token's other incidents, such as holds.
func gapIncidents(st supply.State, gaps []supply.Gap, others []incident) (out []incident) {
	for _, g := range gaps {
		held := func(i incident) bool {
			return i.Kind == "hold" && i.Since.After(g.From) && (g.To.IsZero() || i.Since.Before(g.To))
		}
		if !slices.ContainsFunc(others, held) {
			out = append(out, incident{Token: st.Token, Kind: "gap", What: "No measurement was published.", Since: g.From,
				Ended: g.To})
		}
	}
	return out
}

// problems describes the current problems.
func (d *statusPage) problems(states []supply.State, name func(chain string) string, many string) []string {
	var out []string
	if d.StoreLost {
		out = append(out, "The store's file was removed or replaced. Answers come from memory, and nothing new is saved.")
	}
	for _, st := range states {
		switch st.Status {
		case supply.Stale:
			out = append(out, st.Token.Symbol+" has not been measured for a while. Its last good figure is shown.")
		case supply.Withdrawn:
			out = append(out, "The figure of "+st.Token.Symbol+" is withdrawn: "+reason(st.Correction.Reason))
		case supply.Unavailable:
			out = append(out, "There is no reliable figure of "+st.Token.Symbol+" at the moment.")
		}
		if h := st.Hold; h != nil {
			out = append(out, fmt.Sprintf("A new figure of %s has been held since %s: %s "+
				"The last good figure is shown until the new one is confirmed or released.",
				st.Token.Symbol, minute(h.Since), reason(h.Reason)))
		}
		if r := st.Rejected; r != nil {
			out = append(out, fmt.Sprintf("Measurements of %s have been rejected since %s: %s",
				st.Token.Symbol, minute(r.Since), reason(r.Reason)))
		}
	}
	for _, c := range d.Chains {
		if !c.Enough() {
			out = append(out, "Too few providers of "+name(c.Name)+" are answering.")
		}
	}
	for _, w := range d.Webhooks {
		if w.Ended {
			out = append(out, "Webhook "+w.Name+" has ended: its receiver asked for no more events.")
		}
		if w.Aside > 0 {
			out = append(out, fmt.Sprintf("Webhook %s refused events for a day. %d were set aside.", w.Name, w.Aside))
		}
	}
	for _, r := range d.Realms {
		if r.Misfit != "" {
			out = append(out, fmt.Sprintf("The contract of %s does not fit the collection: %s", r.Name, sentence(r.Misfit)))
		}
		if r.Still > 0 {
			out = append(out, fmt.Sprintf("%s has not been read for %s. Its %s are shown as they were before.", r.Name,
				length(r.Still), many))
		} else if r.Failing && r.Misfit == "" {
			out = append(out, "Reading "+r.Name+" failed. It will be tried again.")
		}
		if r.Aside > 0 {
			out = append(out, fmt.Sprintf(
				"%d %s of %s cannot be read. They are tried again; the others are not delayed.", r.Aside, many, r.Name))
		}
	}
	if d.Barren {
		out = append(out, fmt.Sprintf("No %s were found. Either none exist yet, or a realm is configured differently from "+
			"its contract.", many))
	}
	return out
}
