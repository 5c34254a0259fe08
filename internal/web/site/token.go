package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	artcard "petsupply/internal/art/card"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A tokenPage explains one token's figures.
type tokenPage struct {
	tokenCard
	Days    int
	Stacked bool
	Spans   []choice
	From    time.Time // of the chart
	Verdict []fact
	Sums    []step
	Bridges []bridgeLine
	Rows    []row
	Chains  []chainLine
	Ledgers []ledgerVersion
	Formula string
	Proven  bool   // some entry is
	Verify  string // the commands that recompute the figure
	Chooser chooser
}

// A choice is one of several addresses of this page.
type choice struct {
	Name, Link string
	Now        bool
}

// spanChoices are the lengths of time that a page can show, in the chart's mode: those
// that are shorter than the history, and all of it.
func spanChoices(now int, mode string, history time.Duration) []choice {
	var out []choice
	for _, n := range spanDays {
		if n != now && time.Duration(n)*24*time.Hour >= history && n != 0 {
			continue
		}
		name, value := fmt.Sprint(n, " days"), strconv.Itoa(n)
		switch n {
		case 365:
			name = "1 year"
		case 0:
			name, value = "All", "all"
		}
		if mode != "" {
			value += "&mode=" + mode
		}
		out = append(out, choice{name, "?days=" + value, n == now})
	}
	return out
}

type chainLine struct {
	supply.Block
	Explorer string
}

func (s *Site) token(r *http.Request) (*page, error) {
	st, ok := s.Board.Now().State(strings.ToLower(r.PathValue("token")))
	if !ok {
		return nil, fmt.Errorf("token page: %w", supply.ErrNotFound)
	}
	if at, err := s.at(r); err != nil {
		return nil, err
	} else if !at.IsZero() {
		return s.tokenPast(r, st, at)
	}
	return &page{
		template: "token", Title: st.Token.Name + " supply", Section: st.Token.Path, Data: s.tokenPage(r, st), Live: true,
		Card: &card{Title: st.Token.Symbol + " supply", URL: s.SiteURL + "/token/" + st.Token.Path,
			Image: s.SupplyURL + "/" + st.Token.Path + "/card.png", Width: artcard.Width, Height: artcard.Height,
			Description: "Total and circulating supply of " + st.Token.Name + ", entry by entry, and how to recompute it."},
	}, nil
}

// tokenPage finds what the page of a token shows.
func (s *Site) tokenPage(r *http.Request, st supply.State) tokenPage {
	d := days(r)
	t := tokenPage{
		tokenCard: s.tokenCard(r, st, d), Days: d, Formula: supply.Formula, Ledgers: ledgerVersions(st.Ledger),
	}
	mode := ""
	if t.Stacked = r.URL.Query().Get("mode") == stacked; t.Stacked {
		mode = stacked
	}
	if st.Available() {
		if all := s.span(r.Context(), st, 0).points; len(all) > 0 {
			t.Spans = spanChoices(d, mode, st.Snapshot.AsOf.Sub(all[0].AsOf))
		}
	}
	t.Chooser = s.choose(r.Context(), st, time.Time{})
	if st.Available() && st.Snapshot.Evidence != nil {
		s.explain(&t, st.Snapshot.Evidence)
		t.Bridges = s.bridges(st.Snapshot.Evidence)
	} else {
		for _, e := range st.Token.Ledger {
			t.Rows = append(t.Rows, s.row(e))
		}
	}
	k := s.assuranceOf(r.Context(), st)
	for i := range t.Rows {
		t.Rows[i].Known = s.how(k, t.Rows[i].Entry)
	}
	if st.Available() {
		t.From, t.Verdict, t.Sums = beginning(st, d), s.verdict(st, k, t.Rows), sums(st.Snapshot.Figures)
		t.Chart = t.Chart.with(marks(st, s.events(r.Context(), st)))
	}
	if t.Proven = slices.ContainsFunc(t.Rows, func(r row) bool { return r.Known == proven }); t.Proven {
		address := s.SupplyURL + "/" + st.Token.Path
		t.Verify = "curl -s " + address + "/evidence -o evidence.json; curl -s " + address + "/proof -o proof.json\n" +
			"petsupply verify evidence.json proof.json"
	}
	return t
}

// tokenPast shows a token as it was.
func (s *Site) tokenPast(r *http.Request, st supply.State, at time.Time) (*page, error) {
	past, err := st.StateAt(r.Context(), s.Past, supply.Moment{At: at})
	if early, ok := errors.AsType[*supply.BeforeFirst](err); ok {
		return nil, tooEarly(early.First.At)
	}
	if err != nil {
		return nil, err
	}
	doc := past.Document()
	return &page{
		template: "past", Title: st.Token.Name + " supply at " + at.Format(time.DateTime), Section: st.Token.Path,
		Data: pastPage{
			Name: st.Token.Name, Doc: &doc, Chooser: s.choose(r.Context(), st, at),
			Source: fmt.Sprintf("%s/%s?at=%d", s.SupplyURL, st.Token.Path, at.Unix()),
		},
	}, nil
}

