package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// A log is a log of the service, as far as it was read. Everything in it is signed and consistent.
type log struct {
	a         *auditor
	key       string
	prefix    string // its path
	head      torchwood.Checkpoint
	signed    []byte // the checkpoint of head
	next      int64  // number of leaves that were read
	first     int64  // number of leaves when the audit began
	begun     tlog.Begin
	tokens    map[string]*history
	ledgers   map[[2]string]announced // by token and hash
	decisions map[string]decision     // the latest correction, or its end, by the id of the snapshot
	leaves    map[string]*leaf        // leaves that were the newest of their token recently, by id
	formats   map[string]int          // number of leaves, by format
}

// A moment is when a leaf was published: the number of leaves before it, and the time according to
// the service.
type moment struct {
	index int64
	at    time.Time
}

// A leaf is the leaf of a snapshot.
type leaf struct {
	token, id, ledger string
	until             moment // when the next one was published; zero if there is none
	run               *run
}

// A run has consecutive snapshots of a token with the same figures and the same ledger.
type run struct {
	ids     []string           // the last ones, as many as the service remembers
	wrong   *supply.Correction // nil if its figures are not corrected
	before  *supply.Correction // wrong, before it changed last
	changed moment             // when wrong changed last
}

// maxRun is how many equal snapshots a service remembers, including the newest.
const maxRun = 21

// A decision corrects a snapshot, or undoes a correction.
type decision struct {
	wrong  bool
	made   moment
	reason string
}

// A history is what the log says about one token.
type history struct {
	newest  supply.Logged
	leaf    *leaf // of newest; nil before the first
	recent  []*leaf
	unused  string    // the ledger that the next snapshot must use; "" means any
	decided time.Time // when an operator last decided something
}

// An announced ledger is one that a leaf announced.
type announced struct {
	since time.Time
	made  moment
}

// Limits of a log that bound the memory of an audit.
const (
	maxLedgers   = 20_000
	maxDecisions = 20_000
	maxRecent    = 20_000
)

var errTooMuch = &unread{errors.New("the log has more tokens, ledgers and corrections than an audit can remember")}

func (a *auditor) newLog(key string) *log {
	return &log{a: a, key: key, prefix: current + url.PathEscape(tlog.Address(key)) + "/", first: math.MaxInt64,
		tokens: map[string]*history{}, ledgers: map[[2]string]announced{}, decisions: map[string]decision{},
		leaves: map[string]*leaf{}, formats: map[string]int{}}
}

// open finds the log, and reads it and the logs before it.
func (a *auditor) open(ctx context.Context) error {
	key, err := a.readKey(ctx, current)
	if err != nil && mayPass(err) && a.Key == "" && a.Since == nil && a.Witnesses == nil {
		return &unread{errors.New("there is no log: the service has none, or its supply API is at another address")}
	}
	if err != nil {
		return err
	}
	address := tlog.Address(a.Key)
	if a.Key == "" && a.Since != nil {
		address = tlog.SignedAddress(a.Since)
	}
	if address != "" && address != tlog.Address(key) {
		return passing("the log", "it has ended, or is not the owner's: the service now publishes in another log, with the "+
			"key %s. Ask the owner", key)
	}
	l := a.newLog(key)
	own, err := a.readKey(ctx, l.prefix)
	if err != nil {
		return err
	}
	if own != key || a.Key != "" && own != a.Key {
		return fault(l.prefix+"key", "it is another key: %.200q", own)
	}
	if a.Since != nil {
		if l.head, err = tlog.OpenCheckpoint(a.Since, key); err != nil {
			return fault("the checkpoint that was kept", "%w", err)
		}
	}
	a.report.Key, a.report.Kept = key, l.head.N
	l.formats = a.report.Leaves
	clear(l.formats)
	if err := l.read(ctx); err != nil {
		return err
	}
	l.first = l.next
	if err := a.readPrevious(ctx, l.begun); err != nil {
		return err
	}
	a.log = l
	return nil
}

