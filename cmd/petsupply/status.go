package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/web/site"
)

// site makes the pages.
func (v *service) site() (http.Handler, error) {
	cfg := site.Config{
		SupplyURL: v.SupplyURL, PetsURL: v.PetsURL, SiteURL: v.SiteURL, Demo: v.demo,
		Board: v.board, Past: v.store, Realms: v.Realms, Pack: v.packs.Current(),
		Explorers: map[string]string{}, Status: v.status, Stream: v.events, Log: v.log,
	}
	if len(v.Realms) > 0 {
		cfg.Pets = v.herd
	}
	for name, c := range v.Chains {
		cfg.Explorers[name] = c.Explorer
	}
	return site.New(cfg)
}

// status is how the service is doing, for its page.
func (v *service) status() site.Status {
	out := site.Status{Version: versionText(), Started: v.started, Store: v.store.Kind()}
	out.Leader, out.Leading = v.leader()
	for name, c := range v.chains {
		line := site.ChainStatus{Name: name, ID: c.ID(), Quorum: c.Quorum(), Finality: v.Chains[name].Finality}
		for _, p := range c.Health() {
			line.Providers = append(line.Providers, site.ProviderStatus{Name: p.Name, State: p.State, Height: p.Height, Seen: p.HeightTime,
				Latency: p.Latency, Errors: p.Errors, Disagreements: p.Disagreements, Trouble: trouble(p)})
		}
		out.Chains = append(out.Chains, line)
	}
	slices.SortFunc(out.Chains, func(a, b site.ChainStatus) int { return strings.Compare(a.Name, b.Name) })
	out.Realms = v.realmStatus()
	return out
}

// leader names who leads, as far as is known, and says whether it is us.
func (v *service) leader() (name string, here bool) {
	if v.campaign == nil {
		return "", false
	}
	if known := v.campaign.leader.Load(); known != nil {
		name = *known
	}
	return name, v.campaign.leads.Load()
}

func (v *service) realmStatus() []site.RealmStatus {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	counts, _ := v.herd.Counts(ctx) // without the store the page shows the rest
	var out []site.RealmStatus
	for _, r := range v.Realms {
		line := site.RealmStatus{Name: r.Name, Closed: r.Closed, Pets: counts[r.Key]}
		for _, x := range v.indexers {
			if p := x.Progress(); p.Realm == r.Key && v.campaign.leads.Load() {
				line.Phase, line.Block, line.Head = p.Phase, p.Block, p.Head
				line.Rate, line.Left, line.Trouble = p.Rate, p.Left.Round(time.Second), p.Fault != nil
				if p.Total > 0 && !p.Following() {
					line.Share = 100 * float64(p.Next) / float64(p.Total)
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// trouble is what is wrong with a provider now.
func trouble(p evm.Health) string {
	if p.State == "ok" {
		return ""
	}
	return p.LastError
}

// troubles says in words what is amiss though answers go on.
func (v *service) troubles() []string {
	var out []string
	if v.campaign != nil && v.campaign.away.Load() {
		out = append(out, "the store does not answer, or cannot be written")
	}
	for _, s := range v.board.Now().States {
		switch s.Status {
		case supply.Stale, supply.Unavailable:
			out = append(out, s.Token.Path+" is "+string(s.Status))
		}
		if held := s.Hold; held != nil {
			out = append(out, fmt.Sprintf("%s is held: total %s, circulating %s wait since %s: %s", s.Token.Path,
				held.Candidate.Total, held.Candidate.Circulating, held.Since.Format(time.RFC3339), held.Reason))
		}
	}
	for name, c := range v.chains {
		healthy := 0
		for _, p := range c.Health() {
			if p.State == "ok" {
				healthy++
			}
		}
		if healthy < c.Quorum() {
			out = append(out, fmt.Sprintf("only %d of the %d providers that chain %s needs are well", healthy, c.Quorum(), name))
		}
	}
	return out
}
