package site

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A tokenPage explains one token's figures, as they are or as they were.
type tokenPage struct {
	tokenCard
	Figures   []headline
	Days      int
	Stacked   bool
	Spans     []choice
	Forms     []choice
	From      time.Time // start of the chart
	Facts     []fact
	Sums      []step
	Bridges   []bridgeLine
	Rows      []row
	Contracts []contract
	Chains    []chainLine
	Ledgers   []ledgerVersion
	Proven    bool   // at least one entry is proven
	Verify    string // the commands that recompute the figure
	Chooser   chooser

	Since    *explanation // on a page of the past: the changes since then
	Held     string       // on a page of the past: the hold at that time
	Moment   string       // on a page of the past: the query to add to API addresses
	Provided bool         // on every chain, several providers had to agree
}

// A headline is one of the figures at the top of the page.
type headline struct {
	Name   string
	Amount *ledger.Amount
	Notes  []string
}

// A contract says what the token is on a chain: an ERC-20 contract, or the gas token.
type contract struct {
	Chain    string
	Address  string // "" for the gas token, which has no contract
	Explorer string
	Decimals int // -1 if not read yet
}

// A choice is a link that a page offers. The field Now marks the choice that is in effect on this
// page.
type choice struct {
	Name, Link string
	Now        bool
}

// spanChoices returns links to the lengths of time that a page can show: all lengths shorter than
// the history, the whole history, and the length that the page shows now. The links keep the rest
// of the page's query.
func spanChoices(now int, query url.Values, history time.Duration) []choice {
	var out []choice
	for _, n := range spanDays {
		if n != now && n != 0 && time.Duration(n)*24*time.Hour >= history {
			continue
		}
		name, value := fmt.Sprint(n, " days"), strconv.Itoa(n)
		switch n {
		case 365:
			name = "1 year"
		case 0:
			name, value = "All", "all"
		}
		out = append(out, choice{name, with(query, "days", value), n == now})
	}
	return out
}

// with returns the address of this page with another value of a query parameter. The value ""
// removes the parameter.
func with(query url.Values, name, value string) string {
	q := url.Values{}
	maps.Copy(q, query)
	if q.Del(name); value != "" {
		q.Set(name, value)
	}
	return "?" + q.Encode()
}

type chainLine struct {
	supply.Block
	Explorer string
}

func (s *Site) token(r *http.Request) (*page, error) {
	st, ok := s.Board.Now().State(strings.ToLower(r.PathValue("token")))
	if !ok {
		return nil, fmt.Errorf("finding the token of a page: %w", supply.ErrNotFound)
	}
	at, err := s.at(r)
	if err != nil {
		return nil, err
	}
	if !at.IsZero() {
		return s.tokenPast(r, st, at)
	}
	t := s.tokenPage(r, st, "")
	if st.Available() {
		t.tokenCard = s.tokenCard(r, st, t.Days)
		t.Chart = t.Chart.with(marks(st, s.events(r.Context(), st)))
		t.choices(r, st.Snapshot.AsOf.Sub(s.firstPublished(r.Context(), st.Token.Path)))
		t.Figures = headlines(st.Snapshot, s.span(r.Context(), st, homeDays).why)
	}
	t.Chooser = s.choose(r, st, time.Time{})
	return &page{
		template: "token", Title: st.Token.Name + " supply", Section: st.Token.Path, Data: t, Live: true,
		Card: &card{Title: st.Token.Symbol + " supply", URL: s.SiteURL + "/token/" + st.Token.Path,
			Description: "Circulating, total and maximum supply of " + st.Token.Name + ", entry by entry."},
	}, nil
}