// readKey reads the verifier key of the log at a path.
func (a *auditor) readKey(ctx context.Context, prefix string) (string, error) {
	text, err := a.need(ctx, prefix+"key", 1<<10)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(text))
	if tlog.Address(key) == "" {
		return "", fault(prefix+"key", "not the verifier key of a log: %.80q", key)
	}
	return key, nil
}

// readPrevious reads the logs before. Each one that is still served must have the head that the next
// one names.
func (a *auditor) readPrevious(ctx context.Context, begun tlog.Begin) error {
	a.report.Previous = []Previous{}
	for p := begun.Previous; p != nil && len(a.report.Previous) < maxLogs; {
		found := Previous{Origin: p.Origin, Log: p.Log, Size: p.Size}
		key, err := a.readKey(ctx, current+url.PathEscape(p.Log)+"/")
		if err != nil && !mayPass(err) {
			return err
		}
		if err != nil {
			a.report.Previous = append(a.report.Previous, found)
			return nil
		}
		old := a.newLog(key)
		if tlog.Address(key) != p.Log {
			return fault(old.prefix+"key", "it is the key of another log: %.80q", key)
		}
		if err := old.read(ctx); err != nil {
			return err
		}
		found.Read = old.next
		if old.next >= p.Size { // otherwise leaves are lost
			if err := old.hadHead(ctx, merkle.Tree{N: p.Size, Hash: p.Root}); err != nil {
				return err
			}
		}
		a.report.Previous = append(a.report.Previous, found)
		p = old.begun.Previous
	}
	return nil
}

// maxLogs limits how many earlier logs are read.
const maxLogs = 50

// readHead reads the head at the path of the current log. It must not stay behind the log.
func (a *auditor) readHead(ctx context.Context) error {
	signed, err := a.need(ctx, current+"checkpoint", maxHead)
	if err != nil {
		return err
	}
	c, err := tlog.OpenCheckpoint(signed, a.log.key)
	if err != nil {
		key, unread := a.readKey(ctx, current)
		if unread == nil && key != a.log.key { // see explain
			return fault(current+"key", "it is another key now: %.200q", key)
		}
		return fault(current+"checkpoint", "%w", err)
	}
	if err := a.sawHead(current+"checkpoint", c.Tree); err != nil {
		return err
	}
	if c.N < a.log.first {
		return passing(current+"checkpoint", "it has %d leaves, but the log had %d before", c.N, a.log.first)
	}
	return nil
}

// sawHead adds a signed head of the log. The log must have had it.
func (a *auditor) sawHead(where string, tree merkle.Tree) error {
	return a.later(fmt.Sprintf("head of %d leaves, %s", tree.N, tree.Hash), func() error {
		if tree.N > a.log.head.N {
			return passing(where, "its head has %d leaves, but the log has %d", tree.N, a.log.head.N)
		}
		return a.log.hadHead(context.Background(), tree)
	})
}

// maxHead limits the bytes of a checkpoint.
const maxHead = 64 << 10

// recent reports whether m is after the audit began, or at most maxCached before. What the log got
// during the audit may have waited before: for a leader, a proof or a witness.
func (l *log) recent(m moment) bool {
	ago := l.a.began.Sub(m.at)
	if m.index >= l.first {
		return ago < maxWaited
	}
	return ago < maxCached+cachedSkew && ago > -maxSkew
}

const (
	// maxCached is how long caches may serve a figure after the next one was published. Clocks may
	// differ by cachedSkew.
	maxCached  = 2 * time.Minute
	cachedSkew = time.Minute
	// maxWaited is how long a decision or a figure may wait until the log has it.
	maxWaited = 15 * time.Minute
)

