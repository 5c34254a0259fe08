package site

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/web/answer"
)

// A tokenView explains one token's figures.
type tokenView struct {
	State     supply.State
	Shares    []share // of the total
	Past      *past
	Spans     []span
	Days      string // the value of the span that is shown
	Rows      []row
	Sums      []sum
	Bridges   []bridge
	Contracts []contract
	Versions  []version
	Logged    bool
	Verify    string // commands that recompute the figures; "" if their evidence is not kept
}

// A share is one bucket's part of the total.
type share struct {
	Key     string        // css class
	Percent ledger.Amount // all shares add up to 100
	At      ledger.Amount // where its part of the bar begins
}

// A row is one entry of the ledger. Its amount is rounded so that the rows of a bucket add up.
type row struct {
	ledger.Entry
	Amount *ledger.Amount // nil if not measured
	Known  string         // proven, declared, invented, or how many providers agree
	Read   *supply.EvidenceEntry
}

// Address is the holder of the amount, or the contract that returns it.
func (r row) Address() string {
	e := r.Whole()
	return cmp.Or(e.Holder, e.Native, e.To, e.ERC20)
}

// Contract is the contract that was called. For the gas token it is the holder.
func (r row) Contract() string {
	e := r.Whole()
	return cmp.Or(e.ERC20, e.To, e.Native)
}

// Asked is the call as a person would write it.
func (r row) Asked() string {
	e := r.Whole()
	name, _, _ := strings.Cut(e.Call, "(")
	switch {
	case e.Holder != "":
		return "balanceOf(" + short(e.Holder) + ")"
	case e.ERC20 != "":
		return "totalSupply()"
	case e.Native != "":
		return "balance of the gas token"
	}
	return name + "(" + strings.Join(e.Args, ", ") + ")"
}

// A sum is one line of the calculation below the ledger.
type sum struct {
	Sign, Name, Key string
	Amount          ledger.Amount
}

// A bridge has both sides of a bridge.
type bridge struct {
	Name    string
	Mirrors bool // only one side counts, because the other side stands for it
	Sides   []supply.EvidenceEntry
	Result  ledger.Amount // in transit if it mirrors, or else the sum of both sides
	Slack   *ledger.Amount
}

// A contract says what the token is on a chain.
type contract struct {
	Chain    string
	Address  string // "" for the gas token
	Decimals int
}

// A version is one version of the ledger, and what changed since the previous one.
type version struct {
	ledger.Version
	Pending                 bool // its first figure is held
	Added, Removed, Changed []string
}

func (s *Site) token(q *answer.Request) (*page, error) {
	st, ok := s.Board.Now().State(strings.ToLower(q.Args[0]))
	if !ok {
		return nil, answer.NotFound("no such token")
	}
	n := days(q)
	if q.Query().Err != nil {
		return nil, q.Query().Err
	}
	v := tokenView{State: st, Versions: versions(st.Ledger)}
	for _, e := range st.Token.Ledger {
		v.Rows = append(v.Rows, row{Entry: e})
	}
	if st.Available() {
		s.fill(&v, n, q.At)
	}
	return &page{Template: "token", Title: st.Token.Name + " supply", Section: "home", Path: "/token/" + st.Token.Path,
		Description: "Circulating, total and maximum supply of " + st.Token.Name + ", entry by entry.", Live: true,
		View: v}, nil
}

// fill adds everything that follows from the figures.
func (s *Site) fill(v *tokenView, days int, now time.Time) {
	st := v.State
	f := st.Snapshot.Figures
	v.Shares = shares(f)
	v.Past = s.past(st, days)
	for _, x := range spans {
		x.Now = x.Days == days
		if x.Now {
			v.Days = x.Value
		}
		if x.Now || x.Days == 0 || st.Snapshot.AsOf.AddDate(0, 0, -x.Days).After(v.Past.Begin) {
			v.Spans = append(v.Spans, x)
		}
	}
	v.Sums = sums(f)
	ev := st.Snapshot.Evidence
	if ev == nil {
		return
	}
	v.Rows = rows(ev, v.Sums)
	v.Logged = st.Inclusion != ""
	var known map[string]string
	if s.Known != nil { // proofs can come after the figure, so they are looked up again each minute
		version := fmt.Sprint(st.Snapshot.ID, now.Truncate(time.Minute))
		read := func(ctx context.Context) (map[string]string, error) {
			return s.Known(ctx, st.Token.Path, st.Snapshot.ID), nil
		}
		known = latest(&s.memory, "proof of "+st.Token.Path, version, read)
	}
	quorums := map[string]string{}
	for _, c := range s.recentStatus().Chains {
		quorums[c.Name] = fmt.Sprintf("agreed by %d of %d", c.Quorum, len(c.Providers))
	}
	proven := false
	for i := range v.Rows {
		r := &v.Rows[i]
		r.Known = cmp.Or(known[r.Label], quorums[r.Chain])
		if r.Entry.Amount != nil {
			r.Known = "declared"
		} else if st.Status == supply.Demo {
			r.Known = "invented"
		}
		proven = proven || r.Known == "proven"
	}
	v.Bridges = bridges(ev)
	v.Contracts = contracts(ev)
	v.Verify = s.verify(ev, proven)
}