// tokenPage returns the content of a token's page, except its history. The argument moment is for
// the field Moment; it is "" on the current page.
func (s *Site) tokenPage(r *http.Request, st supply.State, moment string) tokenPage {
	t := tokenPage{
		tokenCard: tokenCard{State: st, StateID: stateID(st), Doc: st.Document()}, Days: days(r), Moment: moment,
		Stacked: r.URL.Query().Get("mode") == stacked, Ledgers: ledgerVersions(st.Ledger),
	}
	if st.Available() && st.Snapshot.Evidence != nil {
		s.explain(&t, st.Snapshot.Evidence)
		t.Bridges = s.bridges(st.Snapshot.Evidence)
	} else {
		entries := st.Token.Ledger
		if moment != "" && len(st.Ledger.Entries) > 0 {
			entries = st.Ledger.Entries
		}
		var unread []supply.EvidenceEntry
		for _, e := range entries {
			t.Rows = append(t.Rows, s.row(e))
			unread = append(unread, supply.EvidenceEntry{Entry: e, Decimals: -1})
		}
		t.Contracts = s.contracts(unread)
	}
	k := s.assuranceOf(r.Context(), st, moment != "")
	for i := range t.Rows {
		if st.Available() || t.Rows[i].Entry.Amount != nil { // without a figure, only declared amounts are known
			t.Rows[i].Known = s.how(k, t.Rows[i].Entry)
		}
	}
	if st.Available() {
		t.Shares, t.From = shares(st.Snapshot.Figures), beginning(st, t.Days)
		t.Facts, t.Sums = s.facts(st, k, t.Rows), sums(st.Snapshot.Figures)
	}
	t.Provided = !s.Demo && s.quorum() > 1
	if t.Proven = slices.ContainsFunc(t.Rows, func(r row) bool { return r.Known == proven }); t.Proven {
		address := "curl -s '" + s.SupplyURL + "/" + st.Token.Path
		t.Verify = address + "/evidence" + moment + "' -o evidence.json\n" + address + "/proof" + moment +
			"' -o proof.json\npetsupply verify evidence.json proof.json"
	}
	return t
}

// choices sets the links that change the form of the chart and the length of time that it shows.
func (t *tokenPage) choices(r *http.Request, history time.Duration) {
	query := url.Values{"days": {"all"}}
	if t.Days > 0 {
		query.Set("days", strconv.Itoa(t.Days))
	}
	if at := r.URL.Query().Get("at"); at != "" {
		query.Set("at", at)
	}
	t.Forms = []choice{{"Lines", with(query, "mode", ""), !t.Stacked},
		{"Stacked", with(query, "mode", stacked), t.Stacked}}
	if t.Stacked {
		query.Set("mode", stacked)
	}
	t.Spans = spanChoices(t.Days, query, history)
}

// headlines returns the three figures that visitors look for. With an explanation, the notes of the
// circulating and the total supply also say how much they changed.
func headlines(n *supply.Snapshot, why *explanation) []headline {
	circulating := headline{"Circulating", &n.Circulating, []string{percent(n.Circulating, n.Total) + " of the total"}}
	total := headline{Name: "Total", Amount: &n.Total}
	limit := headline{"Maximum", n.Max, []string{"declared by the project", "a larger measured total is rejected"}}
	if n.Max != nil {
		total.Notes = []string{percent(n.Total, *n.Max) + " of the maximum (" + whole(n.Max.Sub(n.Total)) + "\u00a0left)"}
	} else {
		limit.Notes = []string{"no limit is declared"}
	}
	if why != nil {
		since := func(from, to ledger.Amount) string { return change(from, to) + " in " + why.Days() }
		circulating.Notes = append(circulating.Notes, since(why.Before.Circulating, why.After.Circulating))
		total.Notes = append(total.Notes, since(why.Before.Total, why.After.Total))
	}
	return []headline{circulating, total, limit}
}

// tokenPast shows a token as it was, and the changes since then. It reads the store for each
// request, and charges for it.
func (s *Site) tokenPast(r *http.Request, now supply.State, at time.Time) (*page, error) {
	if wait := s.Charge(r, pastCost); wait > 0 {
		return nil, limited(wait)
	}
	st, err := now.StateAt(r.Context(), s.Past, supply.Moment{At: at})
	if early, ok := errors.AsType[*supply.BeforeFirst](err); ok {
		return nil, s.tooEarly("/token/"+now.Token.Path, early.First)
	}
	if err != nil {
		return nil, err
	}
	if ev, err := s.History.EvidenceAt(r.Context(), st.Token.Path, st.Snapshot.AsOf); err == nil &&
		ev.AsOf.Equal(st.Snapshot.AsOf) {
		st.Snapshot.Evidence = ev // stays nil if the evidence is no longer kept
	}
	t := s.tokenPage(r, st, "?at="+strconv.FormatInt(at.Unix(), 10))
	// The page can be shown without its chart.
	if over, err := s.readSpan(r.Context(), st, beginning(st, t.Days), pastPoints); err == nil {
		t.Chart, t.Why = draw(st.Token.Symbol, over.points, t.Stacked), over.why
		events := slices.DeleteFunc(slices.Clone(s.events(r.Context(), now)),
			func(n supply.Notice) bool { return n.At.After(at) })
		t.Chart = t.Chart.with(marks(supply.State{Token: st.Token}, events))
		t.choices(r, st.Snapshot.AsOf.Sub(s.firstPublished(r.Context(), st.Token.Path)))
	}
	t.Figures, t.Since = headlines(st.Snapshot, t.Why), since(st, now)
	t.Held = heldAt(at, st.Snapshot, incidents(now, s.events(r.Context(), now)))
	t.Chooser = s.choose(r, now, at)
	return &page{template: "token", Title: st.Token.Name + " supply at " + when(at),
		Section: st.Token.Path, Past: true, Data: t}, nil
}

