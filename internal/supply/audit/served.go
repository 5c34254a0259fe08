package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// errNewer means that something is served that is not in the log, or not yet.
var errNewer = errors.New("it is not the newest leaf of its token")

const maxDocument = 16 << 20 // bytes of one answer about tokens

// compareServed checks that everything that the service answers about tokens now is
// the newest leaf of each.
func (a *auditor) compareServed(ctx context.Context) error {
	body, err := a.get(ctx, "/", maxDocument)
	if err != nil {
		return err
	}
	var documents []json.RawMessage
	if err := errors.Join(proof.CheckKeys(body), json.Unmarshal(body, &documents)); err != nil {
		return fault("the list of tokens", "%w; of a frozen copy that a file server has, audit the folder, or add --copy", err)
	}
	r := &a.report
	r.Served, r.Proven, r.Withdrawn, r.Blocks = []string{}, []string{}, []string{}, []string{}
	r.Unproven, r.Compared, r.Demo = []unproven{}, map[string]int{}, false
	for i, text := range documents {
		where := fmt.Sprintf("token %d of the list", i+1)
		d, err := parseDocument(text)
		if err != nil {
			return fault(where, "%w", err)
		}
		id, none, err := d.snapshot()
		if err != nil {
			return fault(where, "%w", err)
		}
		if none {
			continue
		}
		token, err := a.find(id)
		switch {
		case err != nil:
			return err
		case token == "":
			return fault(d.text("symbol"), "what is served now is snapshot %.64q: %w", id, errNewer)
		case slices.Contains(r.Served, token):
			return fault(token, "it is in the list twice")
		}
		if err := a.compareToken(ctx, token, d); err != nil {
			return err
		}
		r.Served = append(r.Served, token)
	}
	return a.compareWithdrawn(ctx)
}

// compareWithdrawn checks that the tokens that are not in the list have no figure at
// their own addresses either.
func (a *auditor) compareWithdrawn(ctx context.Context) error {
	for _, token := range slices.Sorted(maps.Keys(a.tokens)) {
		if slices.Contains(a.report.Served, token) {
			continue
		}
		a.report.Withdrawn = append(a.report.Withdrawn, token)
		for _, path := range []string{"", "/", "/totalsupply", "/circulatingsupply", "/maxsupply", "/burnedsupply",
			"/lockedsupply", "/?q=total", "/?q=circulating"} {
			if a.Copy && strings.HasPrefix(path, "/?q=") {
				continue // a file has no query
			}
			body, err := a.get(ctx, "/"+token+path, maxDocument)
			if _, refused := errors.AsType[*errStatus](err); refused {
				continue
			}
			if err != nil {
				return err
			}
			if d, err := parseDocument(body); err == nil {
				if _, none, err := d.snapshot(); err == nil && none {
					continue
				}
			}
			return fault(token+path, "there is a figure, but the list has none: %w", errNewer)
		}
	}
	return nil
}

// find returns the token whose newest snapshot has that id; "" if there is none. An
// audit that continues from a checkpoint also looks at the leaves before it.
func (a *auditor) find(id string) (token string, err error) {
	err = a.lookBack(func() bool {
		for name, n := range a.tokens {
			if n.ID == id {
				token = name
			}
		}
		return token != ""
	})
	return token, err
}

// A document is a token's JSON, by its keys as they are written.
type document map[string]json.RawMessage

func parseDocument(text []byte) (d document, err error) {
	if err := proof.CheckKeys(text); err != nil {
		return nil, err
	}
	return d, json.Unmarshal(text, &d)
}

// text is a member that is a string; "" if it is none.
func (d document) text(key string) (s string) {
	_ = json.Unmarshal(d[key], &s)
	return s
}

// snapshot returns the id that the document names. none: it has no figures at all.
func (d document) snapshot() (id string, none bool, err error) {
	if id = d.text("snapshot"); id != "" {
		return id, false, nil
	}
	for _, key := range []string{"snapshot", "totalSupply", "circulatingSupply", "burnedSupply", "lockedSupply", "reservedSupply"} {
		if string(d[key]) != "null" {
			return "", false, fmt.Errorf("%s is %.40s, but no snapshot is named", key, d[key])
		}
	}
	return "", true, nil
}

