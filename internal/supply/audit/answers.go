package audit

import (
	"bytes"
	"context"
	"encoding/json"
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

// Limits of answers in bytes.
const (
	maxDocument = 8 << 20
	maxList     = 2 << 20 // some 3,000 tokens
	maxToken    = 128 << 10
	maxFigure   = 1 << 10
)

const (
	theList = "the list of tokens"
	asJSON  = "?format=json"
)

// A token is the reading of all answers about one token.
type token struct {
	*auditor
	path    string
	states  map[string]*supply.State // what follows from the evidence of a snapshot, by its id
	named   string                   // the first snapshot that an answer named
	found   int                      // number of documents and bare figures
	missing []missing
}

// A missing answer is one that the service does not have. name is that of the figure, or "" if the
// answer is not a figure.
type missing struct{ where, name string }

func (a *auditor) token(path string) *token {
	return &token{auditor: a, path: path, states: map[string]*supply.State{}}
}

// readToken reads and compares all answers about a token. They are either all there or, while there
// are no figures, all missing.
func (a *auditor) readToken(ctx context.Context, path string) error {
	t := a.token(path)
	for _, path := range []string{"", "/"} {
		if err := t.readDocument(ctx, path); err != nil {
			return err
		}
	}
	for _, name := range supply.FigureNames {
		for _, path := range forms(name) {
			if err := t.readFigure(ctx, name, path); err != nil {
				return err
			}
		}
	}
	for _, read := range []func(context.Context) error{t.readEvidence, t.readProofs, t.readLedger} {
		if err := read(ctx); err != nil {
			return err
		}
	}
	for _, m := range t.missing {
		if t.found > 0 && (m.name == "" || t.states[t.named].HasFigure(m.name)) {
			return fault(passing, m.where, "the service has nothing there, but other answers about the token")
		}
	}
	a.served[path] = t.found > 0
	a.report.Compared["figures"] += t.found
	return nil
}

// forms returns the addresses of a figure, below its token's path.
func forms(name string) []string {
	list := []string{"/" + name, "/" + name + asJSON}
	for _, word := range []string{name, strings.TrimSuffix(name, "supply")} {
		list = append(list, "?q="+word, "/?q="+word)
	}
	return list
}

// readAnswer reads a document or a figure with a name. The body is nil if it is not there.
func (t *token) readAnswer(ctx context.Context, where, name string, most int64) ([]byte, http.Header, error) {
	body, header, err := t.get(ctx, where, most)
	if err != nil {
		return nil, nil, err
	}
	if body == nil || t.isPage(body) {
		t.missing = append(t.missing, missing{where, name})
		return nil, nil, nil
	}
	t.found++
	return body, header, nil
}

// readDocument compares the token's document with the one that follows from the snapshot that it names.
func (t *token) readDocument(ctx context.Context, path string) error {
	where := "/" + t.path + path
	body, _, err := t.readAnswer(ctx, where, "", maxToken)
	if body == nil {
		return err
	}
	var said supply.Document
	if err := json.Unmarshal(body, &said); err != nil || said.Snapshot == nil {
		return fault(differs, where, "it names no snapshot: %.200q", body)
	}
	t.report.Demo = t.report.Demo && said.Status == supply.Demo
	s, err := t.follow(ctx, where, *said.Snapshot)
	if err != nil {
		return err
	}
	return compareDocument(where, body, said, s)
}

// readFigure compares the figure with a name with the one that follows from the snapshot that its header
// names.
func (t *token) readFigure(ctx context.Context, name, path string) error {
	where := "/" + t.path + path
	body, header, err := t.readAnswer(ctx, where, name, maxFigure)
	if body == nil {
		return err
	}
	ids := header.Values("Supply-Snapshot")
	if len(ids) == 0 {
		ids = t.recentIDs()
	}
	different := fault(differs, where, "it is %.80q, but names no snapshot, and the log has none of the token", body)
	for _, id := range ids {
		s, err := t.follow(ctx, where, id)
		if err != nil {
			return err
		}
		different = compareFigure(where, name, body, header, s)
		if different == nil {
			return nil
		}
	}
	return different
}

// recentIDs returns the snapshots that a figure without a header may be of: the one that the token's
// document names, and others that caches may have. Files have no header, and some caches drop it.
func (t *token) recentIDs() (ids []string) {
	if t.named != "" {
		ids = append(ids, t.named)
	}
	for id, l := range t.log.leaves {
		if l.Token == t.path {
			ids = append(ids, id)
		}
	}
	return ids
}

// compareDocument compares the document of a token with the one that follows from s. The name of the
// token and the status are not in the evidence.
func compareDocument(where string, body []byte, said supply.Document, s *supply.State) error {
	want := s.Document()
	want.Name = said.Name
	want.Status = said.Status
	if !sameJSON(body, want) {
		return fault(differs, where, "it is %s, but should be %s", difference(body, tlog.Encode(want)),
			difference(tlog.Encode(want), body))
	}
	return nil
}

// compareFigure compares the figure with a name, and its header, with those that follow from s.
func compareFigure(where, name string, body []byte, header http.Header, s *supply.State) error {
	want, has := s.Figure(name)
	same := string(body) == want
	if strings.HasSuffix(where, asJSON) {
		same = sameJSON(body, supply.FigureResult{Result: want})
	}
	if !has || !same {
		return fault(differs, where, "it is %.80q, but its snapshot %s has %.80q", body, s.Snapshot.ID, want)
	}
	for _, field := range s.Snapshot.Header() {
		if got := header.Values(field[0]); len(got) > 0 && !slices.Equal(got, field[1:]) {
			return fault(differs, where, "its header %s is %.140q, but its snapshot has %s", field[0], got, field[1])
		}
	}
	return nil
}

// difference returns the part of a text around the first place where it differs from another.
func difference(text, from []byte) string {
	at := 0
	for at < min(len(text), len(from)) && text[at] == from[at] {
		at++
	}
	return ledger.Clip(string(text[max(0, at-60):min(len(text), at+60)]))
}

// follow returns the state that follows from the snapshot that the answer at an address names. The
// log must have the snapshot as a recent one that is not wrong.
func (t *token) follow(ctx context.Context, where, id string) (*supply.State, error) {
	if t.named == "" {
		t.named = id
	}
	if err := t.confirm(ctx, where, id, nil); err != nil {
		return nil, err
	}
	return t.load(ctx, where, id)
}

// confirm checks that the snapshot is recent, and has this correction or none.
func (t *token) confirm(ctx context.Context, where, id string, said *supply.Correction) error {
	return t.withLog(ctx, func() error { return t.log.confirm(where, t.path, id, said) })
}

// load reads and checks the evidence of the snapshot that the answer at an address names, and returns
// the state that follows from it.
func (t *token) load(ctx context.Context, where, id string) (*supply.State, error) {
	if t.states[id] != nil {
		return t.states[id], nil
	}
	if !tlog.IsHash(id) {
		return nil, fault(differs, where, "%.80q is not the id of a snapshot", id)
	}
	at := "/" + t.path + "/evidence?snapshot=" + id
	text, err := t.need(ctx, at, maxDocument)
	if err != nil {
		return nil, fault(passing, where, "it names snapshot %s: %w", id, err)
	}
	ev, err := t.checkEvidence(ctx, at, text)
	if err != nil {
		return nil, err
	}
	if ev.Snapshot != id {
		return nil, fault(differs, at, "it is of another snapshot: %s", ev.Snapshot)
	}
	s := ev.State()
	t.states[id] = &s
	return &s, nil
}

// checkEvidence checks the evidence at an address. The log must have its snapshot as a recent one.
func (t *token) checkEvidence(ctx context.Context, at string, text []byte) (*supply.Evidence, error) {
	ev, err := supply.ParseEvidence(bytes.NewReader(text))
	if err != nil {
		return nil, fault(differs, at, "%w", err)
	}
	if ev.Token != t.path {
		return nil, fault(differs, at, "it is of another token: %q", ledger.Clip(ev.Token))
	}
	if err := t.verify(ctx, at, ev, nil); err != nil {
		return nil, err
	}
	_, signed, _ := strings.Cut(ev.Inclusion, "\n\n")
	c, err := tlog.OpenCheckpoint([]byte(signed), t.log.key)
	if err != nil {
		return nil, fault(passing, at, "the evidence of snapshot %s has no inclusion in the log: %w", ev.Snapshot, err)
	}
	t.log.history(t.path).symbol = ev.Symbol
	if err := t.checkHead(ctx, at, c.Tree); err != nil {
		return nil, err
	}
	return ev, t.confirm(ctx, at, ev.Snapshot, ev.Correction)
}

// verify recomputes evidence, and executes its proof if there is one.
func (t *token) verify(ctx context.Context, at string, ev *supply.Evidence, d *proof.Document) error {
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: t.log.key})
	for _, f := range v.With(supply.False) {
		return fault(differs, at, "the evidence: %s: %s", f.What, f.Detail)
	}
	t.report.proven(ev, d, v)
	return nil
}

