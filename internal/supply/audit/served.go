package audit

import (
	"bytes"
	"cmp"
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

// Limits of answers in bytes.
const (
	maxDocument = 8 << 20
	maxList     = 2 << 20 // some 3,000 tokens
	maxToken    = 128 << 10
	maxFigure   = 1 << 10
)

// An entry is a token in the list.
type entry struct {
	supply.Document
	text []byte
}

// readList reads the list of tokens.
func (a *auditor) readList(ctx context.Context) (list []*entry, err error) {
	body, err := a.need(ctx, "/", maxList)
	if err != nil {
		return nil, err
	}
	var documents []json.RawMessage
	if err := parse(body, &documents); err != nil {
		return nil, fault(theList, "%w; if a file server has a frozen copy here, audit the folder, or add --copy", err)
	}
	for i, text := range documents {
		e := &entry{text: text}
		if err := json.Unmarshal(text, &e.Document); err != nil {
			return nil, fault(theList, "token %d: %w", i+1, err)
		}
		none := supply.Document{Symbol: e.Symbol, Name: e.Name, Decimals: e.Decimals, Status: e.Status, Blocks: []supply.Block{},
			Correction: e.Correction}
		if e.Snapshot == nil && !sameJSON(text, none) {
			return nil, fault(theList, "token %d names no snapshot, but has other members: %.200q", i+1, text)
		}
		list = append(list, e)
	}
	return list, nil
}

const theList = "the list of tokens"

// A token is the reading of all answers about one token.
type token struct {
	*auditor
	path   string
	states map[string]*supply.State // what follows from the evidence of a snapshot, by its id
	named  string                   // the first snapshot that an answer named
	found  int                      // number of documents and bare figures
	absent []string                 // their addresses without an answer
	demo   bool                     // all documents say that the figures are invented
}

// readToken reads and compares all answers about a token. They are either all there or, while there
// are no figures, all missing.
func (a *auditor) readToken(ctx context.Context, path string) error {
	t := &token{auditor: a, path: path, states: map[string]*supply.State{}, demo: true}
	for _, path := range []string{"", "/"} {
		if err := t.readDocument(ctx, path); err != nil {
			return err
		}
	}
	for _, name := range supply.FigureNames {
		for _, path := range a.forms(name) {
			if err := t.readFigure(ctx, name, path); err != nil {
				return err
			}
		}
	}
	if err := t.readEvidence(ctx); err != nil {
		return err
	}
	if err := t.readProofs(ctx); err != nil {
		return err
	}
	if err := t.readLedger(ctx); err != nil {
		return err
	}
	if t.found > 0 && len(t.absent) > 0 {
		return passing("/"+path+t.absent[0], "the service has nothing there, but other figures of the token")
	}
	a.served[path] = t.found > 0
	a.report.Compared["figures"] += t.found
	if t.found > 0 {
		a.report.Demo = a.report.Demo && t.demo
	}
	return nil
}

// forms returns the addresses of a figure, below its token's path.
func (a *auditor) forms(name string) []string {
	list := []string{"/" + name, "/" + name + asJSON}
	if a.Copy {
		return list // a copy has no other forms
	}
	for _, word := range []string{name, strings.TrimSuffix(name, "supply")} {
		list = append(list, "?q="+word, "/?q="+word)
	}
	return list
}

const asJSON = "?format=json"

// readDocument compares the token's document with the one that follows from the snapshot that it
// names. The name and the status are not in the evidence.
func (t *token) readDocument(ctx context.Context, path string) error {
	where := "/" + t.path + path
	body, _, err := t.get(ctx, where, maxToken)
	if err != nil {
		return err
	}
	if body == nil || t.isPage(body) {
		t.absent = append(t.absent, path)
		return nil
	}
	t.found++
	var d supply.Document
	if err := json.Unmarshal(body, &d); err != nil || d.Snapshot == nil {
		return fault(where, "it names no snapshot: %.200q", body)
	}
	t.demo = t.demo && d.Status == supply.Demo
	s, err := t.follow(ctx, where, *d.Snapshot)
	if err != nil {
		return err
	}
	return compareDocument(where, body, d, s)
}

// compareDocument compares a document with the one that follows from s.
func compareDocument(where string, text []byte, d supply.Document, s *supply.State) error {
	want := s.Document()
	want.Name = d.Name
	want.Status = d.Status
	if !sameJSON(text, want) {
		return fault(where, "it is %s, but its snapshot has %s", ledger.Clip(firstDifference(text, tlog.Encode(want))),
			ledger.Clip(firstDifference(tlog.Encode(want), text)))
	}
	return nil
}

// firstDifference returns the part of a text from a little before the place where it differs.
func firstDifference(text, from []byte) string {
	at := 0
	for at < min(len(text), len(from)) && text[at] == from[at] {
		at++
	}
	return string(text[max(0, at-60):min(len(text), at+60)])
}

// readFigure compares a bare figure with the one that follows from the snapshot that its header
// names. Files have no header, and some caches drop it. Then any recent snapshot may be meant.
func (t *token) readFigure(ctx context.Context, name, path string) error {
	where := "/" + t.path + path
	body, header, err := t.get(ctx, where, maxFigure)
	if err != nil {
		return err
	}
	if body == nil || t.isPage(body) && strings.Contains(path, "?q=") {
		for _, s := range t.states {
			if s.HasFigure(name) && !slices.Contains(t.absent, path) {
				t.absent = append(t.absent, path)
			}
		}
		return nil
	}
	t.found++
	ids := header.Values("Supply-Snapshot")
	if len(ids) > 1 {
		return fault(where, "it names the snapshots %.200q", ids)
	}
	if len(ids) == 0 {
		ids = t.recentIDs()
	}
	if len(ids) == 0 {
		return fault(where, "it is %.80q, but names no snapshot, and the log has none of the token", body)
	}
	var different error
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

// recentIDs returns the snapshot that the token's document names, and others that caches may have.
func (t *token) recentIDs() (ids []string) {
	if t.named != "" {
		ids = append(ids, t.named)
	}
	if h := t.log.tokens[t.path]; h != nil && !t.Copy {
		for _, l := range h.recent {
			ids = append(ids, l.id)
		}
	}
	return ids
}

// compareFigure compares a bare figure and its header with those that follow from s.
func compareFigure(where, name string, body []byte, header http.Header, s *supply.State) error {
	want, has := s.Figure(name)
	if strings.HasSuffix(where, asJSON) {
		want = string(tlog.Encode(supply.FigureResult{Result: want}))
		var compact bytes.Buffer
		if json.Compact(&compact, body) == nil {
			body = compact.Bytes()
		}
	}
	if !has || string(body) != want {
		return fault(where, "it is %.80q, but its snapshot %s has %.80q", body, s.Snapshot.ID, want)
	}
	for _, field := range s.Snapshot.Header() {
		if got := header.Values(field[0]); len(got) > 0 && !slices.Equal(got, field[1:]) {
			return fault(where, "its header %s is %.140q, but its snapshot has %s", field[0], got, field[1])
		}
	}
	return nil
}

// follow returns the state that follows from the evidence of a snapshot that an answer names. The
// log must have the snapshot as a recent one that was not wrong.
func (t *token) follow(ctx context.Context, where, id string) (*supply.State, error) {
	if t.named == "" {
		t.named = id
	}
	if s := t.states[id]; s != nil {
		return s, t.serves(where, id)
	}
	if !tlog.IsHash(id) {
		return nil, fault(where, "%.80q is not the id of a snapshot", id)
	}
	text, err := t.need(ctx, "/"+t.path+"/evidence?snapshot="+id, maxDocument)
	if err != nil && mayPass(err) {
		return nil, passing(where, "it names snapshot %s, which has no evidence", id)
	}
	if err != nil {
		return nil, err
	}
	ev, err := t.checkEvidence(ctx, "/"+t.path+"/evidence?snapshot="+id, where, text, nil)
	if err != nil {
		return nil, err
	}
	if ev.Snapshot != id {
		return nil, fault(where, "it names snapshot %s, but that address has the evidence of %s", id, ev.Snapshot)
	}
	s := ev.State()
	t.states[id] = &s
	return &s, t.serves(where, id)
}

// serves adds the statement that the figures of a snapshot are right now.
func (t *token) serves(where, id string) error {
	return t.state(where, id, nil)
}

// state adds the statement that the snapshot is recent, and has this correction or none.
func (t *token) state(where, id string, said *supply.Correction) error {
	log, path := t.log, t.path
	return t.later(fmt.Sprintf("%s of %s, %s", id, path, tlog.Encode(said)), func() error {
		return log.confirm(where, path, id, said)
	})
}

// confirm checks that a snapshot is recent, and that its figures have this correction or none.
func (l *log) confirm(where, token, id string, said *supply.Correction) error {
	leaf := l.leaves[id]
	switch {
	case leaf == nil || leaf.token != token:
		return passing(where, "its snapshot %s was not the newest of %s in the log within the last two minutes, or is not "+
			"signed yet", id, token)
	case leaf.until != moment{} && !l.recent(leaf.until):
		return fault(where, "its snapshot %s was replaced at %s", id, leaf.until.at.Format(time.RFC3339))
	case sameCorrection(said, leaf.run.wrong):
		return nil
	case l.recent(leaf.run.changed) && sameCorrection(said, leaf.run.before):
		return nil
	case said != nil:
		return passing(where, "it has a correction that the log does not have: %.200q", said.Reason)
	}
	return fault(where, "the log marks the figures of snapshot %s as wrong, but they are still served", id)
}

// checkEvidence checks evidence, with its proof if there is one. namedAt is the address of the answer
// that named its snapshot.
func (t *token) checkEvidence(ctx context.Context, where, namedAt string, text []byte, d *proof.Document,
) (*supply.Evidence, error) {
	ev, err := supply.ParseEvidence(bytes.NewReader(text))
	if err != nil {
		return nil, fault(where, "%w", err)
	}
	if ev.Token != t.path {
		return nil, fault(where, "it is of another token, %q", ledger.Clip(ev.Token))
	}
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: t.log.key})
	for _, f := range v.With(supply.False) {
		return nil, fault(where, "the evidence: %s: %s", f.What, f.Detail)
	}
	_, signed, _ := strings.Cut(ev.Inclusion, "\n\n")
	c, err := tlog.OpenCheckpoint([]byte(signed), t.log.key)
	if err != nil {
		return nil, passing(namedAt, "the evidence of its snapshot %s has no inclusion in the log: %w", ev.Snapshot, err)
	}
	if err := t.sawHead(where, c.Tree); err != nil {
		return nil, err
	}
	if err := t.state(namedAt, ev.Snapshot, ev.Correction); err != nil {
		return nil, err
	}
	t.symbols[ev.Symbol] = t.path
	t.report.proven(ev, d, v)
	return ev, nil
}