// compareToken compares all answers about a token with its newest leaf. Its evidence
// is the first: it has everything that the others repeat.
func (a *auditor) compareToken(ctx context.Context, token string, listed document) error {
	ev, err := a.compareEvidence(ctx, token)
	if err != nil {
		return err
	}
	a.report.Demo = a.report.Demo || listed.text("status") == string(supply.Demo)
	for _, path := range []string{"/" + token, "/" + token + "/"} {
		body, err := a.get(ctx, path, maxDocument)
		if err != nil {
			return err
		}
		d, err := parseDocument(body)
		if err == nil {
			err = a.compareDocument(ev, d)
		}
		if err != nil {
			return fault(path, "%w", err)
		}
	}
	if err := a.compareDocument(ev, listed); err != nil {
		return fault(token, "in the list: %w", err)
	}
	if err := a.compareFigures(ctx, ev); err != nil {
		return err
	}
	return a.compareLedger(ctx, ev)
}

// compareDocument compares a token's document with its evidence.
func (a *auditor) compareDocument(ev *supply.Evidence, d document) error {
	if id := d.text("snapshot"); id != ev.Snapshot {
		return fmt.Errorf("it is of snapshot %.64q: %w", id, errNewer)
	}
	f := ev.Figures
	blocks := slices.Clone([]supply.Block(ev.Chains))
	want := supply.Document{Symbol: ev.Symbol, Decimals: ev.Decimals, Total: &f.Total, Circulating: &f.Circulating,
		Burned: &f.Burned, Locked: &f.Locked, Reserved: &f.Reserved, Max: ev.MaxSupply, AsOf: &ev.AsOf,
		MeasuredAt: &ev.MeasuredAt, Snapshot: &ev.Snapshot, LedgerHash: &ev.LedgerHash, Blocks: blocks}
	if err := sameMembers(want, d, "name", "status"); err != nil { // these have no leaf
		return err
	}
	a.report.Compared["documents"]++
	return nil
}

// sameMembers compares a JSON object with how we would write it, except for some
// members.
func sameMembers(want any, got document, except ...string) error {
	own, err := parseDocument(tlog.Encode(want))
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if slices.Contains(except, key) {
			continue
		}
		if !sameJSON(got[key], own[key]) {
			return fmt.Errorf("%s is %.80s, and by the log %.80s", key, got[key], own[key])
		}
	}
	for key := range got {
		if _, known := own[key]; !known && !slices.Contains(except, key) {
			return fmt.Errorf("%.40q is not in the log", key)
		}
	}
	return nil
}

// sameJSON compares a received value with how we write it, but for white space.
func sameJSON(got, own []byte) bool {
	var compact bytes.Buffer
	return json.Compact(&compact, got) == nil && bytes.Equal(compact.Bytes(), own)
}

// compareFigures compares the figures that are served alone, in all their forms.
func (a *auditor) compareFigures(ctx context.Context, ev *supply.Evidence) error {
	f := ev.Figures
	for name, amount := range map[string]*ledger.Amount{"total": &f.Total, "circulating": &f.Circulating,
		"max": ev.MaxSupply, "burned": &f.Burned, "locked": &f.Locked} {
		demanded := name == "total" || name == "circulating"
		for _, path := range []string{"/" + name + "supply", "/" + name + "supply?format=json",
			"?q=" + name, "/?q=" + name, "/?q=" + name + "supply"} {
			if a.Copy && strings.Contains(path, "?q=") {
				continue // a file has no query
			}
			path = "/" + ev.Token + path
			body, header, err := a.fetch(ctx, path, 1<<10)
			if answersNothing(err) && !demanded {
				continue // the ledger has no such figure
			}
			if err != nil {
				return err
			}
			err = sameFigure(amount, body, strings.HasSuffix(path, "json"))
			if !a.Copy { // files have no headers of ours
				err = errors.Join(sameHeader(ev, header), err)
			}
			if err != nil {
				return fault(path, "%w", err)
			}
			a.report.Compared["figures"]++
		}
	}
	return nil
}

