package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

var (
	// errDiffers means that the service and the log differ. The log may have grown since it was
	// read.
	errDiffers = errors.New("the service differs from its log")
	// errAhead is errDiffers for an answer about a snapshot that is not the token's newest among
	// the leaves read so far. checkDeferred compares the answer with the leaf of that snapshot
	// later.
	errAhead = fmt.Errorf("%w", errDiffers)
	// errDecided is errDiffers after a recent change, because a cache may still have the answer
	// from before it. Such a change is a decision of an operator, a token's first figures, or the
	// start of another ledger or another log.
	errDecided = fmt.Errorf("%w", errDiffers)
	// errUnlogged is errDiffers for a correction that the log does not have. The log may get it
	// later, because it waits for a witness after a failover.
	errUnlogged = fmt.Errorf("%w", errDiffers)
	errOutrun   = errors.New("the service publishes faster than it answers, or a cache keeps its answers; " +
		"audit it without the cache, or audit a frozen copy")
)

// Limits of answers in bytes.
const (
	maxDocument = 8 << 20
	maxList     = 2 << 20   // some 3,000 tokens
	maxToken    = 128 << 10 // a token's document has at most 256 blocks
)

// compareServed checks that all answers of the service about tokens match the newest leaf of each.
func (a *auditor) compareServed(ctx context.Context) error {
	body, err := a.get(ctx, "/", maxList)
	if err != nil {
		return notFaulty(err)
	}
	var documents []json.RawMessage
	if err := parse(body, &documents); err != nil {
		return fault("the list of tokens",
			"%w; if a file server has a frozen copy here, audit the folder, or add --copy", err)
	}
	r := &a.report
	r.Served, r.Withdrawn, r.Wrong, r.Bare = []string{}, []string{}, []string{}, []string{}
	var bare []bareToken
	demo := true // every served figure is invented
	for i, text := range documents {
		where := fmt.Sprintf("token %d of the list", i+1)
		if len(text) > maxToken {
			return fault(where, "it is longer than %d bytes", maxToken)
		}
		d, err := parseDocument(text)
		if err != nil {
			return fault(where, "%w", err)
		}
		id := d.text("snapshot")
		if id == "" {
			if err := a.sameMembers(supply.Document{Blocks: []supply.Block{}, Correction: &supply.Correction{}}, d,
				"symbol", "name", "decimals", "status", "correction"); err != nil {
				return fault(where, "it names no snapshot, and %w", err)
			}
			symbol := d.text("symbol")
			bare = append(bare, bareToken{ledger.Clip(symbol), shortID(symbol), d["correction"]})
			continue
		}
		token := a.find(id)
		switch {
		case token == "":
			return a.deferCheck(fmt.Sprintf("%.80q", d.text("symbol")), "", id, d.bytes(),
				func(l supply.Logged) error { return a.compareLeaf(l, d) })
		case slices.Contains(r.Served, token):
			return fault(token, "it is in the list twice")
		case a.done[token] != "":
			err = a.compareAgain(token, d)
		default:
			if err = a.whole(func() error { return a.compareToken(ctx, token, d) }); err == nil {
				a.done[token], a.named[token] = id, d.named()
			}
		}
		if err != nil {
			return err
		}
		r.Served = append(r.Served, token)
		demo = demo && d.isDemo()
	}
	r.Demo = demo && len(r.Served) > 0
	return a.whole(func() error { return a.compareBare(ctx, bare) })
}

// whole calls the function compare. If that fails, it restores the report, because the same answers
// may be compared again. It keeps Retried, Agreed, Cut and OtherSignatures, because the next answers
// may say something else.
func (a *auditor) whole(compare func() error) error {
	before, compared := a.report, maps.Clone(a.report.Compared)
	err := compare()
	if err != nil {
		before.Compared, before.Retried, before.Agreed = compared, a.report.Retried, a.report.Agreed
		before.OtherSignatures, before.Cut = a.report.OtherSignatures, a.report.Cut
		a.report = before
	}
	return err
}

// figureNames are the figures that have their own paths.
var figureNames = []string{"total", "circulating", "max", "burned", "locked", "reserved"}

// figurePaths returns the paths of a single figure, relative to its token's path.
func (a *auditor) figurePaths(name string) []string {
	paths := []string{"/" + name + "supply", "/" + name + "supply?format=json"}
	if a.Copy {
		return paths // a copy has no other forms; fileOf returns the file for format=json
	}
	for _, query := range []string{"?q=" + name, "?q=" + name + "supply"} {
		paths = append(paths, query, "/"+query)
	}
	return paths
}

// A bareToken is a token in the list that has no figure.
type bareToken struct {
	symbol     string          // cut
	id         uint64          // short id of the whole symbol
	correction json.RawMessage // nil if there is none
}