// readEvidence reads the evidence at the address without an id.
func (t *token) readEvidence(ctx context.Context) error {
	where := "/" + t.path + "/evidence"
	text, _, err := t.get(ctx, where, maxDocument)
	if err != nil {
		return err
	}
	if text == nil {
		t.absent = append(t.absent, "/evidence")
		return nil
	}
	ev, err := t.checkEvidence(ctx, where, where, text, nil)
	if err != nil {
		return err
	}
	if t.found == 0 && ev.Correction == nil {
		return passing(where, "it is there, but the token has no figures")
	}
	return nil
}

// readProofs checks the proof of the newest snapshot, if there is one, at both of its addresses.
func (t *token) readProofs(ctx context.Context) error {
	where := "/" + t.path + "/proof"
	text, _, err := t.get(ctx, where, maxDocument)
	if err != nil {
		return err
	}
	if text == nil && t.found > 0 {
		name(&t.report.Unproven, t.path+", every entry: the service has no proof of this snapshot")
	}
	if err := t.checkProof(ctx, where, text); err != nil || t.named == "" || t.Copy {
		return err
	}
	where += "?snapshot=" + t.named
	own, _, err := t.get(ctx, where, maxDocument)
	if err != nil || bytes.Equal(own, text) {
		return err
	}
	return t.checkProof(ctx, where, own)
}

