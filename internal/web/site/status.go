package site

import (
	"context"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// A Status is the state of the service as the public may see it. It has the names of providers and
// webhooks, but not their addresses.
type Status struct {
	Version  string
	Started  time.Time
	Leader   string // "" if no instance leads
	Store    string // the engine of the store
	Problems []string
	Log      LogStatus
	Chains   []ChainStatus
	Realms   []RealmStatus
	Webhooks []WebhookStatus
}

// A WebhookStatus is the state of one receiver of events.
type WebhookStatus struct {
	Name      string
	Waiting   uint64
	Delivered time.Time // zero if never
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
	State         string // in words
	Height        uint64
	Seen          time.Time // time of the block at Height
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	Error         string // the last error, if it matters now
}

// A RealmStatus says how far the pets of a realm were read.
type RealmStatus struct {
	Name   string
	State  string // in words
	Pets   uint64
	Block  uint64 // the last block that was read
	Behind uint64 // blocks that were not read yet
}

// recentStatus returns a status that is at most a second old.
func (s *Site) recentStatus() Status {
	now := time.Now().Truncate(time.Second)
	return latest(&s.memory, "status", now.String(), func(context.Context) (Status, error) { return s.Status(), nil })
}

type statusView struct {
	Status
	Tokens    []tokenStatus
	Incidents []incident // newest first
	Statuses  []supply.Status
}

// A tokenStatus says how reliably a token is measured.
type tokenStatus struct {
	supply.State
	InTime string // share of the last statusDays days in which it was measured in time; "" if not known
}

// statusDays is the number of days that the status page covers.
const statusDays = 90

func (s *Site) status(q *answer.Request) (*page, error) {
	v := statusView{Status: s.recentStatus(), Statuses: []supply.Status{supply.Fresh, supply.Stale, supply.Held,
		supply.Withdrawn, supply.Unavailable, supply.Past, supply.Demo}}
	begin := q.At.AddDate(0, 0, -statusDays)
	for _, st := range s.Board.Now().States {
		line := tokenStatus{State: st}
		happened := s.incidents(st)
		if st.Snapshot != nil && s.Every > 0 {
			gaps := s.gaps(st, begin)
			line.InTime = s.inTime(st, gaps, begin)
			for _, g := range gaps {
				i := incident{
					Token: st.Token, Kind: "gap", Text: "No measurement was published.",
					At: g.From, Ended: g.To, Open: g.To.IsZero(),
				}
				happened = append(happened, i)
			}
		}
		v.Tokens = append(v.Tokens, line)
		v.Incidents = append(v.Incidents, happened...)
	}
	v.Incidents = slices.DeleteFunc(v.Incidents, func(i incident) bool { return !i.Open && i.At.Before(begin) })
	slices.SortStableFunc(v.Incidents, func(a, b incident) int { return b.At.Compare(a.At) })
	return &page{Template: "status", Title: "Status", Section: "status", Path: "/status", Live: true, View: v,
		Description: "Whether all figures are current, and what happened in the last 90 days."}, nil
}

// gaps returns a token's periods of more than s.Late without a published measurement. It reads them
// once an hour, and when the token's status changes.
func (s *Site) gaps(st supply.State, begin time.Time) []supply.Gap {
	version := fmt.Sprint(begin.Unix()/3600, st.Status)
	return latest(&s.memory, "gaps of "+st.Token.Path, version, func(ctx context.Context) ([]supply.Gap, error) {
		return s.History.Gaps(ctx, st.Token.Path, begin, s.Late)
	})
}

// inTime returns the share of the time since begin in which a token's figure was not late.
func (s *Site) inTime(st supply.State, gaps []supply.Gap, begin time.Time) string {
	end := st.Confirmed
	if first := s.past(st, homeDays).Begin; first.After(begin) {
		begin = first
	}
	if !end.After(begin) {
		return ""
	}
	lost := time.Duration(0)
	for _, g := range gaps {
		from := g.From.Add(s.Late)
		if from.Before(begin) {
			from = begin
		}
		to := g.To
		if to.IsZero() {
			to = end
		}
		lost += max(0, to.Sub(from))
	}
	whole := end.Sub(begin)
	return fmt.Sprintf("%.2f %%", 100*(1-lost.Seconds()/whole.Seconds()))
}