// shares splits the total into shares of whole tenths of a percent that add up to 100.
func shares(f supply.Figures) []share {
	hundred := ledger.Amount{Units: ledger.Whole(1000, 0).Units, Decimals: 1}
	parts := balance(1, hundred, ratio(f.Circulating, f.Total, 100), ratio(f.Locked, f.Total, 100),
		ratio(f.Reserved, f.Total, 100))
	at := ledger.Zero(0)
	var out []share
	for i, key := range []string{"circulating", "locked", "reserved"} {
		if f.Total.Sign() > 0 && parts[i].Sign() > 0 {
			out = append(out, share{key, parts[i], at})
		}
		at = at.Add(parts[i])
	}
	return out
}

// sums returns the steps from everything issued to the circulating supply, rounded.
func sums(f supply.Figures) []sum {
	places := placesOf(f.Total)
	total := floor(f.Total, places)
	circulating := floor(f.Circulating, places)
	issued := floor(f.Total.Add(f.Burned), places)
	held := balance(places, total.Sub(circulating), f.Locked, f.Reserved)
	return []sum{
		{"", "Issued", "issued", issued},
		{"−", "Burned", "burned", issued.Sub(total)},
		{"=", "Total", "total", total},
		{"−", "Locked", "locked", held[0]},
		{"−", "Reserved", "reserved", held[1]},
		{"=", "Circulating", "circulating", circulating},
	}
}

// rows returns the entries of the evidence. Those of a bucket add up to its sum.
func rows(ev *supply.Evidence, sums []sum) []row {
	places := placesOf(ev.Figures.Total)
	var out []row
	for i := range ev.Entries {
		x := &ev.Entries[i]
		amount := floor(x.Amount, places)
		out = append(out, row{Entry: x.Entry, Amount: &amount, Read: x})
	}
	for _, s := range sums {
		var at []int
		var parts []ledger.Amount
		for i, r := range out {
			if string(r.Bucket) == s.Key && r.Read.Counted {
				at = append(at, i)
				parts = append(parts, r.Read.Amount)
			}
		}
		for n, a := range balance(places, s.Amount, parts...) {
			out[at[n]].Amount = &a
		}
	}
	return out
}

// verify returns the commands that recompute the figures.
func (s *Site) verify(ev *supply.Evidence, proven bool) string {
	out := "petsupply verify " + s.SupplyURL + "/" + ev.Token + "/evidence"
	for _, c := range ev.Chains {
		if !proven { // a proof needs no node
			out += fmt.Sprintf(" --rpc %d=URL", c.ChainID)
		}
	}
	return out
}

// contracts returns what the token is on each chain, as far as the ledger says it. Where the token
// is the gas token, an ERC-20 whose balances are read only wraps it.
func contracts(ev *supply.Evidence) (list []contract) {
	gas := map[string]bool{}
	issues := func(e ledger.Entry) bool { return e.ERC20 != "" && e.Holder == "" && e.Bucket == ledger.Issued }
	for _, x := range ev.Entries {
		gas[x.Entry.Chain] = gas[x.Entry.Chain] || x.Entry.Whole().Native != ""
	}
	for _, x := range ev.Entries {
		if issues(x.Entry) { // some gas tokens also have a contract
			gas[x.Entry.Chain] = false
		}
	}
	for _, x := range ev.Entries {
		c := contract{Chain: x.Entry.Chain}
		if !gas[c.Chain] {
			if !issues(x.Entry) && (x.Entry.ERC20 == "" || x.Entry.Holder == "") {
				continue
			}
			c.Address = common.HexToAddress(x.Entry.ERC20).Hex()
			c.Decimals = x.Decimals
		}
		if c.Chain != "" && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}

// bridges returns the bridges of the evidence.
func bridges(ev *supply.Evidence) (out []bridge) {
	for _, name := range slices.Sorted(maps.Keys(ev.Bridges)) {
		b := bridge{Name: name, Mirrors: ev.Bridges[name].Count == ledger.CountSource, Slack: ev.Bridges[name].Slack}
		b.Result = ledger.Zero(0)
		for _, x := range ev.Entries {
			if x.Entry.Bridge != name {
				continue
			}
			b.Sides = append(b.Sides, x)
			if b.Mirrors && x.Entry.Bucket != ledger.Escrowed {
				b.Result = b.Result.Sub(x.Amount)
			} else {
				b.Result = b.Result.Add(x.Amount)
			}
		}
		out = append(out, b)
	}
	return out
}

// versions lists the versions of a ledger, newest first.
func versions(doc ledger.Document) (out []version) {
	if doc.Pending != nil {
		out = append(out, version{Version: *doc.Pending, Pending: true})
	}
	out = append(out, version{Version: doc.Version})
	for _, v := range doc.Earlier {
		out = append(out, version{Version: v})
	}
	for i := range len(out) - 1 {
		now := terms(out[i].Version)
		before := terms(out[i+1].Version)
		for _, name := range slices.Sorted(maps.Keys(now)) {
			if was, known := before[name]; !known {
				out[i].Added = append(out[i].Added, name)
			} else if was != now[name] {
				out[i].Changed = append(out[i].Changed, name)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if _, known := now[name]; !known {
				out[i].Removed = append(out[i].Removed, name)
			}
		}
	}
	return out
}

// terms returns everything that a version of a ledger says, in a form that can be compared.
func terms(v ledger.Version) map[string]string {
	text := func(x any) string {
		b, _ := json.Marshal(x) // the parts of a ledger always have a JSON form
		return string(b)
	}
	out := map[string]string{
		"decimals": text(v.Decimals), "maximum supply": text(v.MaxSupply), "bridges": text(v.Bridges),
	}
	for _, e := range v.Entries {
		out["“"+e.Label+"”"] = text(e)
	}
	return out
}
