package site

import (
	"context"
	"encoding/csv"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A span has a token's history over a length of time. It is kept until the token's snapshot
// changes, so that a page needs no query.
type span struct {
	points []supply.Point
	lines  *chart
	stack  *chart
	why    *explanation
	failed bool // the history could not be read
}

// spanDays are the lengths to choose from; 0 means all.
var spanDays = []int{7, 30, 90, 365, 0}

// spanTime is how long reading a history may take. Reading goes on after the end of the request
// that started it.
const spanTime = 5 * time.Second

// days returns the requested length: 0 for "all", and a month if it is not one of spanDays.
func days(r *http.Request) int {
	text := r.URL.Query().Get("days")
	if text == "all" {
		return 0
	}
	if n, err := strconv.Atoi(text); err == nil && n > 0 && slices.Contains(spanDays, n) {
		return n
	}
	return 30
}

// beginning returns the start of the span that ends at the snapshot and has this many days; 0 means
// all.
func beginning(st supply.State, days int) time.Time {
	if days == 0 {
		return time.UnixMilli(0).UTC()
	}
	return st.Snapshot.AsOf.AddDate(0, 0, -days)
}

// span returns a token's span. It reads the span once for all callers that wait. The span is empty
// if history cannot be read.
func (s *Site) span(ctx context.Context, st supply.State, days int) *span {
	key := fmt.Sprint(st.Token.Path, " ", days)
	if c, ok := s.spans.get(key, st.Snapshot.ID); ok {
		return c
	}
	made := s.reading.DoChan(key+" "+st.Snapshot.ID, func() (result any, _ error) {
		defer func() {
			if p := recover(); p != nil { // a panic here would end the process
				s.Log.Error("making a page's history panicked",
					"token", st.Token.Path, "error", p, "stack", string(debug.Stack()))
				result = &span{failed: true}
			}
		}()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), spanTime)
		defer cancel()
		out, err := s.readSpan(ctx, st, beginning(st, days), chartPoints)
		if err != nil {
			s.Log.Warn("reading history for a page failed", "token", st.Token.Path, "error", err)
			return &span{failed: true}, nil
		}
		out.lines, out.stack = draw(st.Token.Symbol, out.points, false), draw(st.Token.Symbol, out.points, true)
		if out.lines != nil {
			out.lines.Spark = out.lines.spark(out.points)
		}
		s.spans.keep(key, st.Snapshot.ID, out)
		return out, nil
	})
	select {
	case c := <-made:
		return c.Val.(*span)
	case <-ctx.Done():
		return &span{failed: true}
	}
}

// readSpan reads a span, without its charts.
func (s *Site) readSpan(ctx context.Context, st supply.State, from time.Time, points int) (*span, error) {
	list, err := s.History.History(ctx, st.Token.Path, from, st.Snapshot.AsOf, points)
	if err != nil {
		return nil, err
	}
	out := &span{points: list}
	right := correct(list) // figures that were wrong are not compared
	if len(list) < 2 || len(right) == 0 || st.Correction != nil || !right[0].AsOf.Before(st.Snapshot.AsOf) {
		return out, nil
	}
	if list[0].Correction != nil {
		from = right[0].AsOf
	}
	first, err := s.History.EvidenceAt(ctx, st.Token.Path, from)
	ev := st.Snapshot.Evidence
	if err == nil && ev != nil && first.AsOf.Before(ev.AsOf) && !wrongAt(list, first.AsOf) {
		out.why = explainChange(first, ev, right)
	} else {
		out.why = explainFigures(right[0], st.Snapshot.Point(), right)
	}
	return out, nil
}

// wrongAt reports whether the figures of that time were wrong.
func wrongAt(list []supply.Point, at time.Time) bool {
	return slices.ContainsFunc(list, func(p supply.Point) bool { return p.Correction != nil && p.AsOf.Equal(at) })
}

