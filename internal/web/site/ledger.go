package site

import (
	"maps"
	"reflect"

	"petsupply/internal/supply"
)

// A round is one version of a ledger and how it differs from the one before.
type round struct {
	supply.Ledger
	Now     bool // the published figure was made by it
	Pending bool // it waits to be let through
	First   bool // there is none before it

	Added, Removed, Changed []string // labels; Rules where it is not an entry that changed
	Rules                   []string
}

// rounds lists the versions of a ledger, newest first.
func rounds(doc supply.LedgerDocument) []round {
	if doc.Hash == "" {
		return nil
	}
	var out []round
	if doc.Pending != nil {
		out = append(out, round{Ledger: *doc.Pending, Pending: true})
	}
	out = append(out, round{Ledger: doc.Ledger, Now: true})
	for _, v := range doc.Earlier {
		out = append(out, round{Ledger: v})
	}
	for i := range out[:len(out)-1] {
		out[i].compare(out[i+1].Ledger)
	}
	out[len(out)-1].First = true
	return out
}

// compare says what came, went and changed since the version before.
func (r *round) compare(before supply.Ledger) {
	old, now := byLabel(before.Entries), byLabel(r.Entries)
	for _, e := range r.Entries {
		if was, ok := old[e.Label]; !ok {
			r.Added = append(r.Added, e.Label)
		} else if !reflect.DeepEqual(plain(was), plain(e)) {
			r.Changed = append(r.Changed, e.Label)
		}
	}
	for _, e := range before.Entries {
		if _, ok := now[e.Label]; !ok {
			r.Removed = append(r.Removed, e.Label)
		}
	}
	if r.Decimals != before.Decimals {
		r.Rules = append(r.Rules, "decimals")
	}
	if limit(r.MaxSupply) != limit(before.MaxSupply) {
		r.Rules = append(r.Rules, "maximum supply, from "+limit(before.MaxSupply)+" to "+limit(r.MaxSupply))
	}
	if !maps.EqualFunc(r.Bridges, before.Bridges, func(a, b supply.Bridge) bool {
		return a.Count == b.Count && limit(a.Slack) == limit(b.Slack)
	}) {
		r.Rules = append(r.Rules, "how bridges are counted")
	}
}

func byLabel(entries []supply.Entry) map[string]supply.Entry {
	out := map[string]supply.Entry{}
	for _, e := range entries {
		out[e.Label] = e
	}
	return out
}

// plain makes entries comparable: amounts as text, arguments never nil.
func plain(e supply.Entry) any {
	amount := limit(e.Amount)
	e.Amount, e.Args = nil, append([]string{}, e.Args...)
	return struct {
		supply.Entry
		amount string
	}{e, amount}
}

func limit(a *supply.Amount) string {
	if a == nil {
		return "none"
	}
	return a.String()
}