// read reads the newest checkpoint, which must continue the one before, and all leaves up to it.
func (l *log) read(ctx context.Context) error {
	signed, err := l.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return err
	}
	c, err := tlog.OpenCheckpoint(signed, l.key)
	if err != nil {
		return fault(l.prefix+"checkpoint", "%w", err)
	}
	if c.N < l.head.N {
		if l.next > 0 {
			if err := l.hadHead(ctx, c.Tree); err != nil {
				return err
			}
		}
		return passing(l.prefix+"checkpoint", "it has %d leaves, and had %d before", c.N, l.head.N)
	}
	before := l.head
	l.head = c
	if before.N > 0 {
		if err := l.hadHead(ctx, before.Tree); err != nil {
			l.head = before
			return err
		}
	}
	l.signed = signed
	client, err := torchwood.NewClient(l)
	if err != nil {
		return err
	}
	for i, entry := range client.AllEntries(ctx, c.Tree, l.next) {
		if err := l.add(i, entry); err != nil {
			return signedFault(fmt.Sprintf("leaf %d", i), "%w", err)
		}
		l.next++
		if l.a.Read != nil {
			l.a.Read(1)
		}
	}
	if err := client.Err(); err != nil {
		return fault("the log", "its tiles do not lead to the root of the checkpoint: %w", err)
	}
	for token, h := range l.tokens {
		if h.unused != "" { // a ledger and the figure that uses it are published together
			return signedFault("the log", "no figure of %s uses ledger %.64q", token, h.unused)
		}
	}
	return nil
}

var errForked = errors.New("the log was forked or rewritten")