// checkProof checks a proof, which is nil if there is none.
func (t *token) checkProof(ctx context.Context, where string, text []byte) error {
	if text == nil {
		return nil
	}
	d, err := proof.Parse(bytes.NewReader(text))
	if err != nil {
		return fault(where, "%w", err)
	}
	if !tlog.IsHash(d.Snapshot) {
		return fault(where, "%.80q is not the id of a snapshot", d.Snapshot)
	}
	evidence, err := t.need(ctx, "/"+t.path+"/evidence?snapshot="+d.Snapshot, maxDocument)
	if err != nil {
		return err
	}
	if _, err = t.checkEvidence(ctx, where, where, evidence, d); err != nil {
		return err
	}
	t.report.Compared["proofs"]++
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
		if h := t.log.tokens[t.path]; h != nil && h.leaf != nil {
			return passing(where, "the service has nothing there")
		}
		return nil
	}
	var d ledger.Document
	if err := parse(text, &d); err != nil {
		return fault(where, "%w", err)
	}
	if !sameJSON(text, d) || d.Token != t.path {
		return fault(where, "its form or its token is wrong: %s", ledger.Clip(firstDifference(text, tlog.Encode(d))))
	}
	versions := append(slices.Clone(d.Earlier), d.Version)
	if d.Pending != nil {
		versions = append(versions, *d.Pending)
	}
	since := map[string]*time.Time{}
	for _, v := range versions {
		own := ledger.Token{Path: t.path, Decimals: v.Decimals, MaxSupply: v.MaxSupply, Bridges: v.Bridges, Ledger: v.Entries}
		if _, twice := since[v.Hash]; twice || v.Bridges == nil || own.LedgerHash() != v.Hash {
			return fault(where, "version %.64q has another hash, or is there twice", v.Hash)
		}
		if v.Since != nil && v.Since.Location() != time.UTC {
			return fault(where, "version %.64q applies since %s, which is not in UTC", v.Hash, v.Since)
		}
		since[v.Hash] = v.Since
	}
	t.symbols[d.Symbol] = t.path
	t.report.Compared["ledgers"]++
	log, path := t.log, t.path
	return t.later("ledger of "+path+", "+string(tlog.Encode(since))+d.Hash, func() error {
		return log.confirmLedgers(where, path, d.Hash, since)
	})
}

