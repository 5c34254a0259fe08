package site

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A fact is one reason to trust a figure: a word, and an explanation.
type fact struct{ Name, Text, Link string }

// A row is one entry of the ledger with its amount.
type row struct {
	Entry    ledger.Entry
	Address  string         // the holder of the amount, or the contract that returns it
	Contract string         // the contract that was called; for the gas token, the holder
	Explorer string         // explorer link of the address
	Amount   *ledger.Amount // nil if not measured
	Counted  bool
	ID       string
	Asked    string // the call in words
	Call     string // calldata; "" for the balance of an account
	Return   string
	Known    string // how it is known: proven, declared, or agreed by a number of providers
}

// Sure returns how certain the entry is, as a css class.
func (r row) Sure() string {
	word, _, _ := strings.Cut(r.Known, " ")
	return word
}

func (s *Site) row(e ledger.Entry) row {
	whole := e.Whole()
	address := cmp.Or(whole.Holder, whole.Native, whole.To, whole.ERC20)
	return row{
		Entry: e, Counted: true, Asked: question(e), Address: address, Explorer: s.explorer(e.Chain, "address", address),
		Contract: cmp.Or(whole.ERC20, whole.To, whole.Native),
	}
}

// An assurance says which entries of a snapshot are known without trust in nodes.
type assurance struct {
	entries map[string]string // how entries are known, by label; nil if no proof is kept yet
	logged  bool
}

// proven is the word for an entry that has a proof, so that no node has to be trusted.
const proven = "proven"

// assuranceOf returns the assurance of the snapshot of st. The argument past says that this is not
// the current snapshot. If the current snapshot has a proof and is in the log, assuranceOf keeps
// the result until the next snapshot.
func (s *Site) assuranceOf(ctx context.Context, st supply.State, past bool) *assurance {
	if s.Known == nil || !st.Available() {
		return new(assurance)
	}
	if k, ok := s.assurances.get(st.Token.Path, st.Snapshot.ID); ok {
		return k
	}
	k := new(assurance)
	k.entries, k.logged = s.Known(ctx, st.Token.Path, st.Snapshot.ID)
	if k.entries != nil && k.logged && !past {
		s.assurances.keep(st.Token.Path, st.Snapshot.ID, k)
	}
	return k
}

// how describes how an entry is known: proven, agreed by providers, declared or invented.
func (s *Site) how(k *assurance, e ledger.Entry) string {
	switch {
	case k.entries[e.Label] != "":
		return k.entries[e.Label]
	case e.Amount != nil:
		return "declared"
	case s.Demo:
		return "invented"
	}
	for _, c := range s.recentStatus().Chains {
		if c.Name == e.Chain {
			return fmt.Sprintf("agreed by %d of %d", c.Quorum, len(c.Providers))
		}
	}
	return "agreed"
}

// released says what publishes a held figure without the operator.
func (s *Site) released() string {
	n, text := s.Rules.Confirmations, "further measurements confirm the new one"
	switch {
	case n == 1:
		text = "another measurement confirms the new one"
	case n > 1:
		text = fmt.Sprintf("%d measurements in a row confirm the new one", n)
	}
	if s.Rules.HoldFor > 0 {
		text += fmt.Sprintf(" over at least %s", length(s.Rules.HoldFor))
	}
	return text
}

// facts returns the reasons to trust the published figure, the strongest first. A demo has none.
func (s *Site) facts(st supply.State, k *assurance, rows []row) []fact {
	if s.Demo {
		return nil
	}
	var out []fact
	n := 0
	for _, r := range rows {
		if r.Known == proven {
			n++
		}
	}
	if n > 0 {
		text := fmt.Sprintf("%d of %d entries, without trusting a node", n, len(rows))
		out = append(out, fact{"Proven", text, "#evidence"})
	}
	if k.logged {
		out = append(out, fact{"In the log", "so it cannot be changed unnoticed", s.SupplyURL + "/log/checkpoint"})
	}
	for _, c := range s.recentStatus().Chains {
		read := func(b supply.Block) bool { return b.Chain == c.Name }
		if !slices.ContainsFunc(st.Snapshot.Blocks, read) {
			continue
		}
		text := fmt.Sprintf("%d of %d providers of %s returned the same bytes", c.Quorum, len(c.Providers),
			s.chainName(c.Name))
		f := fact{"Agreed", text, s.base + "/status#chains"}
		if len(c.Providers) == 1 {
			f.Name, f.Text = "Read", "from the only provider of "+s.chainName(c.Name)+", so no other confirms it"
		}
		out = append(out, f)
	}
	return out
}

// A step is one line of the calculation of the figures.
type step struct {
	Sign, Name, Key string
	Amount          ledger.Amount
	Result          bool
}

// sums returns the steps from everything issued to the circulating supply.
func sums(f supply.Figures) []step {
	return []step{
		{"", "Issued", "issued", f.Total.Add(f.Burned), false},
		{"−", "Burned", "burned", f.Burned, false},
		{"=", "Total", "total", f.Total, true},
		{"−", "Locked", "locked", f.Locked, false},
		{"−", "Reserved", "reserved", f.Reserved, false},
		{"=", "Circulating", "circulating", f.Circulating, true},
	}
}

// A bridgeLine has both sides of a bridge.
type bridgeLine struct {
	Name    string
	Mirrors bool // one side holds the amount that the other side minted, so only one side counts
	Sides   []row
	Held    ledger.Amount
	Minted  ledger.Amount
	Transit signed
	Slack   string // the tolerated difference, "" for none
}

// bridges returns the bridges in ev.
func (s *Site) bridges(ev *supply.Evidence) []bridgeLine {
	var out []bridgeLine
	for _, name := range slices.Sorted(maps.Keys(ev.Bridges)) {
		b := bridgeLine{
			Name: name, Mirrors: ev.Bridges[name].Count == ledger.CountSource,
			Held: ledger.Zero(ev.Decimals), Minted: ledger.Zero(ev.Decimals),
		}
		if slack := ev.Bridges[name].Slack; slack != nil {
			b.Slack = limit(slack)
		}
		for _, x := range ev.Entries {
			if x.Entry.Bridge != name {
				continue
			}
			r := s.row(x.Entry)
			r.Amount = &x.Amount
			b.Sides = append(b.Sides, r)
			if x.Entry.Bucket == ledger.Escrowed {
				b.Held = b.Held.Add(x.Amount)
			} else {
				b.Minted = b.Minted.Add(x.Amount)
			}
		}
		b.Transit = signed{b.Held.Sub(b.Minted)}
		out = append(out, b)
	}
	return out
}

// question returns a call as a person would write it.
func question(e ledger.Entry) string {
	switch {
	case e.Share != nil:
		return "share of " + short(e.Share.Holder) + " in " + question(e.Whole())
	case e.ERC20 != "" && e.Holder != "":
		return "balanceOf(" + short(e.Holder) + ")"
	case e.ERC20 != "":
		return "totalSupply()"
	case e.Native != "":
		return "balance of the gas token"
	case e.Call != "":
		name, _, _ := strings.Cut(e.Call, "(")
		return name + "(" + strings.Join(e.Args, ", ") + ")"
	}
	return "declared"
}
