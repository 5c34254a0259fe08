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
	decided   time.Time                   // when an operator last decided something
	tokens    map[string]*history         // those with a ledger
	decisions map[string]decision         // the latest decision about a snapshot, by its id
	leaves    map[string]*supply.Snapshot // those that were the newest of their token recently, by id
	formats   map[string]int              // number of leaves, by format
}

// A history is what the log says about one token.
type history struct {
	ledgers map[string]announced // by hash
	newest  *supply.Snapshot     // nil before the first
	run     []string             // the last snapshots with the figures and ledger of newest, at most maxRun
	unused  string               // the ledger that the next snapshot must use; "" means any
	symbol  string               // by the evidence that was read last; "" if none was
}

// maxRun is how many equal snapshots a service remembers, including the newest.
const maxRun = 21

// A decision says whether a snapshot is wrong now, and whether it was before.
type decision struct {
	token       string
	now, before *supply.Correction // nil if it is not wrong
	recent      bool
}

// An announced ledger is one that a leaf announced.
type announced struct {
	since  time.Time
	recent bool
}

const (
	maxKept = 20_000   // ledgers, decisions and recent snapshots that an audit remembers of a log
	maxHead = 64 << 10 // bytes of a checkpoint
	maxLogs = 50       // earlier logs that are read
)

var errTooMuch = &unread{errors.New("the log has more tokens, ledgers and corrections than an audit can remember")}

func (a *auditor) newLog(key string) *log {
	return &log{a: a, key: key, prefix: current + url.PathEscape(tlog.Address(key)) + "/", first: math.MaxInt64,
		tokens: map[string]*history{}, decisions: map[string]decision{}, leaves: map[string]*supply.Snapshot{},
		formats: map[string]int{}}
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
	l := a.newLog(key)
	own, err := a.readKey(ctx, l.prefix)
	if err != nil {
		return err
	}
	if own != key {
		return fault(differs, l.prefix+"key", "it is another key: %.200q", own)
	}
	if a.Since != nil {
		l.head, err = tlog.OpenCheckpoint(a.Since, key)
	}
	if err != nil || a.Key != "" && a.Key != key {
		return fault(passing, "the log", "it has ended, or is not the owner's: "+
			"the service now publishes in another log, with the key %s. Ask the owner", key)
	}
	a.report.Key = key
	a.report.Kept = l.head.N
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
		return "", fault(differs, prefix+"key", "not the verifier key of a log: %.80q", key)
	}
	return key, nil
}

// readPrevious reads the logs before. Each one that is still served must have the head that the next
// one names.
func (a *auditor) readPrevious(ctx context.Context, begun tlog.Begin) error {
	a.report.Previous = []Previous{}
	for p := begun.Previous; p != nil && len(a.report.Previous) < maxLogs; {
		a.report.Previous = append(a.report.Previous, Previous{Origin: p.Origin, Log: p.Log, Size: p.Size})
		key, err := a.readKey(ctx, current+url.PathEscape(p.Log)+"/")
		if err != nil && mayPass(err) {
			return nil
		}
		if err != nil {
			return err
		}
		old := a.newLog(key)
		if tlog.Address(key) != p.Log {
			return fault(differs, old.prefix+"key", "it is the key of another log: %.80q", key)
		}
		if err := old.read(ctx); err != nil {
			return err
		}
		if old.next >= p.Size { // otherwise leaves are lost
			if err := old.continues(ctx, merkle.Tree{N: p.Size, Hash: p.Root}, old.head.Tree); err != nil {
				return err
			}
		}
		a.report.Previous[len(a.report.Previous)-1].Read = old.next
		p = old.begun.Previous
	}
	return nil
}

