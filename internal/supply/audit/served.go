package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"filippo.io/torchwood"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// errNewer means that something is served that is not in the log, or not yet.
var errNewer = errors.New("it is not the newest leaf of its token")

// maxTokens is how many tokens a service may have.
const maxTokens = 100_000

// compareServed checks that the service answers with the newest leaf of each token.
func (a *auditor) compareServed(ctx context.Context) error {
	body, err := a.get(ctx, "/", 64<<20)
	if err != nil {
		return err
	}
	documents, err := tokenDocuments(body)
	if err != nil {
		return fault("the list of tokens", "%w", err)
	}
	a.report.Served, a.report.Proven, a.report.Withdrawn = []string{}, []string{}, []string{}
	logged := map[string]bool{}
	for _, d := range documents {
		if d.Snapshot == nil {
			continue
		}
		token, err := a.find(*d.Snapshot)
		if err != nil {
			return err
		}
		if token == "" {
			return fault(d.Symbol, "what is served now is snapshot %.64s: %w", *d.Snapshot, errNewer)
		}
		f := a.tokens[token].Figures
		if d.Total == nil || d.Circulating == nil || f.Total.Cmp(*d.Total) != 0 || f.Circulating.Cmp(*d.Circulating) != 0 {
			return fault(token, "the figures that are served are not those of leaf %d", a.tokens[token].index)
		}
		if err := a.compareEvidence(ctx, token); err != nil {
			return err
		}
		logged[token] = true
		a.report.Served = append(a.report.Served, token)
	}
	for _, token := range slices.Sorted(maps.Keys(a.tokens)) {
		if !logged[token] {
			a.report.Withdrawn = append(a.report.Withdrawn, token)
		}
	}
	return nil
}

// tokenDocuments reads the list of tokens up to the first that is not valid.
func tokenDocuments(list []byte) (documents []supply.Document, err error) {
	d := json.NewDecoder(bytes.NewReader(list))
	if open, err := d.Token(); err != nil || open != json.Delim('[') {
		return nil, errors.New("it is not a JSON array")
	}
	for d.More() {
		if len(documents) == maxTokens {
			return nil, fmt.Errorf("it has more than %d tokens", maxTokens)
		}
		var one supply.Document
		if err := d.Decode(&one); err != nil {
			return nil, err
		}
		documents = append(documents, one)
	}
	_, err = d.Token()
	return documents, err
}

// find returns the token whose newest snapshot has that id; "" if there is none. An
// audit that continues from a checkpoint also looks at the leaves before it.
func (a *auditor) find(id string) (string, error) {
	for token, n := range a.tokens {
		if n.ID == id {
			return token, nil
		}
	}
	for end := a.report.From; end > 0; {
		first := (end - 1) - (end-1)%torchwood.TileWidth
		leaves, err := a.bundle(first)
		if err != nil {
			return "", err
		}
		for i := end - first - 1; i >= 0; i-- {
			s, err := supply.ParseLeaf(leaves[i])
			if err != nil {
				continue // of another kind; an earlier audit checked it
			}
			if _, newer := a.tokens[s.Token]; newer {
				continue
			}
			a.tokens[s.Token] = newest{s, first + i}
			if s.ID == id {
				return s.Token, nil
			}
		}
		end = first
	}
	return "", nil
}

// compareEvidence checks the evidence and the proof of a token's newest snapshot.
func (a *auditor) compareEvidence(ctx context.Context, token string) error {
	n := a.tokens[token]
	body, err := a.get(ctx, "/"+token+"/evidence", 32<<20)
	if err != nil {
		return err
	}
	ev, err := supply.ParseEvidence(bytes.NewReader(body))
	if err != nil {
		return fault(token, "%w", err)
	}
	switch {
	case ev.Snapshot != n.ID && ev.Previous == n.ID:
		return fault(token, "the evidence is of the snapshot after: %w", errNewer)
	case ev.Snapshot != n.ID:
		return fault(token, "the evidence is that of snapshot %s", ev.Snapshot)
	case ev.Inclusion == "":
		return fault(token, "its evidence does not show yet that it is in the log: %w", errNewer)
	}
	d, err := a.proofOf(ctx, n, ev)
	if err != nil {
		return fault(token, "%w", err)
	}
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: a.Key})
	for _, f := range v.With(supply.False) {
		return fault(token, "its evidence: %s: %s", f.What, f.Detail)
	}
	if d != nil && len(v.With(supply.Unproven)) == 0 {
		a.report.Proven = append(a.report.Proven, token)
	}
	return nil
}

// proofOf returns the proof of a snapshot; nil if the service has none, or none of
// some chain.
func (a *auditor) proofOf(ctx context.Context, n newest, ev *supply.Evidence) (*proof.Document, error) {
	body, err := a.get(ctx, "/"+n.Token+"/proof?snapshot="+n.ID, 32<<20)
	if err != nil {
		return nil, nil
	}
	d, err := proof.Parse(bytes.NewReader(body))
	if err != nil || len(ev.Chains) == 0 {
		return nil, err
	}
	return d, nil
}