// hadHead checks that the log once had a head.
func (l *log) hadHead(ctx context.Context, small merkle.Tree) error {
	root, err := merkle.TreeHash(small.N, torchwood.TileHashReaderWithContext(ctx, l.head.Tree, l))
	if err != nil {
		return fault("consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
	}
	if root != small.Hash {
		return signedFault("consistency", "%w: its root for %d leaves was %s, and is now %s, with a head of %d leaves and the "+
			"root %s", errForked, small.N, small.Hash, root, l.head.N, l.head.Hash)
	}
	return nil
}

// add checks a leaf, and adds what it says to the histories of the tokens.
func (l *log) add(index int64, text []byte) error {
	var tag struct{ Format string }
	if err := json.Unmarshal(text, &tag); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if (tag.Format == tlog.BeginFormat) != (index == 0) {
		return errors.New("the first leaf of a log must say that the log begins, and no other leaf may")
	}
	l.formats[tag.Format]++
	if tag.Format == tlog.SnapshotFormat {
		return l.snapshot(index, text)
	}
	read, err := tlog.ParseLeaf(tag.Format, text)
	if err != nil {
		return err
	}
	switch x := read.(type) {
	case tlog.Begin:
		l.begun = x
		if x.Origin != l.head.Origin {
			return fmt.Errorf("it begins another log: %.80q", x.Origin)
		}
	case tlog.LedgerVersion:
		return l.ledger(index, x)
	case tlog.Decision:
		return l.decision(index, x)
	}
	return nil
}

// snapshot checks that a snapshot follows the token's previous one, and that its ledger was
// announced.
func (l *log) snapshot(index int64, text []byte) error {
	s, err := supply.ParseLeaf(text)
	if err != nil {
		return err
	}
	if _, known := l.ledgers[[2]string{s.Token, s.Ledger}]; !known {
		return fmt.Errorf("it uses ledger %.64q, which no leaf of %s announced", s.Ledger, s.Token)
	}
	h := l.of(s.Token)
	was := h.newest
	published := moment{index, later(s.MeasuredAt, h.decided)}
	next := &leaf{token: s.Token, id: s.ID, ledger: s.Ledger, run: &run{}}
	if h.leaf != nil {
		switch {
		case h.unused != "" && h.unused != s.Ledger:
			return fmt.Errorf("it does not use ledger %.64q, which was announced for it", h.unused)
		case s.Previous != was.ID:
			return fmt.Errorf("it says that it follows snapshot %.64q of %s, but %s was published before it", s.Previous,
				s.Token, was.ID)
		case s.AsOf.Before(was.AsOf) && !was.AsOf.After(s.MeasuredAt): // unless a clock was ahead
			return fmt.Errorf("it is as of %s, earlier than a figure that was published before it", s.AsOf.Format(time.RFC3339))
		}
		h.leaf.until = published
		if s.Ledger == was.Ledger && s.Figures.Equal(was.Figures) {
			next.run = h.leaf.run
		}
	}
	h.newest, h.leaf, h.unused = s, next, ""
	h.recent = append(h.recent, next)
	l.leaves[s.ID] = next
	next.run.ids = append(next.run.ids, s.ID)
	next.run.ids = next.run.ids[max(0, len(next.run.ids)-maxRun):]
	l.correct(next.run, published)
	for len(h.recent) > 1 && !l.recent(h.recent[0].until) {
		delete(l.leaves, h.recent[0].id)
		h.recent = slices.Delete(h.recent, 0, 1)
	}
	if len(l.leaves) > maxRecent {
		return errTooMuch
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// of returns the history of a token.
func (l *log) of(token string) *history {
	h := l.tokens[token]
	if h == nil {
		h = &history{}
		l.tokens[token] = h
	}
	return h
}

func (l *log) ledger(index int64, v tlog.LedgerVersion) error {
	key := [2]string{v.Token, v.Ledger}
	if _, known := l.ledgers[key]; known {
		return fmt.Errorf("the ledger %.64q of %.64q was announced before", v.Ledger, v.Token)
	}
	if !ledger.IsPath(v.Token) {
		return fmt.Errorf("%.80q cannot be the path of a token", v.Token)
	}
	if len(l.ledgers) == maxLedgers {
		return errTooMuch
	}
	h := l.of(v.Token)
	if h.unused != "" {
		return fmt.Errorf("no figure of %s uses ledger %.64q", v.Token, h.unused)
	}
	if h.leaf != nil {
		h.unused = v.Ledger
	}
	l.ledgers[key] = announced{v.Since, moment{index, later(v.Since, h.decided)}}
	return nil
}

func (l *log) decision(index int64, d tlog.Decision) error {
	if h := l.tokens[d.Token]; h != nil {
		h.decided = d.At
	}
	switch kind := supply.DecisionKind(d.Kind); kind {
	case supply.Correct, supply.UndoCorrect:
		if !tlog.IsHash(d.Subject) {
			return fmt.Errorf("%.80q is not the id of a snapshot", d.Subject)
		}
		if len(l.decisions) == maxDecisions {
			return errTooMuch
		}
		made := decision{kind == supply.Correct, moment{index, d.At}, d.Reason}
		for token, h := range l.tokens { // a dishonest log may name another token
			if h.leaf != nil && slices.Contains(h.leaf.run.ids, d.Subject) {
				made.wrong = made.wrong || token != d.Token
				l.decisions[d.Subject] = made
				l.correct(h.leaf.run, made.made)
			}
		}
		l.decisions[d.Subject] = made
	case supply.Release, supply.AcceptHeights, supply.AcceptDecimals:
	default:
		return fmt.Errorf("unknown kind of decision: %.60q", d.Kind)
	}
	return nil
}

// correct sets what the decisions about the snapshots of a run say now. Its figures are wrong if the
// latest of these decisions says so, or the one about the newest of the snapshots.
func (l *log) correct(r *run, at moment) {
	var latest, ofNewest decision
	var wrong *supply.Correction
	for _, id := range r.ids {
		d, found := l.decisions[id]
		if !found {
			continue
		}
		ofNewest = d
		if d.made.index > latest.made.index {
			latest = d
		}
		if d.wrong {
			wrong = &supply.Correction{Reason: d.reason, At: d.made.at}
		}
	}
	if !latest.wrong && !ofNewest.wrong {
		wrong = nil
	}
	if !sameCorrection(wrong, r.wrong) {
		r.before, r.wrong, r.changed = r.wrong, wrong, at
	}
}

func sameCorrection(a, b *supply.Correction) bool {
	return bytes.Equal(tlog.Encode(a), tlog.Encode(b))
}

// ReadTiles reads tiles of the log.
func (l *log) ReadTiles(ctx context.Context, tiles []merkle.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	left := int64(64 << 20)
	for i, t := range tiles {
		var err error
		if out[i], err = l.a.need(ctx, l.prefix+torchwood.TilePath(t), left); err != nil {
			return nil, err
		}
		left -= int64(len(out[i]))
	}
	return out, nil
}

// ReadEndpoint reads a file of the log.
func (l *log) ReadEndpoint(ctx context.Context, path string) ([]byte, error) {
	return l.a.need(ctx, l.prefix+path, maxHead)
}

// SaveTiles does nothing.
func (*log) SaveTiles([]merkle.Tile, [][]byte) {}