// readEvidence reads the evidence at the address without an id.
func (t *token) readEvidence(ctx context.Context) error {
	at := "/" + t.path + "/evidence"
	text, _, err := t.get(ctx, at, maxDocument)
	if err != nil {
		return err
	}
	if text == nil {
		t.missing = append(t.missing, missing{where: at})
		return nil
	}
	ev, err := t.checkEvidence(ctx, at, text)
	if err == nil && t.found == 0 && ev.Correction == nil {
		err = fault(passing, at, "it is there, but the token has no figures")
	}
	return err
}

// readProofs checks the proof of the newest snapshot, if there is one, at both of its addresses.
func (t *token) readProofs(ctx context.Context) error {
	at := "/" + t.path + "/proof"
	list := []string{at, at + "?snapshot=" + t.named}
	if t.named == "" {
		list = list[:1]
	}
	var last []byte
	for _, where := range list {
		text, _, err := t.get(ctx, where, maxDocument)
		if err != nil {
			return err
		}
		if text == nil || bytes.Equal(text, last) {
			continue
		}
		last = text
		d, err := proof.Parse(bytes.NewReader(text))
		if err != nil {
			return fault(differs, where, "%w", err)
		}
		s, err := t.load(ctx, where, d.Snapshot)
		if err != nil {
			return err
		}
		if err := t.verify(ctx, where, s.Snapshot.Evidence, d); err != nil {
			return err
		}
		t.report.Compared["proofs"]++
	}
	if last == nil && t.found > 0 {
		name(&t.report.Unproven, t.path+", every entry: the service has no proof of this snapshot")
	}
	return nil
}

