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

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// errDiffers means that the service and the log differ. The log may have grown since it was read.
var errDiffers = errors.New("the log says otherwise")

const maxDocument = 16 << 20 // bytes of one answer about tokens

// compareServed checks that all answers of the service about tokens match the newest leaf of each.
func (a *auditor) compareServed(ctx context.Context) error {
	body, err := a.get(ctx, "/", maxDocument)
	if err != nil {
		return err
	}
	var documents []json.RawMessage
	if err := errors.Join(proof.CheckKeys(body), json.Unmarshal(body, &documents)); err != nil {
		return fault("the list of tokens",
			"%w; of a frozen copy that a file server has, audit the folder, or add --copy", err)
	}
	r := &a.report
	r.Served, r.Proven, r.Withdrawn, r.Blocks = []string{}, []string{}, []string{}, []string{}
	r.Unproven, r.Declared, r.Compared, r.Demo = []unproven{}, []string{}, map[string]int{}, false
	for i, text := range documents {
		where := fmt.Sprintf("token %d of the list", i+1)
		d, err := parseDocument(text)
		if err != nil {
			return fault(where, "%w", err)
		}
		id, err := d.snapshot()
		if err != nil {
			return fault(where, "%w", err)
		}
		if id == "" {
			continue
		}
		token, err := a.find(id)
		switch {
		case err != nil:
			return err
		case token == "":
			return fault(fmt.Sprintf("%.80q", d.text("symbol")), "what is served now is snapshot %.64q: %w", id, errDiffers)
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

// figureNames are the figures with their own addresses.
var figureNames = []string{"total", "circulating", "max", "burned", "locked"}

// figurePaths returns the addresses of a bare figure, below its token's path.
func (a *auditor) figurePaths(name string) []string {
	paths := []string{"/" + name + "supply", "/" + name + "supply?format=json"}
	if a.Copy {
		return paths // a file has no query, and JSON has its own file
	}
	return append(paths, "?q="+name, "/?q="+name, "/?q="+name+"supply")
}

// compareWithdrawn checks that tokens that are not in the list have no figure at their own addresses
// either.
func (a *auditor) compareWithdrawn(ctx context.Context) error {
	paths := []string{"", "/"}
	for _, name := range figureNames {
		paths = append(paths, a.figurePaths(name)...)
	}
	for _, token := range slices.Sorted(maps.Keys(a.tokens)) {
		if slices.Contains(a.report.Served, token) {
			continue
		}
		a.report.Withdrawn = append(a.report.Withdrawn, token)
		for _, path := range paths {
			body, err := a.get(ctx, "/"+token+path, maxDocument)
			if refused(err) {
				continue
			}
			if err != nil {
				return err
			}
			if d, err := parseDocument(body); err == nil {
				if id, err := d.snapshot(); err == nil && id == "" {
					continue
				}
			}
			return fault(token+path, "there is a figure, but the list has none: %w", errDiffers)
		}
		if _, err := a.compareEvidence(ctx, token, false); err != nil && !refused(err) {
			return err
		}
	}
	return nil
}

// refused reports whether an error is an answer that callers take for a refusal.
func refused(err error) bool {
	e, ok := errors.AsType[*errStatus](err)
	return ok && e.code >= http.StatusBadRequest
}

// find returns the token whose newest snapshot has that id, or "". An audit that continues from a
// checkpoint also looks at the leaves before it.
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

// A document is a token's JSON object, with its keys as written.
type document map[string]json.RawMessage

func parseDocument(text []byte) (d document, err error) {
	if err := proof.CheckKeys(text); err != nil {
		return nil, err
	}
	return d, json.Unmarshal(text, &d)
}

// text returns a member that is a string, or "".
func (d document) text(key string) (s string) {
	_ = json.Unmarshal(d[key], &s)
	return s
}

// snapshot returns the id of the document's snapshot, or "" if it has no figures.
func (d document) snapshot() (id string, err error) {
	if id = d.text("snapshot"); id != "" {
		return id, nil
	}
	bare := supply.Document{Blocks: []supply.Block{}}
	if err := sameMembers(bare, d, "symbol", "name", "decimals", "status", "correction"); err != nil {
		return "", fmt.Errorf("no snapshot is named, but %w", err)
	}
	return "", nil
}

// compareToken compares all answers about a token with its newest leaf. The evidence comes first,
// because it has everything that the others repeat.
func (a *auditor) compareToken(ctx context.Context, token string, listed document) error {
	ev, err := a.compareEvidence(ctx, token, true)
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
		return fmt.Errorf("it is of snapshot %.64q: %w", id, errDiffers)
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

// sameMembers compares a JSON object with our own encoding, except for some members.
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

// sameJSON compares a received value with our own encoding, apart from white space.
func sameJSON(got, own []byte) bool {
	var compact bytes.Buffer
	return json.Compact(&compact, got) == nil && bytes.Equal(compact.Bytes(), own)
}

// compareFigures compares the bare figures, in all their forms.
func (a *auditor) compareFigures(ctx context.Context, ev *supply.Evidence) error {
	f := ev.Figures
	amounts := []*ledger.Amount{&f.Total, &f.Circulating, ev.MaxSupply, &f.Burned, &f.Locked}
	for i, name := range figureNames {
		for _, path := range a.figurePaths(name) {
			path = "/" + ev.Token + path
			body, header, err := a.fetch(ctx, path, 1<<10)
			if answersNothing(err) {
				if hasFigure(ev, name) {
					return fault(path, "%w, and the evidence has this figure: %w", err, errDiffers)
				}
				continue
			}
			if err != nil {
				return err
			}
			err = sameFigure(amounts[i], body, strings.HasSuffix(path, "json"))
			if !a.Copy { // files do not have our headers
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

// hasFigure reports whether a token has a figure of that name.
func hasFigure(ev *supply.Evidence, name string) bool {
	switch name {
	case "total", "circulating":
		return true
	case "max":
		return ev.MaxSupply != nil
	}
	return slices.ContainsFunc(ev.Entries, func(e supply.EvidenceEntry) bool { return string(e.Entry.Bucket) == name })
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

// sameHeader compares the header of a figure with its evidence.
func sameHeader(ev *supply.Evidence, header http.Header) error {
	if ids := header.Values("Supply-Snapshot"); !slices.Equal(ids, []string{ev.Snapshot}) {
		return fmt.Errorf("it is of snapshot %.64q: %w", ids, errDiffers)
	}
	for name, at := range map[string]time.Time{"Supply-As-Of": ev.AsOf, "Supply-Measured-At": ev.MeasuredAt} {
		want := at.UTC().Format(time.RFC3339Nano)
		if got := header.Values(name); !slices.Equal(got, []string{want}) {
			return fmt.Errorf("%s is %.40q, and by the log %s", name, got, want)
		}
	}
	return nil
}

// compareLedger compares the token's ledger with the evidence and with the leaf that announced it.
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
		return fault(path, "it is %.64q, and by the log %s: %w", hash, ev.LedgerHash, errDiffers)
	}
	want := ledger.Document{Token: ev.Token, Symbol: ev.Symbol, Version: ledger.Version{Hash: ev.LedgerHash,
		Terms: ledger.Terms{Decimals: ev.Decimals, MaxSupply: ev.MaxSupply, Bridges: ev.Bridges}}}
	for _, x := range ev.Entries {
		want.Entries = append(want.Entries, x.Entry)
	}
	// A pending ledger has no leaf, because it was not used yet.
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
	versions = append(versions, ledger.Version{Hash: ev.LedgerHash, Since: since, Terms: want.Terms})
	listed := map[string]bool{}
	for _, v := range versions {
		if err := a.announced(ev.Token, v); err != nil {
			return err
		}
		listed[v.Hash] = true
	}
	var pending ledger.Version // it may be an earlier version again
	_ = json.Unmarshal(d["pending"], &pending)
	for key := range a.ledgers {
		if key[0] == ev.Token && !listed[key[1]] && key[1] != pending.Hash {
			return fault(path, "ledger %.64q is not in the list, and by the log figures were published by it: %w",
				key[1], errDiffers)
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
		return fault(where, "no leaf announced it: %w", errDiffers)
	}
	if v.Since == nil || !v.Since.Truncate(time.Millisecond).Equal(said.Since) {
		return fault(where, "it is since %v, and by the log since %s", v.Since, said.Since.Format(time.RFC3339Nano))
	}
	return nil
}

// compareEvidence checks the evidence of a token's newest snapshot. If the figures are served, it
// also checks the proof.
func (a *auditor) compareEvidence(ctx context.Context, token string, served bool) (*supply.Evidence, error) {
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
		return nil, fault(token, "the evidence is of the snapshot after: %w", errDiffers)
	case ev.Snapshot != n.ID:
		return nil, fault(token, "the evidence is that of snapshot %s", ev.Snapshot)
	case ev.Token != token:
		return nil, fault(token, "the evidence is that of %q", ledger.Clip(ev.Token))
	case ev.Inclusion == "":
		return nil, fault(token, "its evidence does not show yet that it is in the log: %w", errDiffers)
	}
	if err := a.compareCorrection(ev, served); err != nil {
		return nil, fault(token, "%w", err)
	}
	var d *proof.Document
	if served {
		if d, err = a.proofOf(ctx, n); err != nil {
			return nil, err
		}
	}
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: a.Key})
	for _, f := range v.With(supply.False) {
		return nil, fault(token, "its evidence: %s: %s", f.What, f.Detail)
	}
	if err := a.compareInclusion(ev); err != nil {
		return nil, err
	}
	a.report.Compared["evidence"]++
	if served {
		a.noteProof(ev, d, v)
	}
	return ev, nil
}

// compareInclusion checks that the log once had the signed head in the evidence. Otherwise the
// service signed two logs.
func (a *auditor) compareInclusion(ev *supply.Evidence) error {
	_, signed, _ := strings.Cut(ev.Inclusion, "\n\n")
	c, err := tlog.ParseCheckpoint([]byte(signed))
	if err != nil {
		return fault(ev.Token, "its inclusion: %w", err)
	}
	if c.N > a.head.N {
		return fault(ev.Token, "its inclusion is by a head of %d leaves, and the log has %d: %w", c.N, a.head.N, errDiffers)
	}
	if c.Tree == a.head.Tree {
		return nil
	}
	root, err := merkle.TreeHash(c.N, a.hashes())
	if err != nil {
		return fault("consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
	}
	if root != c.Hash {
		return fault(ev.Token,
			"the log was forked: by the inclusion in the evidence its root was %s with %d leaves, and it is %s",
			c.Hash, c.N, root)
	}
	return nil
}

// maxNamed bounds each list of a report, whose last line then is andMore.
const (
	maxNamed = 1000
	andMore  = "and more"
)

func withinBounds[T any](list []T, line, more T) []T {
	if len(list) == maxNamed {
		list[maxNamed-1] = more
		return list
	}
	return append(list, line)
}

// noteProof reports which reads of a token are proven.
func (a *auditor) noteProof(ev *supply.Evidence, d *proof.Document, v supply.Verdict) {
	for _, c := range ev.Chains {
		block := fmt.Sprintf("%d of chain %d (%q): %s", c.Number, c.ChainID, ledger.Clip(c.Chain), c.Hash)
		if !slices.Contains(a.report.Blocks, block) {
			a.report.Blocks = withinBounds(a.report.Blocks, block, andMore)
		}
	}
	for _, x := range ev.Entries {
		if x.Entry.Amount != nil {
			line := fmt.Sprintf("%s, entry %q: %s", ev.Token, ledger.Clip(x.Entry.Label), x.Amount)
			a.report.Declared = withinBounds(a.report.Declared, line, andMore)
		}
	}
	note := func(what, reason string) {
		a.report.Unproven = withinBounds(a.report.Unproven, unproven{ev.Token, what, reason}, unproven{What: andMore})
	}
	if d == nil {
		if len(ev.Chains) > 0 {
			note("every entry", "the service has no proof of this snapshot")
		}
		return
	}
	a.report.Compared["proofs"]++
	missing := v.With(supply.Unproven)
	for _, f := range missing {
		if !strings.HasPrefix(f.What, "entry ") && !strings.HasPrefix(f.What, "chain ") {
			continue // a figure, which depends on an entry
		}
		note(fmt.Sprintf("%.300s", f.What), fmt.Sprintf("%.1000s", f.Detail))
	}
	if len(missing) == 0 && len(ev.Chains) > 0 {
		a.report.Proven = append(a.report.Proven, ev.Token)
	}
}

// compareCorrection checks that the log does not call the served figures wrong. Wrong figures are
// withdrawn, and equal ones must not be served either.
func (a *auditor) compareCorrection(ev *supply.Evidence, served bool) error {
	n := a.tokens[ev.Token]
	if err := a.lookBack(func() bool { return n.began }); err != nil {
		return err
	}
	for subject, c := range a.corrections { // for any token
		n.take(subject, c)
	}
	switch wrong := n.correction.wrong; {
	case wrong && served:
		return fmt.Errorf("its figures are wrong, and they are still served: %w", errDiffers)
	case wrong && ev.Correction == nil:
		return fmt.Errorf("its figures are wrong, and the evidence does not say so: %w", errDiffers)
	case !wrong && ev.Correction != nil:
		return fmt.Errorf("the evidence says that its figures are wrong: %w", errDiffers)
	}
	return nil
}

// proofOf returns the proof of a snapshot, or nil if the service says that it has none.
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