// compareBare checks the tokens without a figure: those in the log that are not served, and those
// that only the list names. They must have no figure at their own paths either.
func (a *auditor) compareBare(ctx context.Context, bare []bareToken) error {
	for _, b := range bare {
		if !slices.Contains(a.report.Bare, b.symbol) {
			a.report.Bare = append(a.report.Bare, b.symbol)
		}
	}
	compared, wrong := map[string]bool{}, map[uint64]correctionSet{} // by token, and by the shortID of a symbol
	for _, token := range slices.Sorted(maps.Keys(a.tokens)) {
		if compared[token] = true; slices.Contains(a.report.Served, token) {
			continue
		}
		own := a.wrong(a.tokens[token])
		a.report.Withdrawn = append(a.report.Withdrawn, token)
		if a.tokens[token].correction.wrong {
			a.report.Wrong = append(a.report.Wrong, token)
		}
		symbol, err := a.compareWithdrawn(ctx, token, own)
		if err != nil {
			return err
		}
		maps.Copy(own, wrong[shortID(symbol)]) // another token may have the same symbol
		if symbol != "" {
			wrong[shortID(symbol)] = own
		}
	}
	others := map[string]bool{} // paths where tokens without a snapshot in the log may be
	for _, b := range bare {
		if b.correction != nil && !wrong[b.id].has(b.correction) {
			return fault("the list of tokens", "it has a correction of %q that the log does not have: %w", b.symbol, errUnlogged)
		}
		others[b.path()] = true
	}
	for key := range a.ledgers {
		others[key[0]] = true
	}
	for _, path := range slices.Sorted(maps.Keys(others)) {
		if !compared[path] && isTokenPath(path) {
			if _, err := a.compareWithdrawn(ctx, path, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// path returns the path that a token with this symbol usually has. The service's list of tokens does
// not say which path it really has.
func (b bareToken) path() string { return strings.ToLower(b.symbol) }

var tokenPath = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// isTokenPath reports whether a token can have this path.
func isTokenPath(path string) bool { return tokenPath.MatchString(path) && "/"+path+"/" != current }

// compareWithdrawn is for a token that has no figure in the service's list. It checks that there is
// none at the token's own paths either, and compares the token's other answers with the log. wrong
// has the log's corrections of the token's newest figures. The result is the symbol in the token's
// ledger, or "" if the service refuses to send the ledger.
func (a *auditor) compareWithdrawn(ctx context.Context, token string, wrong correctionSet) (string, error) {
	n := a.tokens[token] // nil if the log has no snapshot of it
	paths := []string{"", "/"}
	for _, name := range figureNames {
		paths = append(paths, a.figurePaths(name)...)
	}
	if n == nil {
		paths = append(paths, "/evidence", "/proof")
	}
	for _, path := range paths {
		if err := a.compareNone(ctx, n, "/"+token+path, wrong); err != nil {
			return "", err
		}
	}
	symbol := ""
	if n != nil {
		path := "/" + token + "/evidence"
		text, err := a.get(ctx, path, maxDocument)
		switch refusal := refused(wrong, err); {
		case refusal != nil:
			return "", refusal
		case err != nil: // there is no evidence to compare a proof with, so there must be no proof either
			none := a.compareNone(ctx, n, "/"+token+"/proof", wrong)
			if none == nil || !errors.As(err, new(*unread)) {
				err = none
			}
		default: // there is evidence: it must match the log, and have a correction
			var ev *supply.Evidence
			if ev, err = a.compareEvidence(ctx, token, text, false); err == nil {
				symbol = ev.Symbol
			}
		}
		if err != nil {
			return "", err
		}
	}
	symbol, err := a.compareLedger(ctx, token, symbol)
	return symbol, refused(wrong, err)
}

// compareNone checks that there is no figure at a path of the token n, which may be nil.
func (a *auditor) compareNone(ctx context.Context, n *newest, path string, wrong correctionSet) error {
	body, err := a.get(ctx, path, maxDocument)
	name, _, _ := strings.Cut(path, "?")
	name = strings.Trim(name, "/")
	switch {
	case err != nil:
		return refused(wrong, err)
	case n == nil && !a.Copy && bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) && !strings.Contains(name, "/"):
		return nil // a page of the site, such as /about, if the token's symbol is ABOUT
	}
	return fault(path, "there is a figure, but the list has none: %w", a.differs(n))
}

// refused returns nil if err is a proper refusal: a status of 400 or more, without a figure. A
// status such as 403 is not enough, because other callers may get an answer (see refusesCaller).
// refused returns a fault if the answer has a figure, or a correction that the log does not have.
// wrong has the log's corrections. Other errors are returned unchanged.
func refused(wrong correctionSet, err error) error {
	e, ok := errors.AsType[*errStatus](err)
	if !ok || e.code < http.StatusBadRequest || strings.HasPrefix(e.path, current) || refusesCaller(e.code) {
		return err
	}
	return e.carries(wrong)
}

// carries returns a fault if a refusal has a figure, or a correction that is not in wrong.
func (e *errStatus) carries(wrong correctionSet) error {
	d, err := e.members()
	if err != nil {
		return err
	}
	own, _ := parseDocument(tlog.Encode(supply.Document{}))
	own["result"] = nil
	delete(own, "status") // problem documents have a status, and errors of other servers may have a name
	delete(own, "name")
	for name, text := range d {
		isFigure := func(key string) bool { return strings.EqualFold(name, key) }
		switch {
		case string(text) == "null":
		case strings.EqualFold(name, "correction") && !wrong.has(text):
			return fault(e.path, "the refusal has a correction that the log does not have: %w", errUnlogged)
		case slices.ContainsFunc(slices.Collect(maps.Keys(own)), isFigure):
			return fault(e.path, "the refusal has a figure: %.40q is %.80s", name, text)
		}
	}
	return nil
}

// members returns the members of a refusal in JSON, or nil if the refusal is plain text. It returns
// a fault if the refusal is too long, if its text begins with a figure, or if other readers may
// read it differently.
func (e *errStatus) members() (document, error) {
	body := bytes.TrimSpace(bytes.TrimPrefix(e.body, []byte("\ufeff")))
	switch {
	case len(e.body) > maxRefusal:
		return nil, fault(e.path, "the refusal is longer than %d bytes", maxRefusal)
	case bytes.IndexByte(body, 0) >= 0:
		return nil, fault(e.path, "the refusal has zero bytes, so other readers may take it for UTF-16")
	case e.coding != "":
		return nil, fault(e.path, "the encoding of the refusal is %.80q, which other readers may decode differently",
			e.coding)
	case bytes.IndexAny(body, "{[") == 0:
		d, err := parseDocument(bytes.ToValidUTF8(body, nil))
		if err != nil {
			return nil, fault(e.path, "the refusal is JSON that other readers may read differently: %w", err)
		}
		return d, nil
	}
	text := string(body)
	_ = json.Unmarshal(body, &text) // it may be a string in JSON
	if beginsWithFigure(text, e.code) {
		return nil, fault(e.path, "the refusal has a figure: %.80q", e.body)
	}
	return nil, nil
}

// beginsWithFigure reports whether readers may take the beginning of a text for a figure. It skips
// the status code, because many servers begin the texts of their errors with it.
func beginsWithFigure(text string, code int) bool {
	text = fromLetter(text)
	rest, found := strings.CutPrefix(text, strconv.Itoa(code))
	if found && strings.TrimLeft(rest, "0123456789.eE") == rest {
		text = fromLetter(rest)
	}
	r, _ := utf8.DecodeRuneInString(text)
	word := text[:len(text)-len(strings.TrimLeftFunc(text, unicode.IsLetter))]
	_, notNumber := strconv.ParseFloat(word, 64) // readers may take words such as Infinity for numbers
	return unicode.IsDigit(r) || notNumber == nil
}

// fromLetter returns a text from its first letter or digit on.
func fromLetter(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// find returns the token whose newest snapshot has that id, or "".
func (a *auditor) find(id string) string {
	for token, n := range a.tokens {
		if n.ID == id {
			return token
		}
	}
	return ""
}

// A document is a token's JSON object, with its keys as written.
type document map[string]json.RawMessage

func parseDocument(text []byte) (d document, err error) { return d, parse(text, &d) }

// parse reads JSON. It rejects a text that other readers may read differently: one with duplicate
// keys, and one that is not UTF-8. It also rejects a text that would take far more memory than its
// size suggests.
func parse(text []byte, into any) error {
	if !utf8.Valid(text) {
		return errors.New("it is not UTF-8")
	}
	if err := proof.CheckKeys(text); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

const memberBytes = 128 // what a member takes in a document, besides its key and text

// text returns the string under a key, or "" if there is none.
func (d document) text(key string) (s string) {
	_ = json.Unmarshal(d[key], &s)
	return s
}

// isDemo reports whether the document says that its figures are invented.
func (d document) isDemo() bool { return d.text("status") == string(supply.Demo) }

// bytes returns the approximate size of the document in memory.
func (d document) bytes() (n int) {
	for key, text := range d {
		n += memberBytes + len(key) + len(text)
	}
	return n
}

// compareToken compares all answers about a token with its newest leaf. The evidence comes first,
// because it has everything that the other answers repeat.
func (a *auditor) compareToken(ctx context.Context, token string, listed document) error {
	text, err := a.get(ctx, "/"+token+"/evidence", maxDocument)
	if err != nil {
		return err
	}
	ev, err := a.compareEvidence(ctx, token, text, true)
	if err != nil {
		return err
	}
	for _, path := range []string{"/" + token, "/" + token + "/"} {
		body, err := a.get(ctx, path, maxToken)
		if err != nil {
			return err
		}
		d, err := parseDocument(body)
		if err == nil {
			err = a.compareDocument(ev, d)
		}
		if err == nil && d.isDemo() != listed.isDemo() {
			err = fmt.Errorf("its status is %.40q, but %.40q in the list: %w", d.text("status"), listed.text("status"), errDiffers)
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
	_, err = a.compareLedger(ctx, token, ev.Symbol)
	return err
}

// compareAgain is for a token of which all answers were compared before. The log may have grown
// since. So it compares the token's document in the list with the token's newest leaf.
func (a *auditor) compareAgain(token string, listed document) error {
	if err := a.notWrong(token); err != nil {
		return err
	}
	if err := a.compareLeaf(a.tokens[token].Logged, listed); err != nil {
		return fault(token, "in the list: %w", err)
	}
	if named := listed.named(); named != a.named[token] {
		return fault(token, "in the list: its symbol and decimals are %.80s, but were %.80s: %w", named, a.named[token],
			errDiffers)
	}
	return nil
}

// named returns the symbol and the decimals of a token, as written.
func (d document) named() string { return fmt.Sprintf("%s and %s", d["symbol"], d["decimals"]) }

// notWrong returns a fault if a log marks the newest figures of a served token as wrong.
func (a *auditor) notWrong(token string) error {
	n := a.tokens[token]
	if a.wrong(n); !n.correction.wrong {
		return nil
	}
	where := current
	if n.correction.index < 0 {
		where += a.report.Previous[-n.correction.index/logStep].Log + "/"
	}
	return fault(where, "it marks the figures of %s as wrong, and no later log says otherwise, but they are still served: %w",
		token, a.differs(n))
}

// noteNewer adds served tokens to Unproven if they got newer figures after all their answers were
// compared, also if Unproven is full. It removes tokens that are not in Served from Proven, and those
// of which only the list has the snapshot in compared.
func (a *auditor) noteNewer(compared map[string]string) {
	r := &a.report
	r.Proven = slices.DeleteFunc(r.Proven, func(token string) bool {
		return a.done[token] != compared[token] || !slices.Contains(r.Served, token)
	})
	for _, token := range r.Served {
		if a.done[token] != compared[token] {
			r.Unproven = append(r.Unproven, unproven{token, "every entry",
				"newer figures were published during the audit, so only the document in the list of tokens was compared"})
		}
		if compared[token] != a.tokens[token].ID {
			r.Unproven = append(r.Unproven, unproven{token, "that no newer figures are in the log",
				"some were published during the audit, and were not compared"})
		}
	}
}

// compareDocument compares a token's document with its evidence.
func (a *auditor) compareDocument(ev *supply.Evidence, d document) error {
	if id := d.text("snapshot"); id != ev.Snapshot {
		return a.deferCheck(ev.Token, ev.Token, id, d.bytes(), func(l supply.Logged) error { return a.compareLeaf(l, d) })
	}
	f := ev.Figures
	blocks := slices.Clone([]supply.Block(ev.Chains))
	want := supply.Document{Symbol: ev.Symbol, Decimals: ev.Decimals, Total: &f.Total, Circulating: &f.Circulating,
		Burned: &f.Burned, Locked: &f.Locked, Reserved: &f.Reserved, Max: ev.MaxSupply, AsOf: &ev.AsOf,
		MeasuredAt: &ev.MeasuredAt, Snapshot: &ev.Snapshot, LedgerHash: &ev.LedgerHash, Blocks: blocks}
	if err := a.sameMembers(want, d, "name", "status"); err != nil { // evidence has neither of them
		return err
	}
	a.report.Compared["documents"]++
	return nil
}

// compareLeaf compares a token's document with the leaf of its snapshot.
func (a *auditor) compareLeaf(l supply.Logged, d document) error {
	f := l.Figures
	want := supply.Document{Total: &f.Total, Circulating: &f.Circulating, Burned: &f.Burned, Locked: &f.Locked,
		Reserved: &f.Reserved, Max: l.Max, AsOf: &l.AsOf, MeasuredAt: &l.MeasuredAt, Snapshot: &l.ID, LedgerHash: &l.Ledger}
	return a.sameMembers(want, d, "name", "status", "symbol", "decimals", "blocks")
}

// A deferredCheck is an answer about a snapshot that is not the token's newest among the leaves
// read so far. The log may have grown since, so checkDeferred checks the answer at the end of the
// audit.
type deferredCheck struct {
	where string
	token string    // "" means any
	read  int64     // number of leaves that were read before the answer
	at    time.Time // when the answer was read
	same  func(supply.Logged) error
}

// deferCheck notes an answer about the token's snapshot with that id, and returns a fault.
// checkDeferred later compares the answer with the snapshot's leaf by calling same. bytes is the
// size of the answer, which stays in memory until then.
func (a *auditor) deferCheck(where, token, id string, bytes int, same func(supply.Logged) error) error {
	if err := a.remember(bytes + len(id)); err != nil {
		return err
	}
	a.deferred[id] = append(a.deferred[id], deferredCheck{where, token, a.read, a.Now(), same})
	return fault(where, "the served snapshot is %.64q: %w", id, errAhead)
}

// checkDeferred compares each answer that deferCheck noted with the leaf of the answer's snapshot.
// It reads the log backwards to find these leaves. byOutrun says that the method outrun is the caller. An answer must then not be too old either. It is too old if the
// audit read the leaf of its snapshot before the answer, and the snapshot was replaced too long ago
// for a cache to have kept the answer.
func (a *auditor) checkDeferred(byOutrun bool) error {
	// The loop reads the log backwards. When it comes to a snapshot, replaced has the time at which
	// the token's next snapshot in the log was measured or released.
	replaced := map[uint64]time.Time{} // by the shortID of the token, because a decision may name any
	last := (a.head.N - 1) / torchwood.TileWidth * torchwood.TileWidth
	for first := last; first >= 0 && len(a.deferred) > 0; first -= torchwood.TileWidth {
		leaves, err := a.bundle(first)
		if err != nil {
			return err
		}
		for i, leaf := range slices.Backward(leaves) {
			id := supply.LeafHash(leaf)
			l, err := supply.ParseLeaf(leaf)
			next := replaced[shortID(l.Token)]
			replaced[shortID(l.Token)] = l.MeasuredAt
			// In the log, a release is before its snapshot. So this loop reads the release after
			// the snapshot, and the time of the release replaces MeasuredAt.
			var d tlog.Decision
			if json.Unmarshal(leaf, &d) == nil && d.Kind == string(supply.Release) {
				replaced[shortID(d.Token)] = d.At
			}
			for _, e := range a.deferred[id] {
				if err == nil && e.token != "" && e.token != l.Token {
					err = fmt.Errorf("that snapshot is of the token %q", ledger.Clip(l.Token))
				}
				if err == nil {
					err = e.same(l)
				}
				if err == nil && byOutrun && first+int64(i) < e.read && !isRecent(next, e.at) {
					err = errDiffers
				}
				if err != nil {
					return fault(e.where, "the first answer at this address was about snapshot %s, and %w", id, err)
				}
			}
			delete(a.deferred, id)
		}
	}
	for id, list := range a.deferred {
		if !isRecent(a.begun.Begun, list[0].at) {
			return fault(list[0].where, "the first answer at this address was about snapshot %.64q, which is not in the log: %w",
				id, errDiffers)
		}
	}
	if len(a.deferred) > 0 { // a cache may have kept answers that are older than this log
		return errOutrun
	}
	return nil
}

// maxCached is how long caches may serve a figure after the next one was measured.
const maxCached = 2 * time.Minute

// isRecent reports whether an answer from before t may still be in a cache now. t is by the clock of
// the service, and now by ours.
func isRecent(t, now time.Time) bool {
	age := now.Sub(t)
	return age > -maxSkew && age < maxCached+maxSkew
}

// sameMembers compares a JSON object with our own encoding of want. It leaves out the members in
// except, and reports them as not compared.
func (a *auditor) sameMembers(want any, got document, except ...string) error {
	own, err := parseDocument(tlog.Encode(want))
	if err != nil {
		return err
	}
	a.notCompared(except...)
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if slices.Contains(except, key) {
			continue
		}
		if !sameJSON(got[key], own[key]) {
			return fmt.Errorf("%s is %.80s, but the log has %.80s", key, got[key], own[key])
		}
	}
	for key := range got {
		if _, known := own[key]; !known {
			return fmt.Errorf("it has the member %.40q, which the log does not have and this program does not know", key)
		}
	}
	return nil
}

// notCompared reports members of documents that are not compared.
func (a *auditor) notCompared(members ...string) {
	for _, key := range members {
		if !slices.Contains(a.report.NotCompared, key) && key != "correction" { // compareBare compares corrections
			a.report.NotCompared = append(a.report.NotCompared, key)
		}
	}
}

// sameJSON compares a received value with our own encoding, apart from white space.
func sameJSON(got, own []byte) bool {
	var compact bytes.Buffer
	return json.Compact(&compact, got) == nil && bytes.Equal(compact.Bytes(), own)
}

// compareFigures compares the figures at their own paths, in all formats.
func (a *auditor) compareFigures(ctx context.Context, ev *supply.Evidence) error {
	f := ev.Figures
	amounts := []*ledger.Amount{&f.Total, &f.Circulating, ev.MaxSupply, &f.Burned, &f.Locked, &f.Reserved}
	for i, name := range figureNames {
		for _, path := range a.figurePaths(name) {
			path = "/" + ev.Token + path
			body, header, err := a.fetch(ctx, path, 1<<10)
			if answersNothing(err) {
				if hasFigure(ev, name) {
					return fault(path, "%w, but the evidence has this figure: %w", err, errDiffers)
				}
				if err := refused(nil, err); err != nil {
					return err
				}
				continue
			}
			if err != nil {
				return err
			}
			isJSON := strings.HasSuffix(path, "json")
			if ids := header.Values("Supply-Snapshot"); !a.Copy && len(ids) == 1 && ids[0] != ev.Snapshot {
				own, size := http.Header{}, len(body) // the whole header may take much memory
				for _, name := range figureHeaders {
					own[name] = header.Values(name)
					size += len(strings.Join(own[name], "")) + 16*len(own[name]) // 16 bytes for each string
				}
				return a.deferCheck(path, ev.Token, ids[0], size, func(l supply.Logged) error {
					f := l.Figures
					return errors.Join(sameHeader(&supply.Evidence{Snapshot: l.ID, AsOf: l.AsOf, MeasuredAt: l.MeasuredAt}, own),
						sameFigure([]*ledger.Amount{&f.Total, &f.Circulating, l.Max, &f.Burned, &f.Locked, &f.Reserved}[i], body, isJSON))
				})
			}
			err = sameFigure(amounts[i], body, isJSON)
			hasOurs := func(name string) bool { return len(header.Values(name)) > 0 }
			if !a.Copy || slices.ContainsFunc(figureHeaders, hasOurs) { // files usually do not have our headers
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

// figureHeaders are the headers of a figure that sameHeader compares.
var figureHeaders = []string{"Supply-Snapshot", "Supply-As-Of", "Supply-Measured-At"}

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

// sameFigure returns an error if body is not the amount.
func sameFigure(amount *ledger.Amount, body []byte, isJSON bool) error {
	if amount == nil {
		return fmt.Errorf("it is %.80q, but the log has no figure", body)
	}
	want := amount.String()
	if isJSON {
		want = `{"result":"` + want + `"}`
	}
	if string(body) != want {
		return fmt.Errorf("it is %.80q, but the log has %q", body, want)
	}
	return nil
}

// sameHeader compares the headers of a figure with its evidence.
func sameHeader(ev *supply.Evidence, header http.Header) error {
	if ids := header.Values("Supply-Snapshot"); !slices.Equal(ids, []string{ev.Snapshot}) {
		return fmt.Errorf("Supply-Snapshot is %.140q, but the log has %s", ids, ev.Snapshot)
	}
	for name, at := range map[string]time.Time{"Supply-As-Of": ev.AsOf, "Supply-Measured-At": ev.MeasuredAt} {
		want := at.UTC().Format(time.RFC3339Nano)
		if got := header.Values(name); !slices.Equal(got, []string{want}) {
			return fmt.Errorf("%s is %.40q, but the log has %s", name, got, want)
		}
	}
	return nil
}

// compareLedger compares the token's ledger with the leaves that announced its versions. The hash
// in a leaf covers everything in a version. symbol is the one in the evidence, or "" if there is no
// evidence. The result is the symbol in the ledger.
func (a *auditor) compareLedger(ctx context.Context, token, symbol string) (string, error) {
	path := "/" + token + "/ledger"
	body, err := a.get(ctx, path, maxDocument)
	var d ledger.Document
	if err == nil {
		if err = parse(body, &d); err != nil {
			err = fault(path, "%w", err)
		}
	}
	if err != nil {
		return "", notFaulty(err)
	}
	if !sameJSON(body, tlog.Encode(d)) {
		return "", fault(path, "its form differs from that of published ledgers")
	}
	n := a.tokens[token]
	if symbol == "" {
		a.notCompared("symbol")
		symbol = d.Symbol
	}
	switch {
	case d.Token != token || d.Symbol != symbol:
		return "", fault(path, "it names the wrong token or symbol: %.40q, %.100q: %w", d.Token, d.Symbol, errDiffers)
	case n != nil && d.Hash != n.Ledger:
		return "", fault(path, "it is %.64q, but the log has %s: %w", d.Hash, n.Ledger, a.ledgerDiffers(token))
	}
	versions, unused := append(d.Earlier, d.Version), ""
	if d.Pending != nil {
		versions, unused = append(versions, *d.Pending), d.Pending.Hash
	} else if n == nil {
		unused = d.Hash
	}
	listed := map[string]bool{}
	for _, v := range versions {
		if listed[v.Hash] {
			return "", fault(path, "ledger %.64q is in the list twice", v.Hash)
		}
		listed[v.Hash] = true
		if err := a.announced(token, v, v.Hash == unused); err != nil {
			return "", err
		}
	}
	for key := range a.ledgers {
		if key[0] == token && !listed[key[1]] {
			return "", fault(path, "ledger %.64q is not in the list, but the log has figures that use it: %w",
				key[1], a.ledgerDiffers(token))
		}
	}
	a.report.Compared["ledgers"]++
	return d.Symbol, nil
}

// notFaulty returns err, but not as a *Fault if an answer is too long: a service may have very many
// tokens, and a token very many ledgers.
func notFaulty(err error) error {
	if f, ok := errors.AsType[*Fault](err); ok && errors.Is(err, proof.ErrLarge) {
		return fmt.Errorf("%s: %w", f.Where, f.Err)
	}
	return err
}

// announced checks the hash of the ledger v, and that a leaf announced this ledger. If mayBeUnused
// is set, a ledger without Since needs no leaf.
func (a *auditor) announced(token string, v ledger.Version, mayBeUnused bool) error {
	where := fmt.Sprintf("/%s/ledger, version %.64s", token, v.Hash)
	own := ledger.Token{Path: token, Decimals: v.Decimals, MaxSupply: v.MaxSupply, Bridges: v.Bridges, Ledger: v.Entries}
	if v.Bridges == nil { // LedgerHash would take it for {}
		return fault(where, "\"bridges\" is null; if there are none, it must be {}")
	}
	if hash := own.LedgerHash(); hash != v.Hash {
		return fault(where, "its content has another hash: %s", hash)
	}
	said, used := a.ledgers[[2]string{token, v.Hash}]
	switch {
	case !used && mayBeUnused && v.Since == nil:
		return nil
	case !used:
		return fault(where, "no leaf announced it: %w", errDiffers)
	case v.Since == nil:
		return fault(where, "it has no \"since\", but the log has figures that use it: %w", a.ledgerDiffers(token))
	case !v.Since.Equal(said.Since) || v.Since.Location() != time.UTC:
		return fault(where, "it applies since %v, but the log says since %s", v.Since, said.Since.Format(time.RFC3339Nano))
	}
	return nil
}

// compareEvidence checks the evidence of a token's newest snapshot, and the proof. served says that
// the figures are served.
func (a *auditor) compareEvidence(
	ctx context.Context, token string, text []byte, served bool,
) (*supply.Evidence, error) {
	n := a.tokens[token]
	ev, err := supply.ParseEvidence(bytes.NewReader(text))
	if err != nil {
		return nil, fault(token, "%w", err)
	}
	_, signed, _ := strings.Cut(ev.Inclusion, "\n\n")
	_, unsigned := tlog.OpenCheckpoint([]byte(signed), a.Key)
	inLog := unsigned == nil || tlog.SignedAddress([]byte(signed)) == tlog.Address(a.Key)
	if ev.Token != token {
		return nil, fault(token, "the evidence is of the token %q", ledger.Clip(ev.Token))
	}
	// These checks come first, so that they also apply to evidence of another snapshot, which
	// deferCheck leaves for later. No evidence may be false, or from a fork.
	v, err := a.verify(ctx, ev, nil)
	if err != nil {
		return nil, err
	}
	if inLog {
		if err := a.compareInclusion(token, []byte(signed)); err != nil {
			return nil, err
		}
	} else if err := a.claim(signed); err != nil {
		return nil, err
	}
	switch {
	case ev.Snapshot != n.ID: // the log may get this snapshot later
		return nil, a.deferCheck(token, token, ev.Snapshot, 0, func(supply.Logged) error { return nil })
	case !inLog: // a new log has no proofs at first
		return nil, fault(token, "its evidence has no inclusion proof for this log yet: %w", a.differsSince(a.begun.Begun))
	}
	if err := a.compareCorrection(ev, served); err != nil {
		return nil, err
	}
	if !served && ev.Correction == nil {
		return nil, fault("/"+token+"/evidence", "there is a figure, but the list has none: %w", a.differs(n))
	}
	d, err := a.proofOf(ctx, n, served)
	if err != nil {
		return nil, err
	}
	if d != nil {
		if v, err = a.verify(ctx, ev, d); err != nil {
			return nil, err
		}
	}
	a.report.Compared["evidence"]++
	a.noteProof(ev, d, v)
	return ev, nil
}

// verify verifies evidence with a proof, which may be nil. A false finding is a fault.
func (a *auditor) verify(ctx context.Context, ev *supply.Evidence, d *proof.Document) (supply.Verdict, error) {
	v := supply.Verify(ctx, ev, supply.Against{Proof: d, Key: a.Key})
	for _, f := range v.With(supply.False) {
		return v, fault(ev.Token, "its evidence: %s: %s", f.What, f.Detail)
	}
	return v, nil
}

// compareInclusion checks signed, the checkpoint of an inclusion proof. The log must once have had
// this head.
func (a *auditor) compareInclusion(token string, signed []byte) error {
	c, err := tlog.ParseCheckpoint(signed)
	if err == nil {
		err = a.checkSignatures(signed)
	}
	if err != nil {
		return fault(token, "its inclusion: %w", err)
	}
	a.saw(tlog.Address(a.Key), c.Tree)
	return a.hadHead(c.Tree, token+", its inclusion")
}

// hadHead checks that the log once had the signed head c. Otherwise the service signed two logs. If
// c is larger than the head that was read, checkHeads does this at the end.
func (a *auditor) hadHead(c merkle.Tree, where string) error {
	if c.N > a.head.N || a.had[c] {
		return nil
	}
	root, err := merkle.TreeHash(c.N, a.hashes())
	if err != nil {
		return fault("consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
	}
	if root != c.Hash {
		return fault(where, "%w: here its root is %s with %d leaves, but the log has %s", errForked, c.Hash, c.N, root)
	}
	a.had[c] = true
	return nil
}

// maxNamed bounds lists of a report. If a list is full, Cut names the tokens that it has no room for.
// maxOfToken bounds the lines about one token, so that they do not hide those about another.
const (
	maxNamed   = 1000
	maxOfToken = 20
)

// addLine adds a line about a token to a list of the report, unless the list has it.
func addLine[T comparable](r *Report, list *[]T, token string, line T) {
	switch {
	case slices.Contains(*list, line):
	case len(*list) < maxNamed:
		*list = append(*list, line)
	case !slices.Contains(r.Cut, token):
		r.Cut = append(r.Cut, token)
	}
}

// nameOne adds a line about a token to a list of the report, up to maxOfToken, and counts it. nameRest
// adds the number of lines left out.
func (r *Report) nameOne(list *[]string, count *int, token, line string) {
	if *count++; *count <= maxOfToken {
		addLine(r, list, token, line)
	}
}

func (r *Report) nameRest(list *[]string, count int, token string) {
	if more := count - maxOfToken; more > 0 {
		addLine(r, list, token, fmt.Sprintf("%s, %d more entries", token, more))
	}
}

// noteProof reports which reads of a token are proven.
func (a *auditor) noteProof(ev *supply.Evidence, d *proof.Document, v supply.Verdict) {
	for _, c := range ev.Chains {
		block := fmt.Sprintf("%d of chain %d (%q), made at %s after block %s: %s", c.Number, c.ChainID,
			ledger.Clip(c.Chain), c.Time.UTC().Format(time.RFC3339), c.Parent, c.Hash)
		addLine(&a.report, &a.report.Blocks, ev.Token, block)
	}
	declared, agreed, missing := 0, 0, 0
	for i, x := range ev.Entries {
		line := fmt.Sprintf("%s, entry %q: ", ev.Token, x.Entry.Label) // not cut, because other labels may begin alike
		switch {
		case x.Entry.Amount != nil:
			a.report.nameOne(&a.report.Declared, &declared, ev.Token, line+x.Amount.String())
		case d != nil && d.Entries[i].Known != proof.Proven:
			a.report.nameOne(&a.report.Agreed, &agreed, ev.Token, line+ledger.Clip(d.Entries[i].Known))
		}
	}
	a.report.nameRest(&a.report.Declared, declared, ev.Token)
	a.report.nameRest(&a.report.Agreed, agreed, ev.Token)
	note := func(what, reason string) {
		if missing++; missing <= maxOfToken {
			addLine(&a.report, &a.report.Unproven, ev.Token, unproven{ev.Token, what, reason})
		}
	}
	if d == nil {
		if len(ev.Chains) > 0 {
			note("every entry", "the service has no proof of this snapshot")
		}
		return
	}
	a.report.Compared["proofs"]++
	for _, f := range v.With(supply.Unproven) {
		if !strings.HasPrefix(f.What, "entry ") && !strings.HasPrefix(f.What, "chain ") {
			continue // f is unproven because of an entry or a chain, which has its own finding
		}
		note(f.What, fmt.Sprintf("%.1000s", f.Detail))
	}
	if more := missing - maxOfToken; more > 0 {
		addLine(&a.report, &a.report.Unproven, ev.Token,
			unproven{ev.Token, fmt.Sprintf("%d more entries and chains", more), "see above"})
	}
	if missing == 0 && len(ev.Chains) > 0 && ev.Correction == nil { // served figures have no correction
		a.report.Proven = append(a.report.Proven, ev.Token)
	}
}

// compareCorrection compares the evidence with the log's corrections of its figures. Figures that
// the log marks as wrong must not be served, and their evidence must have a correction, which must
// be in the log. The evidence of served figures must have no correction.
func (a *auditor) compareCorrection(ev *supply.Evidence, served bool) error {
	n := a.tokens[ev.Token]
	if served {
		if err := a.notWrong(ev.Token); err != nil {
			return err
		}
	}
	own := a.wrong(n)
	switch {
	case n.correction.wrong && ev.Correction == nil:
		return fault(ev.Token, "the log marks its figures as wrong, but the evidence does not: %w", a.differs(n))
	case ev.Correction != nil && (served || !own.has(tlog.Encode(ev.Correction))):
		return fault(ev.Token, "the evidence has a correction that, according to the log, does not apply: %w", a.differs(n))
	}
	return nil
}

// differs returns errDecided if the latest decision about the figures of n is recent, or if the
// token had no figures until recently. Otherwise it returns errDiffers. n may be nil.
func (a *auditor) differs(n *newest) error {
	if n == nil {
		return errDiffers
	}
	var times []time.Time
	if n.correction.index != 0 {
		times = append(times, n.correction.at)
	}
	if n.served.previous == "" || a.corrections[shortID(n.served.previous)].wrong {
		times = append(times, n.served.measured, a.released[shortID(n.Token)])
	}
	return a.differsSince(times...)
}

// ledgerDiffers returns errDecided if the token's ledger came into use only recently. Otherwise it
// returns errDiffers.
func (a *auditor) ledgerDiffers(token string) error {
	if n := a.tokens[token]; n != nil {
		return a.differsSince(n.used.measured, a.released[shortID(token)])
	}
	return errDiffers
}

// differsSince returns errDecided if one of the times is recent, and otherwise errDiffers.
func (a *auditor) differsSince(times ...time.Time) error {
	if slices.ContainsFunc(times, func(t time.Time) bool { return isRecent(t, a.Now()) }) {
		return errDecided
	}
	return errDiffers
}

// A correctionSet has hashes of corrections. A hash covers only the reason and the time of a
// correction.
type correctionSet map[[sha256.Size]byte]bool

// wrong sets n.correction, the latest decision about the figures of n in any log of the service, and
// returns the correction that applies to them, or none. The figures may have been published in
// several snapshots. The correction of a snapshot stays valid, whatever is decided about earlier
// snapshots. So n.correction.wrong is also true if the newest snapshot with a decision is corrected.
func (a *auditor) wrong(n *newest) correctionSet {
	earlier := a.earlier.equal[n.Token]
	if n.complete {
		earlier = nil
	}
	own, latest, last, decided := correctionSet{}, correction{}, correction{}, map[uint64]bool{}
	for _, ids := range [][]uint64{earlier, n.equal} {
		for _, id := range ids {
			c, found := a.corrections[id] // even if it names another token: see correction.about
			if !found {
				c, found = a.earlier.corrections[id]
			}
			if !found || decided[id] { // id comes twice if a log begins with a snapshot of the log before
				continue
			}
			if c.wrong {
				own = correctionSet{c.hash: true} // only the correction of the newest snapshot is served
			}
			if last = c.about(n.Token); len(decided) == 0 || c.index > latest.index {
				latest = last
			}
			decided[id] = true
		}
	}
	n.correction = latest
	if n.correction.wrong = latest.wrong || last.wrong; !n.correction.wrong {
		clear(own) // taken back
	}
	return own
}

// has reports whether a correction, as it is served, is in the set.
func (w correctionSet) has(served []byte) bool {
	var c supply.Correction
	if json.Unmarshal(served, &c) != nil || !sameJSON(served, tlog.Encode(c)) {
		return false
	}
	leaf := tlog.Decision{Reason: c.Reason, At: c.At}.Leaf() // it cuts a long reason, and rounds the time
	return bytes.HasSuffix(leaf, tlog.Encode(c)[1:]) && w[sha256.Sum256(leaf)]
}

// proofOf returns the proof of a snapshot, or nil if the service has none. A request for the latest
// proof must get the same bytes, or none. A service may refuse proofs of figures that it does not
// serve.
func (a *auditor) proofOf(ctx context.Context, n *newest, served bool) (*proof.Document, error) {
	path := "/" + n.Token + "/proof"
	latest, own, err := a.readProof(ctx, n, served)
	for try := 1; err == nil && served && (latest == nil) != (own == nil) && try < catchUp; try++ {
		err = a.differed(fault(path, "only one of its two addresses has a proof, so they were not compared with each other"))
		if err = errors.Join(err, pause(ctx, Pause)); err == nil {
			latest, own, err = a.readProof(ctx, n, served)
		}
	}
	switch {
	case err != nil || latest == nil && own == nil:
		return nil, err
	case latest == nil: // while figures are refused, a proof is served only by snapshot id
		latest = own
	case own == nil: // a cache may have kept an answer from before the proof was made
		own = latest
	}
	d, err := proof.Parse(bytes.NewReader(latest))
	if err != nil {
		return nil, fault(path, "%w", err)
	}
	if d.Snapshot != n.ID { // a cache may have kept an earlier proof
		err := a.has(ctx, path+"?snapshot="+url.QueryEscape(d.Snapshot), latest)
		// In a new log, the service may have lost the earlier proof together with the previous log.
		if err == nil || answersNothing(err) && isRecent(a.begun.Begun, a.Now()) {
			err = a.deferCheck(path, n.Token, d.Snapshot, 0, func(supply.Logged) error { return nil })
		}
		return nil, fmt.Errorf("%s: it was not compared with the proof of snapshot %s: %w", path, n.ID, err)
	}
	if !bytes.Equal(latest, own) {
		return nil, fault(path, "it differs from the proof of snapshot %s: %w", n.ID, errDiffers)
	}
	return d, nil
}

// readProof reads the proof of a snapshot at both of its addresses, without and with the snapshot's
// id. A proof is nil if there is none.
func (a *auditor) readProof(ctx context.Context, n *newest, served bool) (latest, own []byte, err error) {
	path := "/" + n.Token + "/proof"
	read := func(path string) ([]byte, error) {
		body, err := a.get(ctx, path, maxDocument)
		if !served || answersNothing(err) {
			err = refused(nil, err)
		}
		return body, err
	}
	if latest, err = read(path); err != nil {
		return nil, nil, err
	}
	if own, err = read(path + "?snapshot=" + n.ID); err != nil && latest != nil {
		err = fault(path, "it was not compared, because the proof of its snapshot was not read: %w", err)
	}
	return latest, own, err
}