// readLedger checks the hashes of the token's ledgers. The log must have announced them.
func (t *token) readLedger(ctx context.Context) error {
	where := "/" + t.path + "/ledger"
	text, _, err := t.get(ctx, where, maxDocument)
	if err != nil {
		return err
	}
	if text == nil {
		if t.log.history(t.path).newest != nil {
			return fault(passing, where, "the service has nothing there")
		}
		return nil
	}
	var d ledger.Document
	if err := parse(text, &d); err != nil {
		return fault(differs, where, "%w", err)
	}
	if !sameJSON(text, d) || d.Token != t.path {
		return fault(differs, where, "its form or its token is wrong: %s", difference(text, tlog.Encode(d)))
	}
	versions := append(slices.Clone(d.Earlier), d.Version)
	if d.Pending != nil {
		versions = append(versions, *d.Pending)
	}
	since := map[string]time.Time{} // when the announced versions were first used
	for _, v := range versions {
		own := ledger.Token{Path: t.path, Decimals: v.Decimals, MaxSupply: v.MaxSupply, Bridges: v.Bridges,
			Ledger: v.Entries}
		if _, twice := since[v.Hash]; twice || v.Bridges == nil || own.LedgerHash() != v.Hash {
			return fault(differs, where, "version %.64q has another hash, or is there twice", v.Hash)
		}
		if v.Since != nil {
			since[v.Hash] = *v.Since
		}
	}
	t.report.Compared["ledgers"]++
	return t.withLog(ctx, func() error { return t.log.confirmLedgers(where, t.path, d.Hash, since) })
}

// An entry is a token in the list.
type entry struct {
	supply.Document
	text []byte
}

// readList reads the list of tokens.
func (a *auditor) readList(ctx context.Context) (list []entry, err error) {
	body, err := a.need(ctx, "/", maxList)
	if err != nil {
		return nil, err
	}
	var documents []json.RawMessage
	if err := parse(body, &documents); err != nil {
		return nil, fault(differs, theList,
			"%w; if a file server has a frozen copy here, audit the folder, or add --copy", err)
	}
	for i, text := range documents {
		e := entry{text: text}
		if err := json.Unmarshal(text, &e.Document); err != nil {
			return nil, fault(differs, theList, "token %d: %w", i+1, err)
		}
		if e.Snapshot == nil {
			none := &supply.State{Token: &ledger.Token{Symbol: e.Symbol, Decimals: e.Decimals},
				Status: supply.Withdrawn, Correction: e.Correction}
			if err := compareDocument(theList, text, e.Document, none); err != nil {
				return nil, err
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// compareList compares the list with the snapshots that it names, and with the tokens that were read.
func (a *auditor) compareList(ctx context.Context, list []entry) error {
	listed := map[string]bool{}
	for _, e := range list {
		if e.Snapshot == nil && e.Correction == nil {
			continue
		}
		err := a.withLog(ctx, func() error {
			if e.Snapshot == nil {
				return a.log.confirmCorrection(e.Symbol, e.Correction)
			}
			return a.log.confirm(theList, "", *e.Snapshot, nil)
		})
		if err != nil {
			return err
		}
		if e.Snapshot == nil {
			continue
		}
		path := a.log.leaves[*e.Snapshot].Token
		if listed[path] {
			return fault(differs, theList, "it has %s twice", path)
		}
		listed[path] = true
		s, err := a.token(path).load(ctx, theList, *e.Snapshot)
		if err != nil {
			return err
		}
		if err := compareDocument(theList+", "+path, e.text, e.Document, s); err != nil {
			return err
		}
	}
	for _, path := range slices.Sorted(maps.Keys(a.served)) {
		if has := a.served[path]; has != listed[path] {
			delete(a.served, path)
			return fault(passing, theList, "%s has figures: %t; in the list: %t", path, has, listed[path])
		}
	}
	return nil
}

// isPage reports whether an answer is a page of the site. A token that was published has none at its
// addresses.
func (t *token) isPage(body []byte) bool {
	return t.log.tokens[t.path] == nil && bytes.HasPrefix(bytes.ToLower(bytes.TrimSpace(body)), []byte("<!doctype"))
}

// parse reads JSON. It rejects a text that other readers may read differently.
func parse(text []byte, into any) error {
	if err := proof.CheckKeys(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// sameJSON reports whether text is our encoding of v, apart from white space. So no other reader can
// see other values in it.
func sameJSON(text []byte, v any) bool {
	var compact bytes.Buffer
	return json.Compact(&compact, text) == nil && bytes.Equal(compact.Bytes(), tlog.Encode(v))
}
