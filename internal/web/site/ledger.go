package site

import (
	"encoding/json"
	"maps"

	"petsupply/internal/supply"
)

// A ledgerVersion is one version of a ledger and how it differs from the one
// before.
type ledgerVersion struct {
	supply.Ledger
	Now     bool // the published figure was made by it
	Pending bool // it waits to be let through
	First   bool // there is none before it

	Added, Removed, Changed []string // labels of entries
	Rules                   []string // what else changed
}

// ledgerVersions lists the versions of a ledger, newest first.
func ledgerVersions(doc supply.LedgerDocument) []ledgerVersion {
	if doc.Hash == "" {
		return nil
	}
	var out []ledgerVersion
	if doc.Pending != nil {
		out = append(out, ledgerVersion{Ledger: *doc.Pending, Pending: true})
	}
	out = append(out, ledgerVersion{Ledger: doc.Ledger, Now: true})
	for _, v := range doc.Earlier {
		out = append(out, ledgerVersion{Ledger: v})
	}
	for i := range out[:len(out)-1] {
		out[i].compare(out[i+1].Ledger)
	}
	out[len(out)-1].First = true
	return out
}

// compare says what came, went and changed since the version before.
func (v *ledgerVersion) compare(before supply.Ledger) {
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
	if !maps.EqualFunc(v.Bridges, before.Bridges, func(a, b supply.Bridge) bool {
		return a.Count == b.Count && limit(a.Slack) == limit(b.Slack)
	}) {
		v.Rules = append(v.Rules, "how bridges are counted")
	}
}

func byLabel(entries []supply.Entry) map[string]supply.Entry {
	out := map[string]supply.Entry{}
	for _, e := range entries {
		out[e.Label] = e
	}
	return out
}

// published is an entry as it is compared: by its public form.
func published(e supply.Entry) string {
	text, _ := json.Marshal(e) // an entry always has a JSON form
	return string(text)
}

func limit(a *supply.Amount) string {
	if a == nil {
		return "none"
	}
	return a.String()
}
