package site

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

// A past has a token's figures over a length of time that ends with its snapshot.
type past struct {
	Points []supply.Point // oldest first, also those that were wrong
	Chart  *chart         // nil if there is too little to draw
	Why    *why           // nil if nothing can be compared
	Begin  time.Time      // the token's first figure
}

// A span is a length of time that a token's page can show.
type span struct {
	Name, Value string
	Days        int // 0 means all
	Now         bool
}

var spans = []span{{Name: "7 days", Value: "7", Days: 7}, {Name: "30 days", Value: "30", Days: 30},
	{Name: "90 days", Value: "90", Days: 90}, {Name: "1 year", Value: "365", Days: 365}, {Name: "All", Value: "all"}}

// days reads the requested length of time.
func days(q *answer.Request) int {
	text, _ := q.Query().Text("days")
	for _, s := range spans {
		if s.Value == text {
			return s.Days
		}
	}
	if text != "" {
		q.Query().Fail("days", "not 7, 30, 90, 365 or all")
	}
	return homeDays
}

// past returns the figures of a token over some days. It reads them once for each snapshot.
func (s *Site) past(st supply.State, days int) *past {
	key := fmt.Sprintf("%s, %d days", st.Token.Path, days)
	version := fmt.Sprint(st.Snapshot.ID, st.Correction)
	p := latest(&s.memory, key, version, func(ctx context.Context) (*past, error) { return s.readPast(ctx, st, days) })
	if p == nil {
		return new(past)
	}
	return p
}

func (s *Site) readPast(ctx context.Context, st supply.State, days int) (*past, error) {
	from := time.Unix(0, 0)
	if days > 0 {
		from = st.Snapshot.AsOf.AddDate(0, 0, -days)
	}
	out := &past{Begin: st.Snapshot.AsOf}
	all, err := s.History.History(ctx, st.Token.Path, time.Unix(0, 0), st.Snapshot.AsOf, 2)
	if err != nil {
		return nil, err
	}
	if len(all) > 0 {
		out.Begin = all[0].AsOf
	}
	out.Points, err = s.History.History(ctx, st.Token.Path, from, st.Snapshot.AsOf, chartPoints)
	if err != nil {
		return nil, err
	}
	right := slices.DeleteFunc(slices.Clone(out.Points), func(p supply.Point) bool { return p.Correction != nil })
	happened := slices.DeleteFunc(s.incidents(st), func(i incident) bool { return i.Open }) // shown beside the figures
	for i := 1; i < len(right); i++ {
		if right[i-1].LedgerHash != right[i].LedgerHash {
			happened = append(happened, incident{At: right[i].AsOf, Kind: "ledger", Text: "The ledger changed."})
		}
	}
	out.Chart = draw(right, happened)
	if out.Chart == nil || st.Correction != nil {
		return out, nil
	}
	then, err := s.History.EvidenceAt(ctx, st.Token.Path, right[0].AsOf)
	if err != nil || !then.AsOf.Equal(right[0].AsOf) {
		then = nil // the change is then explained by bucket
	}
	out.Why = explain(right[0].Snapshot, st.Snapshot, then, st.Snapshot.Evidence)
	return out, nil
}

// csv serves the data of a chart, for spreadsheets.
func (s *Site) csv(q *answer.Request) (*answer.Response, error) {
	st, ok := s.Board.Now().State(strings.ToLower(q.Args[0]))
	if !ok || !st.Available() {
		return nil, answer.NotFound("no such token")
	}
	n := days(q)
	if q.Query().Err != nil {
		return nil, q.Query().Err
	}
	var b strings.Builder
	out := csv.NewWriter(&b) // writing to memory cannot fail
	_ = out.Write([]string{
		"time", "total", "circulating", "burned", "locked", "reserved", "ledger", "snapshot", "correction",
	})
	for _, p := range s.past(st, n).Points {
		wrong := ""
		if p.Correction != nil {
			wrong = p.Correction.Reason
		}
		_ = out.Write([]string{p.AsOf.UTC().Format(time.RFC3339), p.Total.String(), p.Circulating.String(),
			p.Burned.String(), p.Locked.String(), p.Reserved.String(), p.LedgerHash, p.ID, wrong})
	}
	out.Flush()
	r := &answer.Response{Media: "text/csv; charset=utf-8", Body: []byte(b.String()), Compress: true,
		Cache: q.Route.Cache}
	r.SetHeader("Content-Disposition", `attachment; filename="`+st.Token.Path+`-supply.csv"`)
	return r, nil
}

// An incident is something that happened to a token's figures.
type incident struct {
	Token *ledger.Token
	Kind  string // hold, correction, gap or ledger
	Text  string
	At    time.Time
	Ended time.Time // zero if it continues, or had no duration
	Open  bool      // it continues
}

// incidents returns the holds and corrections of a token, oldest first. The last one may be open.
func (s *Site) incidents(st supply.State) (out []incident) {
	version := fmt.Sprint(st.Status, st.Correction)
	if st.Snapshot != nil {
		version += st.Snapshot.ID
	}
	if st.Hold != nil {
		version += st.Hold.Candidate.ID
	}
	read := func(ctx context.Context) ([]supply.Notice, error) { return s.History.Events(ctx, st.Token.Path) }
	events := latest(&s.memory, "events of "+st.Token.Path, version, read)
	end := func(at time.Time, how string) {
		if n := len(out); n > 0 && out[n-1].Open {
			out[n-1].Open = false
			out[n-1].Ended = at
			out[n-1].Text += " " + sentence(how)
		}
	}
	for _, e := range events {
		i := incident{Token: st.Token, Kind: "correction", At: e.At}
		switch e.Kind {
		case supply.NoticeHeld:
			end(e.At, "another figure was held in its place")
			i.Kind = "hold"
			i.Open = true
			i.Text = "A figure was held: " + sentence(e.Reason)
		case supply.NoticeReleased:
			end(e.At, e.Reason)
			continue
		case supply.NoticeCorrected:
			i.Text = "A figure was corrected: " + sentence(e.Reason)
		case supply.NoticeRestored:
			i.Text = "A correction was withdrawn: " + sentence(e.Reason)
		default:
			continue
		}
		out = append(out, i)
	}
	out = slices.Compact(out) // one correction of several snapshots is one incident
	if n := len(out); n > 0 && st.Hold == nil {
		out[n-1].Open = false // its end could not be read
	}
	if n := len(out); st.Hold != nil && (n == 0 || !out[n-1].Open) { // its beginning could not be read
		out = append(out, incident{Token: st.Token, Kind: "hold", At: st.Hold.Since, Open: true,
			Text: "A figure was held: " + sentence(st.Hold.Reason)})
	}
	return out
}