// csv serves the data of a chart, for spreadsheets.
func (s *Site) csv(w http.ResponseWriter, r *http.Request) {
	st, ok := s.Board.Now().State(r.PathValue("token"))
	if !ok || !st.Available() {
		s.serveNow(s.unmatched)(w, r)
		return
	}
	points := s.span(r.Context(), st, days(r))
	if points.failed {
		s.send(w, r, s.problem(r, errLater))
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Cache-Control", "no-cache")
	h.Set("Content-Disposition", `attachment; filename="`+st.Token.Path+`-supply.csv"`)
	out := csv.NewWriter(w)
	// The caller may be gone, so write errors do not matter.
	_ = out.Write([]string{"time", "total", "circulating", "burned", "locked", "reserved", "ledger", "snapshot",
		"correction"})
	for _, p := range points.points {
		wrong := ""
		if p.Correction != nil {
			wrong = p.Correction.Reason
		}
		_ = out.Write([]string{p.AsOf.UTC().Format(time.RFC3339), p.Total.String(), p.Circulating.String(),
			p.Burned.String(), p.Locked.String(), p.Reserved.String(), p.LedgerHash, p.Snapshot, wrong})
	}
	out.Flush()
}

const eventsTime = time.Second // how long reading events may take

// events returns the holds, releases and corrections of a token. The reason of a recent correction
// is followed by the figures that it changed. The list is read again when the token's state has
// changed. If reading fails, events returns the list that it read before. Other requests use the
// same list, so it must not be changed.
func (s *Site) events(ctx context.Context, st supply.State) []supply.Notice {
	kept, current := s.happened.get(st.Token.Path, stateID(st))
	if current {
		return kept
	}
	ctx, cancel := context.WithTimeout(ctx, eventsTime)
	defer cancel()
	list, err := s.History.Events(ctx, st.Token.Path)
	if err != nil {
		s.Log.Warn("reading events for a page failed", "token", st.Token.Path, "error", err)
		return kept
	}
	type correction struct {
		at     time.Time
		reason string
	}
	figures := map[correction]string{} // several snapshots can have the same correction
	for i := range slices.Backward(list) {
		e := &list[i]
		key := correction{e.At, e.Reason}
		words, read := figures[key]
		if e.Kind == supply.NoticeCorrected && !read && len(figures) < marksShown {
			words = s.corrected(ctx, st.Token.Path, e.Snapshot)
			figures[key] = words
		}
		if words != "" {
			e.Reason = strings.TrimSuffix(e.Reason, ".") + "." + words
		}
	}
	s.happened.keep(st.Token.Path, stateID(st), list)
	return list
}

// corrected returns the figures of a corrected snapshot and of the next one that is not corrected,
// in words. It returns "" if one of them cannot be read, or if the next one is more than twice
// s.Late later.
func (s *Site) corrected(ctx context.Context, token, snapshot string) string {
	was, err := s.Past.PublishedAt(ctx, token, supply.Moment{Snapshot: snapshot})
	if err != nil {
		return ""
	}
	list, err := s.History.History(ctx, token, was.AsOf, was.AsOf.Add(2*s.Late), chartPoints)
	i := slices.IndexFunc(list, func(p supply.Point) bool {
		return p.AsOf.After(was.AsOf) && p.Correction == nil
	})
	if err != nil || i < 0 {
		return ""
	}
	figures := func(p supply.Point) string {
		return fmt.Sprintf("%s: circulating %s, total %s.", minute(p.AsOf), whole(p.Circulating), whole(p.Total))
	}
	return " Published for " + figures(was) + " The next correct figures, for " + figures(list[i])
}

// An incident is something that happened to a token's figures.
type incident struct {
	Token   *ledger.Token
	Kind    string // hold, correction or gap; the css class of its mark
	What    string
	Reason  string // why the figure was held; "" for other kinds
	Since   time.Time
	Ended   time.Time // zero if it continues, or had no duration
	Outcome string
}

// incidents returns the incidents of a token, oldest first. A current hold is one of them even if
// the events could not be read.
func incidents(st supply.State, events []supply.Notice) []incident {
	var out []incident
	held := -1 // index of the hold that has not ended, or -1
	hold := func(at time.Time, reason string) {
		held = len(out)
		out = append(out, incident{Token: st.Token, Kind: "hold", What: "A figure was held: " + reason, Reason: reason,
			Since: at})
	}
	end := func(at time.Time, outcome string) {
		if held >= 0 {
			out[held].Ended, out[held].Outcome, held = at, outcome, -1
		}
	}
	for _, e := range events {
		correction := incident{Token: st.Token, Kind: "correction", Since: e.At}
		switch e.Kind {
		case supply.NoticeHeld:
			end(e.At, "another figure was held in its place")
			hold(e.At, e.Reason)
		case supply.NoticeReleased:
			end(e.At, e.Reason)
		case supply.NoticeCorrected:
			correction.What = "A figure was corrected: " + e.Reason
			out = append(out, correction)
		case supply.NoticeRestored:
			correction.What = "A correction was withdrawn: " + e.Reason
			out = append(out, correction)
		}
	}
	if h := st.Hold; h != nil {
		if held < 0 || !out[held].Since.Equal(h.Since) {
			hold(h.Since, h.Reason)
		}
		out[held].Outcome = "waiting"
	}
	return slices.Compact(out) // one correction of several snapshots is one incident
}

// heldAt describes the hold of a figure at an earlier time. It returns "" if no figure was held. The
// argument shown is the figure of that time by its blocks. It can be the held one, which was
// published later.
func heldAt(at time.Time, shown *supply.Snapshot, list []incident) string {
	for _, i := range slices.Backward(list) {
		if i.Kind != "hold" || !i.Ended.IsZero() && !at.Before(i.Ended) {
			continue
		}
		if !i.Ended.IsZero() && !shown.MeasuredAt.Before(i.Since) && !shown.MeasuredAt.After(i.Ended) {
			return "This figure was held, and not published until " + minute(i.Ended) + ": " + i.Reason
		}
		if !at.Before(i.Since) {
			return "At that moment a newer figure was held: " + i.Reason
		}
	}
	return ""
}

// marks returns the incidents of a token as events for its chart.
func marks(st supply.State, events []supply.Notice) []event {
	var out []event
	for _, i := range incidents(st, events) {
		out = append(out, event{i.Since, i.Kind, i.What})
		if i.Kind == "hold" && !i.Ended.IsZero() {
			out = append(out, event{i.Ended, "release", "The held figure was " + i.Outcome})
		}
	}
	return out
}