// readHead reads the rest of the log, and the head at the path of the current log. That head must not
// be older than the log was when the audit began. Enough witnesses must have signed the log's own head.
func (a *auditor) readHead(ctx context.Context) error {
	if err := a.log.read(ctx); err != nil {
		return err
	}
	signed, err := a.need(ctx, current+"checkpoint", maxHead)
	if err != nil {
		return err
	}
	c, err := tlog.OpenCheckpoint(signed, a.log.key)
	if err != nil {
		return fault(passing, current+"checkpoint", "%w", err) // the service may have begun a new log: see explain
	}
	if err := a.checkHead(ctx, current+"checkpoint", c.Tree); err != nil {
		return err
	}
	if c.N < a.log.first {
		return fault(passing, current+"checkpoint", "it has %d leaves, but the log had %d before", c.N, a.log.first)
	}
	return a.checkWitnesses()
}

// checkHead checks that the log had a signed head.
func (a *auditor) checkHead(ctx context.Context, where string, tree merkle.Tree) error {
	return a.withLog(ctx, func() error {
		if tree.N > a.log.head.N {
			return fault(passing, where, "its head has %d leaves, but the log has %d", tree.N, a.log.head.N)
		}
		return a.log.continues(ctx, tree, a.log.head.Tree)
	})
}

const (
	// maxCached is how long caches may serve a figure after the next one was published. Clocks may
	// differ by cachedSkew.
	maxCached  = 2 * time.Minute
	cachedSkew = time.Minute
)

// recent reports whether the leaf that add is adding was published after the audit began, or at most
// maxCached before. The argument is the time in the leaf. The leaf may have been published later, if
// it waited for a decision.
func (l *log) recent(at time.Time) bool {
	if at.Before(l.decided) {
		at = l.decided
	}
	return l.next >= l.first || l.a.isNear(at)
}

// isNear reports whether a time is after the audit began, or so shortly before that caches may still
// have answers from before it.
func (a *auditor) isNear(at time.Time) bool {
	ago := a.began.Sub(at)
	return ago < maxCached+cachedSkew && ago > -maxSkew
}

// read reads the newest checkpoint, which must continue the one before, and all leaves up to it.
func (l *log) read(ctx context.Context) error {
	signed, err := l.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return err
	}
	c, err := tlog.OpenCheckpoint(signed, l.key)
	if err != nil {
		return fault(differs, l.prefix+"checkpoint", "%w", err)
	}
	if c.N < l.head.N {
		if l.next > 0 { // otherwise nothing of the larger tree is known
			if err := l.continues(ctx, c.Tree, l.head.Tree); err != nil {
				return err
			}
		}
		return fault(passing, l.prefix+"checkpoint", "it has %d leaves, and had %d before", c.N, l.head.N)
	}
	if err := l.continues(ctx, l.head.Tree, c.Tree); err != nil {
		return err
	}
	l.head = c
	l.signed = signed
	client, err := torchwood.NewClient(l)
	if err != nil {
		return err
	}
	for i, entry := range client.AllEntries(ctx, c.Tree, l.next) {
		if err := l.add(entry); err != nil {
			return fault(contradicts, fmt.Sprintf("leaf %d", i), "%w", err)
		}
		l.next++
		if l.a.Read != nil {
			l.a.Read(1)
		}
	}
	if err := client.Err(); err != nil {
		return fault(differs, "the log", "its tiles do not lead to the root of the checkpoint: %w", err)
	}
	for token, h := range l.tokens {
		if h.unused != "" { // a ledger and the figure that uses it are published together
			return fault(contradicts, "the log", "no figure of %s uses ledger %.64q", token, h.unused)
		}
	}
	return nil
}

var errForked = errors.New("the log was forked or rewritten")