// confirmLedgers checks that the log announced these ledgers of a token, and no others, and that
// recent figures used the first.
func (l *log) confirmLedgers(where, token, used string, since map[string]*time.Time) error {
	for _, hash := range slices.Sorted(maps.Keys(since)) {
		made, known := l.ledgers[[2]string{token, hash}]
		switch said := since[hash]; {
		case said == nil && known && !l.recent(made.made):
			return fault(where, "version %.64q has no \"since\", but the log announced it", hash)
		case said != nil && !known:
			return passing(where, "no leaf announced version %.64q", hash)
		case said != nil && !said.Equal(made.since):
			return fault(where, "version %.64q applies since %s, but the log says since %s", hash,
				said.Format(time.RFC3339Nano), made.since.Format(time.RFC3339Nano))
		}
	}
	for key, made := range l.ledgers {
		if _, listed := since[key[1]]; key[0] == token && !listed && !l.recent(made.made) {
			return fault(where, "version %.64q, which the log announced, is missing", key[1])
		}
	}
	h := l.tokens[token]
	if h == nil || h.leaf == nil || l.recent(l.ledgers[[2]string{token, h.recent[0].ledger}].made) ||
		slices.ContainsFunc(h.recent, func(f *leaf) bool { return f.ledger == used }) {
		return nil
	}
	return fault(where, "it is %.64q, but the log has figures of %s", used, h.leaf.ledger)
}

// compareList compares the list of tokens with the tokens that were read.
func (a *auditor) compareList(ctx context.Context, list []*entry) (first error) {
	listed := map[string]bool{}
	all := slices.Concat(a.unnamed, list)
	a.unnamed = nil
	for i, e := range all {
		path, err := a.compareEntry(ctx, e)
		if err != nil && !mayPass(err) {
			return err
		}
		first = cmp.Or(first, err)
		if err == nil && path != "" && i >= len(all)-len(list) {
			if listed[path] {
				return fault(theList, "it has %s twice", path)
			}
			listed[path] = true
		}
	}
	for _, path := range slices.Sorted(maps.Keys(a.served)) {
		if has := a.served[path]; first == nil && has != listed[path] {
			first = passing(theList, "%s has figures: %t; in the list: %t", path, has, listed[path])
			delete(a.served, path)
		}
	}
	return first
}

// compareEntry compares an entry of the list with the snapshot that it names, and returns the path of
// its token. The path is "" if the entry has no figures.
func (a *auditor) compareEntry(ctx context.Context, e *entry) (string, error) {
	if e.Snapshot == nil {
		return "", a.compareBare(e)
	}
	id := *e.Snapshot
	leaf := a.log.leaves[id]
	if leaf == nil {
		a.unnamed = append(a.unnamed, e)
		if len(a.unnamed) > maxUnnamed {
			return "", &unread{errors.New("the list of tokens names too many snapshots that are not in the log")}
		}
		return "", passing(theList, "%q names snapshot %.80q, which was not the newest of a token in the log within the last "+
			"two minutes, or is not signed yet", ledger.Clip(e.Symbol), id)
	}
	t := &token{auditor: a, path: leaf.token, states: map[string]*supply.State{}}
	s, err := t.follow(ctx, theList, id)
	if err == nil {
		err = a.log.confirm(theList, leaf.token, id, nil)
	}
	if err == nil {
		err = compareDocument(theList+", "+leaf.token, e.text, e.Document, s)
	}
	return leaf.token, err
}

// maxUnnamed limits the entries of lists that are kept until the log has their snapshots.
const maxUnnamed = 100

// compareBare compares an entry without figures. Its correction must be that of its token.
func (a *auditor) compareBare(e *entry) error {
	if e.Correction == nil {
		return nil
	}
	path, known := a.symbols[e.Symbol]
	h := a.log.tokens[path]
	if !known || h == nil || h.leaf == nil {
		return passing(theList, "it has a correction of %q, which has no figures in the log", ledger.Clip(e.Symbol))
	}
	return a.log.confirm(theList+", "+path, path, h.leaf.id, e.Correction)
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