// pastCost is the additional cost of a token's page of the past, in milliseconds of CPU time.
const pastCost = 3

// since explains the changes from an earlier state to the current one. It returns nil if there is
// no figure now, or if the earlier one was wrong.
func since(then, now supply.State) *explanation {
	switch {
	case !now.Available(), then.Correction != nil:
		return nil
	case then.Snapshot.Evidence != nil && now.Snapshot.Evidence != nil:
		return explainChange(then.Snapshot.Evidence, now.Snapshot.Evidence, nil)
	}
	return explainFigures(then.Snapshot.Point(), now.Snapshot.Point(), nil)
}

// choose returns the chooser of a token's page. It offers all times from the first published figure
// to the newest. It keeps the form of the chart.
func (s *Site) choose(r *http.Request, st supply.State, at time.Time) chooser {
	c := chooser{Page: "/token/" + st.Token.Path, Title: "Figures for", At: at, Keep: r.URL.Query()}
	maps.DeleteFunc(c.Keep, func(name string, _ []string) bool { return name != "days" && name != "mode" })
	if st.Snapshot != nil {
		c.From, c.To = s.firstPublished(r.Context(), st.Token.Path), st.Snapshot.AsOf
	}
	return c
}

// firstPublished returns the asOf of a token's first published figures, or zero if it is
// not known now. This time never changes, so it is read once.
func (s *Site) firstPublished(ctx context.Context, token string) time.Time {
	if first, ok := s.firsts.get(token, token); ok {
		return first
	}
	_, err := s.Past.PublishedAt(ctx, token, supply.Moment{At: time.Unix(0, 0)})
	early, ok := errors.AsType[*supply.BeforeFirst](err)
	if !ok {
		return time.Time{}
	}
	s.firsts.keep(token, token, early.First)
	return early.First
}

// explain adds the blocks, entries and contracts of the evidence, and the commands that verify it.
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
			r.Return = x.Return.String()
			if len(x.Calldata) > 0 {
				r.Call = x.Calldata.String()
			}
		}
		t.Rows = append(t.Rows, r)
	}
	t.Contracts = s.contracts(ev.Entries)
	t.Verify = fmt.Sprintf(
		"curl -s '%s/%s/evidence%s' -o evidence.json\npetsupply verify evidence.json%s", s.SupplyURL, ev.Token, t.Moment,
		nodes)
}

// contracts returns what the token is on each chain, as far as the ledger says it. Readers add these
// contracts to their wallets, so contracts that are only asked for a number are not among them. On a
// chain where the token is the gas token, an ERC-20 whose balances are read only wraps it.
func (s *Site) contracts(entries []supply.EvidenceEntry) (list []contract) {
	gas := map[string]bool{} // chains where the token is the gas token
	issues := func(e ledger.Entry) bool { return e.ERC20 != "" && e.Holder == "" && e.Bucket == ledger.Issued }
	for _, x := range entries {
		gas[x.Entry.Chain] = gas[x.Entry.Chain] || x.Entry.Whole().Native != ""
	}
	for _, x := range entries {
		if issues(x.Entry) { // some gas tokens also have a contract
			gas[x.Entry.Chain] = false
		}
	}
	for _, x := range entries {
		e, c := x.Entry, contract{Chain: x.Entry.Chain, Decimals: -1}
		switch {
		case gas[e.Chain]:
		case issues(e), e.ERC20 != "" && e.Holder != "":
			c.Address, c.Decimals = common.HexToAddress(e.ERC20).Hex(), x.Decimals
			c.Explorer = s.explorer(e.Chain, "address", c.Address)
		default:
			continue
		}
		if !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// A ledgerVersion is one version of a ledger and its differences from the previous one.
type ledgerVersion struct {
	ledger.Version
	InUse   bool // the published figure was measured with it
	Pending bool // its first figure is held
	First   bool // there is no earlier version

	Added, Removed, Changed []string // labels of entries
	Rules                   []string // other changes
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

// compare finds the entries that were added, removed and changed since the previous version.
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

// published returns an entry in its public form, for comparison.
func published(e ledger.Entry) string {
	text, _ := json.Marshal(e) // an entry always has a JSON form
	return string(text)
}

func limit(a *ledger.Amount) string {
	if a == nil {
		return "none"
	}
	return grouped(a.String())
}