// continues checks that a large tree continues a small one.
func (l *log) continues(ctx context.Context, small, large merkle.Tree) error {
	if small.N == 0 {
		return nil
	}
	root, err := merkle.TreeHash(small.N, torchwood.TileHashReaderWithContext(ctx, large, l))
	if err != nil {
		return fault(differs, "consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
	}
	if root != small.Hash {
		return fault(contradicts, "consistency", "%w: its root for %d leaves was %s, and is now %s, "+
			"with a head of %d leaves and the root %s", errForked, small.N, small.Hash, root, large.N, large.Hash)
	}
	return nil
}

// add checks a leaf, and adds what it says to the histories of the tokens.
func (l *log) add(text []byte) error {
	var tag struct{ Format string }
	if err := json.Unmarshal(text, &tag); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	if (tag.Format == tlog.BeginFormat) != (l.next == 0) {
		return errors.New("the first leaf of a log must say that the log begins, and no other leaf may")
	}
	l.formats[tag.Format]++
	if other := l.next - int64(l.formats[tlog.SnapshotFormat]); other+int64(len(l.leaves)) > maxKept {
		return errTooMuch
	}
	if tag.Format == tlog.SnapshotFormat {
		return l.snapshot(text)
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
		return l.ledger(x)
	case tlog.Decision:
		return l.decision(x)
	}
	return nil
}

// snapshot checks that a snapshot follows the token's previous one, and that its ledger was
// announced.
func (l *log) snapshot(text []byte) error {
	s, err := supply.ParseLeaf(text)
	if err != nil {
		return err
	}
	h := l.history(s.Token)
	if _, known := h.ledgers[s.LedgerHash]; !known {
		return fmt.Errorf("it uses ledger %.64q, which no leaf of %s announced", s.LedgerHash, s.Token)
	}
	if d, decided := l.decisions[s.ID]; decided && d.token != s.Token {
		return fmt.Errorf("a decision about it names another token, %.80q", d.token)
	}
	if was := h.newest; was != nil {
		same := s.LedgerHash == was.LedgerHash && s.Figures.Equal(was.Figures)
		switch {
		case h.unused != "" && h.unused != s.LedgerHash:
			return fmt.Errorf("it does not use ledger %.64q, which was announced for it", h.unused)
		case s.Previous != was.ID:
			return fmt.Errorf("it says that it follows snapshot %.64q of %s, but %s was published before it",
				s.Previous, s.Token, was.ID)
		case s.AsOf.Before(was.AsOf) && !was.AsOf.After(s.MeasuredAt): // unless a clock was ahead
			return fmt.Errorf("it is as of %s, earlier than a figure that was published before it",
				s.AsOf.Format(time.RFC3339))
		case same && l.decisions[was.ID].now != nil:
			return fmt.Errorf("it repeats the figures of snapshot %s, which the log marks as wrong", was.ID)
		case !same:
			h.run = nil
		}
		if !l.recent(s.MeasuredAt) {
			delete(l.leaves, was.ID)
		}
	}
	h.newest = s
	h.run = append(h.run[max(0, len(h.run)-maxRun+1):], s.ID)
	h.unused = ""
	l.leaves[s.ID] = s
	return nil
}

// history returns the history of a token. It is empty if no leaf announced a ledger of the token.
func (l *log) history(token string) *history {
	if h := l.tokens[token]; h != nil {
		return h
	}
	return &history{ledgers: map[string]announced{}}
}

func (l *log) ledger(v tlog.LedgerVersion) error {
	h := l.history(v.Token)
	if _, known := h.ledgers[v.Ledger]; known {
		return fmt.Errorf("the ledger %.64q of %.64q was announced before", v.Ledger, v.Token)
	}
	if !ledger.IsPath(v.Token) {
		return fmt.Errorf("%.80q cannot be the path of a token", v.Token)
	}
	if h.unused != "" {
		return fmt.Errorf("no figure of %s uses ledger %.64q", v.Token, h.unused)
	}
	if h.newest != nil {
		h.unused = v.Ledger
	}
	h.ledgers[v.Ledger] = announced{v.Since, l.recent(v.Since)}
	l.tokens[v.Token] = h
	return nil
}

// decision adds a decision. A service never marks a snapshot as wrong while a newer one with the same
// figures is right.
func (l *log) decision(d tlog.Decision) error {
	if supply.DecisionKind(d.Kind) == supply.Accept && (d.Subject == supply.Heights || d.Subject == supply.Decimals) {
		return nil
	}
	if d.Kind != string(supply.Right) && d.Kind != string(supply.Wrong) || !tlog.IsHash(d.Subject) {
		return fmt.Errorf("unknown kind of decision, or not about a snapshot: %.60q, %.80q", d.Kind, d.Subject)
	}
	if of := l.leaves[d.Subject]; of != nil && of.Token != d.Token {
		return fmt.Errorf("it is about a snapshot of %s, but names another token, %.80q", of.Token, d.Token)
	}
	l.decided = d.At
	next := decision{token: d.Token, before: l.decisions[d.Subject].now, recent: l.recent(d.At)}
	if d.Kind == string(supply.Wrong) {
		next.now = &supply.Correction{Reason: d.Reason, At: d.At}
	}
	if run := l.history(d.Token).run; next.now != nil && slices.Contains(run, d.Subject) {
		newest := run[len(run)-1]
		if newest != d.Subject && l.decisions[newest].now == nil {
			return fmt.Errorf("it marks figures as wrong that snapshot %s has too", newest)
		}
	}
	l.decisions[d.Subject] = next
	return nil
}

// confirm checks that a snapshot of a token, or of any if token is "", is recent, and that its figures
// have this correction or none.
func (l *log) confirm(where, token, id string, said *supply.Correction) error {
	of := l.leaves[id]
	d := l.decisions[id]
	switch {
	case of == nil || token != "" && of.Token != token:
		return fault(passing, where, "it names snapshot %.80q, which was not the newest of its token in the log "+
			"within the last two minutes, or is not signed yet", id)
	case sameCorrection(said, d.now), d.recent && sameCorrection(said, d.before):
		return nil
	case said != nil:
		return fault(passing, where, "it has a correction that the log does not have: %.200q", said.Reason)
	}
	return fault(differs, where, "the log marks the figures of snapshot %s as wrong, but they are still served", id)
}

// confirmCorrection checks that the newest figures of a token with this symbol have the correction.
func (l *log) confirmCorrection(symbol string, said *supply.Correction) error {
	for _, h := range l.tokens {
		if h.symbol == symbol && h.newest != nil && l.confirm(theList, "", h.newest.ID, said) == nil {
			return nil
		}
	}
	return fault(passing, theList, "it has a correction of %q that the log does not have: %.200q",
		ledger.Clip(symbol), said.Reason)
}

func sameCorrection(a, b *supply.Correction) bool { return bytes.Equal(tlog.Encode(a), tlog.Encode(b)) }

// confirmLedgers checks that the log announced these ledgers of a token, and no others, and that a
// recent figure used the first.
func (l *log) confirmLedgers(where, token, used string, since map[string]time.Time) error {
	announced := l.history(token).ledgers
	for hash, said := range since {
		made, known := announced[hash]
		if !known {
			return fault(passing, where, "no leaf announced version %.64q", hash)
		}
		if said != made.since {
			return fault(differs, where, "version %.64q applies since %s, but the log says since %s", hash,
				said.Format(time.RFC3339Nano), made.since.Format(time.RFC3339Nano))
		}
	}
	for hash, made := range announced {
		if _, listed := since[hash]; !listed && !made.recent {
			return fault(differs, where, "version %.64q, which the log announced, is missing or has no \"since\"", hash)
		}
	}
	has := false
	for _, s := range l.leaves {
		if s.Token == token && s.LedgerHash == used {
			return nil
		}
		has = has || s.Token == token
	}
	if has {
		return fault(differs, where, "it is %.64q, which no recent figure in the log uses", used)
	}
	return nil
}

// ReadTiles reads tiles of the log.
func (l *log) ReadTiles(ctx context.Context, tiles []merkle.Tile) ([][]byte, error) {
	out := make([][]byte, len(tiles))
	left := int64(64 << 20)
	for i, t := range tiles {
		var err error
		out[i], err = l.a.need(ctx, l.prefix+torchwood.TilePath(t), left)
		if err != nil {
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
