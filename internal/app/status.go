package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
	"petsupply/internal/web/site"
)

// known returns how each entry of a snapshot is known: proven, declared, or agreed by providers. It
// returns nil if no proof is kept.
func (v *Service) known(ctx context.Context, token, snapshot string) map[string]string {
	d, err := v.Store.Proof(ctx, token, snapshot)
	if err != nil {
		return nil
	}
	entries := map[string]string{}
	for _, e := range d.Entries {
		entries[e.Label] = e.Known
	}
	if v.isCurrent(snapshot) { // proofs of older snapshots are not checked: the page shows what they claim
		ev, err := v.Store.Evidence(ctx, token, snapshot)
		if err != nil {
			return nil
		}
		keepProven(entries, d, supply.Verify(ctx, ev, supply.Against{Proof: d}))
	}
	return entries
}

// isCurrent reports whether a snapshot is published now. Only proofs of such snapshots are checked.
// The site keeps the result of the check (see Site.fill), so that not every page repeats it.
func (v *Service) isCurrent(snapshot string) bool {
	return slices.ContainsFunc(v.Board.Now().States, func(s supply.State) bool {
		return s.Snapshot != nil && s.Snapshot.ID == snapshot
	})
}

// keepProven removes the entries that claim to be proven but did not pass the check. The page then
// says of them only that the providers agree.
func keepProven(entries map[string]string, d *proof.Document, checked supply.Findings) {
	holds := map[int]bool{}
	for _, f := range checked.With(supply.Holds) {
		holds[f.Entry] = true
	}
	for i, e := range d.Entries {
		if e.Known == proof.Proven && !(checked.OK() && holds[i+1]) {
			delete(entries, e.Label)
		}
	}
}

// status returns the state of the service for the status page.
func (v *Service) status() site.Status {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	out := site.Status{Version: v.cfg.Version, Started: v.started, Store: v.Store.Kind(),
		Realms: v.realmStatus(ctx), Webhooks: v.webhookStatus(ctx), Problems: problemTexts(v.problems())}
	out.Leader, _ = v.leader.status()
	if v.keeper != nil {
		if l := v.keeper.Latest(); l != nil {
			out.Log = site.LogStatus{Size: uint64(l.SignedSize()), Checkpoint: string(l.Signed), Key: l.VerifierKey}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Chains)) {
		c := v.Chains[name]
		line := site.ChainStatus{Name: name, ID: c.ID(), Quorum: c.Quorum(), Finality: v.Settings.Chains[name].Finality}
		for _, p := range c.Health() {
			provider := site.ProviderStatus{Name: p.Name, State: p.State, Height: p.Height, Seen: p.HeightTime,
				Latency: p.Latency, Errors: p.Errors, Disagreements: p.Disagreements, Error: p.Pruned}
			if p.State != "ok" {
				provider.Error = p.LastError
			}
			line.Providers = append(line.Providers, provider)
		}
		out.Chains = append(out.Chains, line)
	}
	return out
}

func (v *Service) realmStatus(ctx context.Context) []site.RealmStatus {
	counts := map[string]uint64{}
	if census, err := v.Pets.Census(ctx); err == nil { // without the store the page shows the rest
		counts = census.Realms()
	}
	_, leading := v.leader.status()
	var out []site.RealmStatus
	for _, r := range v.Settings.Realms {
		line := site.RealmStatus{Name: r.Name, State: "stored", Pets: counts[r.Key]}
		if r.Closed {
			line.State = "closed"
		}
		for _, x := range v.indexers {
			if p := x.Progress(); p.Realm == r.Key && leading {
				line.Block = p.Block
				line.Behind = max(p.Head, p.Block) - p.Block
				line.State = "up to date"
				if !p.Following() {
					line.State = fmt.Sprintf("first reading, %.0f %%", p.Share)
				}
				if p.Fault != nil {
					line.State = "reading failed, trying again"
				}
			}
		}
		out = append(out, line)
	}
	return out
}

// webhookStatus returns the state of the webhooks, in the order of the configuration file.
func (v *Service) webhookStatus(ctx context.Context) (out []site.WebhookStatus) {
	if v.webhooks == nil {
		return nil
	}
	backlogs, _ := v.Store.WebhookBacklogs(ctx) // without the store the page shows the rest
	for _, h := range v.Settings.Webhooks {
		line := site.WebhookStatus{Name: h.Name}
		for _, b := range backlogs {
			if b.Name == h.Name {
				line.Waiting = uint64(max(0, b.Waiting))
				line.Delivered = b.Delivered
			}
		}
		out = append(out, line)
	}
	return out
}