// sameFigure compares the body of a figure.
func sameFigure(amount *ledger.Amount, body []byte, isJSON bool) error {
	want := "no figure"
	if amount != nil {
		want = amount.String()
	}
	if isJSON {
		want = `{"result":"` + want + `"}`
	}
	if string(body) != want {
		return fmt.Errorf("it is %.80q, and by the log %q", body, want)
	}
	return nil
}

// sameHeader compares what the header of a figure says of it.
func sameHeader(ev *supply.Evidence, header http.Header) error {
	if id := header.Get("Supply-Snapshot"); id != ev.Snapshot {
		return fmt.Errorf("it is of snapshot %.64q: %w", id, errNewer)
	}
	for name, at := range map[string]time.Time{"Supply-As-Of": ev.AsOf, "Supply-Measured-At": ev.MeasuredAt} {
		if got := header.Get(name); got != at.UTC().Format(time.RFC3339Nano) {
			return fmt.Errorf("%s is %.40q, and by the log %s", name, got, at.UTC().Format(time.RFC3339Nano))
		}
	}
	return nil
}

// compareLedger compares the token's ledger with the evidence and with the leaf that
// announced it.
func (a *auditor) compareLedger(ctx context.Context, ev *supply.Evidence) error {
	path := "/" + ev.Token + "/ledger"
	body, err := a.get(ctx, path, maxDocument)
	if err != nil {
		return err
	}
	d, err := parseDocument(body)
	if err != nil {
		return fault(path, "%w", err)
	}
	if hash := d.text("ledger"); hash != ev.LedgerHash {
		return fault(path, "it is %.64q, and by the log %s: %w", hash, ev.LedgerHash, errNewer)
	}
	want := ledger.Document{Token: ev.Token, Symbol: ev.Symbol, Version: ledger.Version{Hash: ev.LedgerHash,
		Terms: ledger.Terms{Decimals: ev.Decimals, MaxSupply: ev.MaxSupply, Bridges: ev.Bridges}}}
	for _, x := range ev.Entries {
		want.Entries = append(want.Entries, x.Entry)
	}
	// A pending ledger was not used yet, and has no leaf.
	if err := sameMembers(want, d, "since", "earlier", "pending"); err != nil {
		return fault(path, "%w", err)
	}
	var versions []ledger.Version
	if err := json.Unmarshal(d["earlier"], &versions); err != nil || !sameJSON(d["earlier"], tlog.Encode(versions)) {
		return fault(path, "its earlier versions are not written as ledgers are published")
	}
	var since *time.Time
	if err := json.Unmarshal(d["since"], &since); err != nil {
		return fault(path, "since: %w", err)
	}
	for _, v := range append(versions, ledger.Version{Hash: ev.LedgerHash, Since: since, Terms: want.Terms}) {
		if err := a.announced(ev.Token, v); err != nil {
			return err
		}
	}
	a.report.Compared["ledgers"]++
	return nil
}

// announced checks that a ledger has its hash, and that a leaf announced it.
func (a *auditor) announced(token string, v ledger.Version) error {
	where := fmt.Sprintf("/%s/ledger, version %.64s", token, v.Hash)
	own := ledger.Token{Path: token, Decimals: v.Decimals, MaxSupply: v.MaxSupply, Bridges: v.Bridges, Ledger: v.Entries}
	if hash := own.LedgerHash(); hash != v.Hash {
		return fault(where, "its hash is %s", hash)
	}
	key := [2]string{token, v.Hash}
	if err := a.lookBack(func() bool { return a.ledgers[key].Token != "" }); err != nil {
		return err
	}
	said := a.ledgers[key]
	if said.Token == "" {
		return fault(where, "no leaf announced it: %w", errNewer)
	}
	if v.Since == nil || !v.Since.Truncate(time.Millisecond).Equal(said.Since) {
		return fault(where, "it is since %v, and by the log since %s", v.Since, said.Since.Format(time.RFC3339Nano))
	}
	return nil
}