// choose is the chooser of a token's page. It spans what was published.
func (s *Site) choose(ctx context.Context, st supply.State, at time.Time) chooser {
	c := chooser{Page: "/token/" + st.Token.Path, At: at}
	if st.Snapshot != nil {
		c.From, c.To = s.firstPublished(ctx, st.Token.Path), st.Snapshot.AsOf
	}
	return c
}

// firstPublished is when a token's figures were first published, zero where that
// cannot be said now. It never changes, so it is asked for once.
func (s *Site) firstPublished(ctx context.Context, token string) time.Time {
	if first, ok := s.firsts.get(token, token); ok {
		return first
	}
	_, err := s.Past.PublishedAt(ctx, token, supply.Moment{At: time.Unix(0, 0)})
	early, ok := errors.AsType[*supply.BeforeFirst](err)
	if !ok {
		return time.Time{}
	}
	s.firsts.keep(token, token, early.First.At)
	return early.First.At
}

// explain fills in what was measured and how.
func (s *Site) explain(t *tokenPage, ev *supply.Evidence) {
	nodes := ""
	for _, c := range ev.Chains {
		link := s.explorer(c.Chain, "block", strconv.FormatUint(c.Number, 10))
		t.Chains = append(t.Chains, chainLine{c, link})
		nodes += fmt.Sprintf(" --rpc %d=URL", c.ChainID)
	}
	for i, x := range ev.Entries {
		r := s.row(x.Entry)
		r.Amount, r.Counted, r.ID = &x.Amount, x.Counted, rowID(i)
		if len(x.Return) > 0 {
			r.Call, r.Return = x.Calldata.String(), x.Return.String()
		}
		t.Rows = append(t.Rows, r)
	}
	t.Verify = fmt.Sprintf(
		"curl -s %s/%s/evidence -o evidence.json\npetsupply verify evidence.json%s", s.SupplyURL, ev.Token, nodes)
}

// A ledgerVersion is one version of a ledger and how it differs from the one
// before.
type ledgerVersion struct {
	ledger.Version
	InUse   bool // the published figure was made by it
	Pending bool // its first figure is held
	First   bool // there is none before it

	Added, Removed, Changed []string // labels of entries
	Rules                   []string // what else changed
}

// ledgerVersions lists the versions of a ledger, newest first.
func ledgerVersions(doc ledger.Document) []ledgerVersion {
	if doc.Hash == "" {
		return nil
	}
	var out []ledgerVersion
	if doc.Pending != nil {
		out = append(out, ledgerVersion{Version: *doc.Pending, Pending: true})
	}
	out = append(out, ledgerVersion{Version: doc.Version, InUse: true})
	for _, v := range doc.Earlier {
		out = append(out, ledgerVersion{Version: v})
	}
	for i := range out[:len(out)-1] {
		out[i].compare(out[i+1].Version)
	}
	out[len(out)-1].First = true
	return out
}

// compare says what came, went and changed since the version before.
func (v *ledgerVersion) compare(before ledger.Version) {
	old, now := byLabel(before.Entries), byLabel(v.Entries)
	for _, e := range v.Entries {
		if was, ok := old[e.Label]; !ok {
			v.Added = append(v.Added, e.Label)
		} else if published(was) != published(e) {
			v.Changed = append(v.Changed, e.Label)
		}
	}
	for _, e := range before.Entries {
		if _, ok := now[e.Label]; !ok {
			v.Removed = append(v.Removed, e.Label)
		}
	}
	if v.Decimals != before.Decimals {
		v.Rules = append(v.Rules, "decimals")
	}
	if limit(v.MaxSupply) != limit(before.MaxSupply) {
		v.Rules = append(v.Rules, "maximum supply, from "+limit(before.MaxSupply)+" to "+limit(v.MaxSupply))
	}
	if !maps.EqualFunc(v.Bridges, before.Bridges, func(a, b ledger.Bridge) bool {
		return a.Count == b.Count && limit(a.Slack) == limit(b.Slack)
	}) {
		v.Rules = append(v.Rules, "how bridges are counted")
	}
}

func byLabel(entries []ledger.Entry) map[string]ledger.Entry {
	out := map[string]ledger.Entry{}
	for _, e := range entries {
		out[e.Label] = e
	}
	return out
}

// published is an entry as it is compared: by its public form.
func published(e ledger.Entry) string {
	text, _ := json.Marshal(e) // an entry always has a JSON form
	return string(text)
}

func limit(a *ledger.Amount) string {
	if a == nil {
		return "none"
	}
	return a.String()
}