// compareEvidence checks the evidence and the proof of a token's newest snapshot.
func (a *auditor) compareEvidence(ctx context.Context, token string) (*supply.Evidence, error) {
	n := a.tokens[token]
	body, err := a.get(ctx, "/"+token+"/evidence", maxDocument)
	if err != nil {
		return nil, err
	}
	ev, err := supply.ParseEvidence(bytes.NewReader(body))
	if err != nil {
		return nil, fault(token, "%w", err)
	}
	switch {
	case ev.Snapshot != n.ID && ev.Previous == n.ID:
		return nil, fault(token, "the evidence is of the snapshot after: %w", errNewer)
	case ev.Snapshot != n.ID:
		return nil, fault(token, "the evidence is that of snapshot %s", ev.Snapshot)
	case ev.Token != token:
		return nil, fault(token, "the evidence is that of %q", ev.Token)
	case ev.Inclusion == "":
		return nil, fault(token, "its evidence does not show yet that it is in the log: %w", errNewer)
	}
	if err := a.compareCorrection(ev); err != nil {
		return nil, fault(token, "%w", err)
	}
	d, err := a.proofOf(ctx, n)
	if err != nil {
		return nil, err
	}
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: a.Key})
	for _, f := range v.With(supply.False) {
		return nil, fault(token, "its evidence: %s: %s", f.What, f.Detail)
	}
	a.report.Compared["evidence"]++
	a.noteProof(ev, d, v)
	return ev, nil
}

// noteProof reports what of a token is proven.
func (a *auditor) noteProof(ev *supply.Evidence, d *proof.Document, v supply.Verdict) {
	for _, c := range ev.Chains {
		block := fmt.Sprintf("%d of chain %d (%s): %s", c.Number, c.ChainID, c.Chain, c.Hash)
		if !slices.Contains(a.report.Blocks, block) {
			a.report.Blocks = append(a.report.Blocks, block)
		}
	}
	if d == nil {
		if len(ev.Chains) > 0 {
			a.report.Unproven = append(a.report.Unproven, unproven{ev.Token, "every entry", "the service has no proof of this snapshot"})
		}
		return
	}
	a.report.Compared["proofs"]++
	missing := v.With(supply.Unproven)
	for _, f := range missing {
		if !strings.HasPrefix(f.What, "entry ") && !strings.HasPrefix(f.What, "chain ") {
			continue // a figure, which rests on an entry
		}
		a.report.Unproven = append(a.report.Unproven, unproven{ev.Token, f.What, f.Detail})
	}
	if len(missing) == 0 && len(ev.Chains) > 0 {
		a.report.Proven = append(a.report.Proven, ev.Token)
	}
}

// compareCorrection checks that the figures of a snapshot that is served now are not
// wrong by the log. Wrong figures are withdrawn, and equal ones are not served either.
func (a *auditor) compareCorrection(ev *supply.Evidence) error {
	n := a.tokens[ev.Token]
	if err := a.lookBack(func() bool { return n.began }); err != nil {
		return err
	}
	for subject, c := range a.corrections { // whichever token they name
		n.take(subject, c)
	}
	switch {
	case n.correction.wrong:
		return fmt.Errorf("by the log its figures are wrong, and they are still served: %w", errNewer)
	case ev.Correction != nil:
		return fmt.Errorf("the evidence says that its figures are wrong, and the log does not: %w", errNewer)
	}
	return nil
}

// proofOf returns the proof of a snapshot; nil if the service says that it has none.
func (a *auditor) proofOf(ctx context.Context, n *newest) (*proof.Document, error) {
	body, err := a.get(ctx, "/"+n.Token+"/proof?snapshot="+n.ID, maxDocument)
	if answersNothing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d, err := proof.Parse(bytes.NewReader(body))
	if err != nil {
		return nil, fault(n.Token+"/proof", "%w", err)
	}
	return d, nil
}
