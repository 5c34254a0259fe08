// Package audit checks a service and its log. The log must be signed and append-only. Every leaf
// must be in the signed tree, and must be consistent with the leaves before it. The service's
// answers must match the newest leaf of each token. Begin with Run.
package audit

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// Config configures an audit.
type Config struct {
	URL       string // URL of the service's supply API
	Copy      bool   // the URL has the files of a frozen copy
	Key       string // verifier key of its log; "" means the served one
	Since     []byte // a checkpoint from an earlier audit, which the log must continue; may be nil
	Client    *http.Client
	Witnesses *tlog.Policy     // witnesses that must have signed the head; nil means none
	MaxAge    time.Duration    // maximum age of each figure and of signatures by Witnesses; 0 means any
	Now       func() time.Time // nil means time.Now
	Read      func(leaves int) // called with the number of leaves just read; may be nil
}

// An auditor is one audit in progress.
type auditor struct {
	Config
	prefix string // the path of the log at its own address
	least  int64  // size of the first head that was read and was not older than Config.Since
	// isCurrent means that /log/ must have this log too.
	isCurrent bool
	report    Report
	begun     tlog.Begin // the first leaf
	head      torchwood.Checkpoint
	read      int64              // number of leaves that were read and are correct
	tokens    map[string]*newest // by the token's path
	// ledgers are the ledgers that leaves announced, by token and hash.
	ledgers map[[2]string]tlog.LedgerVersion
	// unused has the ledgers that were announced after a token's first figures, and that no figure
	// uses yet, by token. The token's next snapshot must use its ledger.
	unused map[string]string
	// corrections are the latest decisions that correct a snapshot or undo a correction, by the
	// shortID of the snapshot.
	corrections map[uint64]correction
	released    map[uint64]time.Time       // when held figures were last released, by the shortID of the token
	deferred    map[string][]deferredCheck // by the id of a snapshot
	had         map[merkle.Tree]bool       // signed heads that the log once had
	tiles       *tileReader
	remembered  int // bytes that the maps above and the earlier logs take; see remember
	// done has the tokens of which all answers were compared, with the id of the snapshot that they
	// were compared with.
	done    map[string]string
	named   map[string]string // symbol and decimals of the tokens in done; see document.named
	earlier earlierLogs
	// heads are all signed heads that were read, by the address of their log. All auditors of one
	// service share them.
	heads map[string][]merkle.Tree
	// claimed are checkpoints that were served as those of another log, or in evidence, by the log
	// that they name. sawClaimed checks who signed them. All auditors of one service share them, too.
	claimed *claims
}

// claims are checkpoints by the address of a log.
type claims struct {
	of    map[string][]string
	bytes int // of all together
}

// newest is the newest snapshot of a token among the leaves read so far.
type newest struct {
	supply.Logged

	// equal has the shortIDs of this snapshot and of those directly before it with the same figures
	// and ledger, oldest first. complete means that this log has a snapshot before them. Otherwise
	// the snapshots in earlierLogs.equal come before them.
	equal    []uint64
	complete bool
	bytes    int       // its part of auditor.remembered, without heights
	first    start     // the token's first snapshot in the log
	last     time.Time // the latest asOf in the log
	// served and used are the starts of two runs of consecutive snapshots. Both runs end with this
	// snapshot. In the run of served, no snapshot was withdrawn, except perhaps this one. In the
	// run of used, all snapshots have the same ledger.
	served, used start
	// heights has the number of the token's highest block on each chain, by chain id. It covers
	// this log and the earlier logs.
	heights    map[uint64]uint64
	correction correction // see auditor.wrong
}

// A start identifies the first snapshot of a log, or of a run of snapshots.
type start struct {
	id, previous   string
	asOf, measured time.Time
}

func startOf(s supply.Logged) start { return start{s.ID, s.Previous, s.AsOf, s.MeasuredAt} }

// raise notes the asOf and the blocks of s, a snapshot of the same token. It returns about how many
// more bytes n takes.
func (n *newest) raise(s supply.Logged) int {
	if s.AsOf.After(n.last) {
		n.last = s.AsOf
	}
	known := len(n.heights)
	for _, b := range s.Blocks {
		n.heights[b.ChainID] = max(n.heights[b.ChainID], b.Number)
	}
	return heightBytes * (len(n.heights) - known)
}

// wentBack reports whether an earlier snapshot of the token has a later asOf than n, or a higher
// block on one of its chains.
func (n *newest) wentBack() bool {
	for _, b := range n.Blocks {
		if b.Number < n.heights[b.ChainID] {
			return true
		}
	}
	return n.AsOf.Before(n.last)
}

// A correction says that figures are wrong, or undoes an earlier correction. If there are
// several, the one with the last leaf counts. Its time does not matter, because the service can
// claim any time.
type correction struct {
	wrong bool
	token uint64            // short id of the token that it names
	index int64             // index of the leaf; 0 if there is none
	at    time.Time         // when it was decided, according to the service
	hash  [sha256.Size]byte // hash of its reason and time; see correctionSet
}

// about returns c as it applies to a snapshot of the token. A dishonest log may let c name another
// token, so that readers of this token's decisions do not find it. Then the figures count as wrong,
// even if c undoes a correction.
func (c correction) about(token string) correction {
	c.wrong = c.wrong || c.token != shortID(token)
	return c
}

// same reports whether s has the figures and the ledger of n.
func (n *newest) same(s supply.Logged) bool {
	return s.Ledger == n.Ledger && s.Figures.Equal(n.Figures)
}

// shortID returns a hash of a snapshot's id, or of a token's path or symbol. An audit keeps only
// these hashes, because a log has a hundred thousand ids a year for each token. The seed of the
// hashes is random, so nobody can construct collisions.
func shortID(id string) uint64 { return maphash.String(idSeed, id) }

var idSeed = maphash.MakeSeed()

// Limits for every log, honest or not.
const (
	maxLeaves     = 1 << 32  // more than one a second for a century
	maxRemembered = 24 << 20 // bytes that an audit keeps of the leaves
	idBytes       = 20       // approximate size of a shortID in a list
	heightBytes   = 40       // approximate size of a height in a map
	startBytes    = 512      // approximate size of a start in a map
	tokenBytes    = 1024     // approximate size of a newest besides its leaf, or of a ledger
)

// remember counts the bytes that the audit keeps. Above maxRemembered it returns errTooMuch.
func (a *auditor) remember(bytes int) error {
	if a.remembered += bytes; a.remembered+a.claimed.bytes > maxRemembered {
		return errTooMuch
	}
	return nil
}

// errTooMuch means that an audit of the log takes too much memory. It does not mean that the log is
// wrong.
var errTooMuch error = &unread{fmt.Errorf("the tokens, ledgers and corrections of the log take more than %d MB of memory",
	maxRemembered>>20)}

// catchUp is the number of tries in a row after which a difference between the service and its log
// is a fault. A service may be ahead of its log for some seconds, because the log is signed after a
// publication, and caches may keep its head for five seconds. Tries that end with errAhead or
// errDecided are counted separately. After catchUp of them, the method outrun decides whether the
// difference is a fault. A correction that is not in the log (errUnlogged) gets ten times as many
// tries. If a try compares all answers about one more token, both counts start again.
const catchUp = 6

// Pause is the time between two tries (see catchUp). Tests shorten it.
var Pause = 2 * time.Second

// Run audits a service. It ends at the first *Fault and reports everything that held until then.
// Any other error means that the service could not be read, or that it began a new log meanwhile.
func Run(ctx context.Context, cfg Config) (Report, error) {
	a := newAuditor(ctx, cfg)
	err := a.run(ctx)
	if errors.As(err, new(*Fault)) && !errors.Is(err, errForked) && a.isCurrent {
		if key, unread := a.readKey(ctx, current); unread == nil && tlog.Address(key) != tlog.Address(a.Key) {
			err = fmt.Errorf("the service began a new log during the audit, so audit it again; this differed: %v", err)
		}
	}
	return a.report, err
}

func newAuditor(ctx context.Context, cfg Config) *auditor {
	a := &auditor{Config: cfg, tokens: map[string]*newest{}, ledgers: map[[2]string]tlog.LedgerVersion{},
		unused: map[string]string{}, corrections: map[uint64]correction{}, released: map[uint64]time.Time{},
		had: map[merkle.Tree]bool{}, deferred: map[string][]deferredCheck{}, done: map[string]string{}, named: map[string]string{},
		heads: map[string][]merkle.Tree{}, claimed: &claims{of: map[string][]string{}}}
	if a.Now == nil {
		a.Now = time.Now
	}
	a.report = Report{Leaves: map[string]int{}, Cosigned: []tlog.Cosignature{}, Previous: []previous{},
		Retried: []string{}, Compared: map[string]int{}, Proven: []string{}, Unproven: []unproven{},
		Declared: []string{}, Agreed: []string{}, NotCompared: []string{}, Blocks: []string{}, Back: []string{}, Cut: []string{},
		Key: cfg.Key, KeyGiven: cfg.Key != ""}
	a.URL = strings.TrimSuffix(a.URL, "/")
	a.tiles = &tileReader{ctx: ctx, get: a.tile}
	return a
}

// tile reads a tile below the path of the log. It retries, because a process of the service that is
// a moment behind may not have the tile yet.
func (a *auditor) tile(ctx context.Context, path string, most int64) (body []byte, err error) {
	err = a.retry(ctx, func() (err error) {
		body, err = a.get(ctx, a.prefix+path, most)
		return err
	})
	return body, err
}

// retry calls the function read. If it fails because something is missing or differs, retry calls it
// again, at most catchUp times in all. The files of a copy do not change, so they are read once.
func (a *auditor) retry(ctx context.Context, read func() error) error {
	for try := 1; ; try++ {
		err := read()
		if !answersNothing(err) && !errors.Is(err, errDiffers) || a.Copy || try == catchUp {
			return err
		}
		if err := errors.Join(a.differed(err), pause(ctx, Pause)); err != nil {
			return err
		}
	}
}

// differed adds an error to Retried in the report. It returns an error if there are too many,
// because each of them must be in the report.
func (a *auditor) differed(err error) error {
	line := fmt.Sprintf("%.300s", err)
	if slices.Contains(a.report.Retried, line) {
		return nil
	}
	if len(a.report.Retried) == maxNamed {
		return fmt.Errorf("more than %d answers failed or differed, and were read again; the last of them: %s",
			maxNamed, line)
	}
	a.report.Retried = append(a.report.Retried, line)
	return nil
}

// pause waits before the next try.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (a *auditor) run(ctx context.Context) error {
	if err := a.openLog(ctx); err != nil {
		return err
	}
	for ahead, other := 0, 0; ; { // numbers of tries in a row: see catchUp
		if err := a.readLeaves(); err != nil {
			return err
		}
		done := len(a.done)
		err := a.checkPrevious(ctx)
		if err == nil {
			err = a.compareServed(ctx)
		}
		if err == nil {
			err = a.checkCurrent(ctx)
		}
		if err == nil {
			err = a.checkAges()
		}
		if err == nil {
			err = a.finish(ctx)
		}
		if len(a.done) > done {
			ahead, other = 0, 0
		}
		mayChange := errors.Is(err, errDiffers) || errors.Is(err, tlog.ErrFew) || answersNothing(err)
		if a.Copy || !mayChange {
			return err
		}
		if errors.Is(err, errAhead) || errors.Is(err, errDecided) {
			if ahead++; ahead == catchUp {
				return a.outrun(ctx, err)
			}
		} else if other++; other == catchUp && !errors.Is(err, errUnlogged) || other == 10*catchUp {
			return err
		}
		if err := errors.Join(a.differed(err), pause(ctx, Pause)); err != nil {
			return err
		}
		if err := a.advance(ctx); err != nil {
			return err
		}
	}
}

// finish reads the rest of the log, if a larger head of it was served somewhere. All answers were
// compared before. So the log may only have got newer figures of compared tokens, which finish
// reports. Answers are not compared with these figures, because newer ones could follow every time.
func (a *auditor) finish(ctx context.Context) error {
	compared := map[string]string{} // by token: its newest snapshot
	for token, n := range a.tokens {
		compared[token] = n.ID
	}
	others := func() int64 { return a.read - int64(a.report.Leaves[tlog.SnapshotFormat]) } // leaves that are no figures
	before := others()
	if err := a.checkHeads(ctx); err != nil {
		return err
	}
	if err := a.readLeaves(); err != nil {
		return err
	}
	if others() != before {
		return fault("the log", "a decision or a ledger was signed during the audit: %w", errAhead)
	}
	for token, n := range a.tokens {
		if compared[token] != n.ID && !slices.Contains(a.report.Served, token) {
			return fault("the log", "figures of %s were signed during the audit: %w", token, errAhead)
		}
	}
	err := a.checkDeferred(false)
	if err == nil {
		err = a.checkWitnesses()
	}
	if err == nil {
		err = a.checkClaims()
	}
	if err == nil {
		a.noteNewer(compared)
	}
	return err
}

// checkHeads checks that the log has all signed heads that were read. If one of them is larger than
// a.head, it reads the log's newest head first.
func (a *auditor) checkHeads(ctx context.Context) error {
	a.sawClaimed()
	log := tlog.Address(a.Key)
	if slices.ContainsFunc(a.heads[log], func(c merkle.Tree) bool { return c.N > a.head.N }) {
		if err := a.advance(ctx); err != nil {
			return err
		}
	}
	for _, c := range a.heads[log] {
		if c.N > a.head.N {
			return fault("another answer", "it is for a head of %d leaves, but the log has %d: %w", c.N, a.head.N, errDiffers)
		}
		if err := a.hadHead(c, "another answer"); err != nil {
			return err
		}
	}
	return nil
}

// outrun returns errOutrun, which is not a fault, if every difference has an explanation: the
// snapshot of the answer was added to the log after the answer was read, or a cache may have kept
// the answer or the log's head. Otherwise it returns last, the difference that its caller found
// last. It reads the log again and again until no cache can have an older head.
func (a *auditor) outrun(ctx context.Context, last error) error {
	for try := 1; ; try++ {
		err := a.advance(ctx)
		if err == nil {
			err = a.readLeaves()
		}
		if err != nil {
			return errors.Join(err, a.differed(last)) // the report has this difference too
		}
		if err = a.checkCurrent(ctx); err == nil {
			err = a.checkHeads(ctx)
		}
		if err == nil {
			err = a.checkDeferred(true)
		}
		if err == nil || errors.Is(err, errOutrun) {
			return errOutrun
		}
		if try == outrunTries {
			return last
		}
		if err := pause(ctx, 10*Pause); err != nil {
			return err
		}
	}
}

// outrunTries is how often the method outrun reads the log, in more than maxCached.
const outrunTries = 7

// errForked means that the log's key signed two different logs.
var errForked = errors.New("the log was forked or rewritten")

// advance calls readHead. It retries, because a process of the service that is a moment behind may
// not have the log yet.
func (a *auditor) advance(ctx context.Context) error {
	return a.retry(ctx, func() error { return a.readHead(ctx) })
}

// readHead reads the newest checkpoint, which must continue the previous one. If the answer is an
// earlier checkpoint, from a process that is a moment behind, the previous one stays the newest.
func (a *auditor) readHead(ctx context.Context) error {
	next, signed, err := a.checkpoint(ctx, a.prefix)
	if err != nil {
		return err
	}
	before := a.head
	if next.N < before.N && a.report.Size == before.N { // the process that answered may be a moment behind
		if err := a.hadHead(next.Tree, "checkpoint"); err != nil {
			return err
		}
		return a.differed(fault(a.prefix+"checkpoint", "it has only %d leaves, and had %d before", next.N, before.N))
	}
	if next.N < before.N && a.Copy {
		return fmt.Errorf("the copy is from before the checkpoint that you kept: its log has %d leaves, not %d or more; "+
			"audit it without --since", next.N, before.N)
	}
	if next.N < before.N { // checkHeads compares it with the log
		return fault("checkpoint", "it is older than the one before: its size is %d, not %d or more: %w",
			next.N, before.N, errDiffers)
	}
	if a.least == 0 {
		a.least = next.N
	}
	a.tiles.known = map[merkle.Tile][]byte{}
	if before.N > 0 {
		root, err := merkle.TreeHash(before.N, merkle.TileHashReader(next.Tree, a.tiles))
		if err != nil {
			return fault("consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
		}
		if root != before.Hash {
			return fault("consistency", "%w: its root for %d leaves was %s, and is now %s",
				errForked, before.N, before.Hash, root)
		}
	}
	a.head, a.report.Checkpoint = next, signed
	a.report.Origin, a.report.Size = next.Origin, next.N
	a.had[next.Tree] = true
	return nil
}

// checkCurrent checks that the head at /log/ is that of the log's own address, a later one, or an
// earlier one that has at least a.least leaves. The report names an earlier one.
func (a *auditor) checkCurrent(ctx context.Context) error {
	c, signed, err := a.checkpoint(ctx, current)
	if err != nil {
		return err
	}
	if err := a.hadHead(c.Tree, current+"checkpoint"); err != nil {
		return err
	}
	if c.N < a.least || a.Copy && !bytes.Equal(signed, a.report.Checkpoint) {
		return fault(current+"checkpoint", "it has %d leaves, and differs from %scheckpoint: %w", c.N, a.prefix, errAhead)
	}
	if c.N < a.head.N {
		return a.differed(fault(current+"checkpoint", "it has only %d leaves, %scheckpoint has %d", c.N, a.prefix, a.head.N))
	}
	return nil
}

// checkpoint reads the newest checkpoint below a path of the log.
func (a *auditor) checkpoint(ctx context.Context, prefix string) (torchwood.Checkpoint, []byte, error) {
	signed, err := a.get(ctx, prefix+"checkpoint", 64<<10)
	if err != nil {
		return torchwood.Checkpoint{}, nil, err
	}
	c, err := tlog.OpenCheckpoint(signed, a.Key)
	switch by := tlog.SignedAddress(signed); {
	case err != nil && by != "" && by != tlog.Address(a.Key): // a cache may have kept a head of the previous log
		err = cmp.Or(a.claim(string(signed)), fault(prefix+"checkpoint", "%w: %w", err, errDiffers))
	case err != nil:
		err = fault(prefix+"checkpoint", "%w", err)
	case c.N > maxLeaves:
		err = fault(prefix+"checkpoint", "it has %d leaves, more than any service can have published", c.N)
	default:
		a.saw(tlog.Address(a.Key), c.Tree)
		if err = a.checkSignatures(signed); err != nil {
			err = fault("witnesses", "%w", err)
		}
	}
	return c, signed, err
}

// saw remembers a signed head of the log with that address.
func (a *auditor) saw(log string, head merkle.Tree) {
	if !slices.Contains(a.heads[log], head) {
		a.heads[log] = append(a.heads[log], head)
	}
}

// readLeaves reads every leaf up to the head that was not read before, tile by tile.
func (a *auditor) readLeaves() error {
	for a.read < a.head.N {
		first := a.read - a.read%torchwood.TileWidth
		leaves, err := a.bundle(first)
		if err != nil {
			return err
		}
		for i := a.read - first; i < int64(len(leaves)); i++ {
			err := a.leaf(first+i, leaves[i])
			if errors.Is(err, errTooMuch) {
				return fmt.Errorf("the first %d leaves are correct, and the others were not read: %w", first+i, err)
			}
			if err != nil {
				return fault(fmt.Sprintf("leaf %d", first+i), "%w", err)
			}
			a.read++
		}
		if a.Read != nil {
			a.Read(len(leaves))
		}
	}
	for token, unused := range a.unused { // a ledger and the figure that uses it are published together
		return fault("the log", "no figure of %s uses ledger %.64q", token, unused)
	}
	return nil
}

// leaf checks the content of a leaf at its index.
func (a *auditor) leaf(index int64, leaf []byte) error {
	format, err := formatOf(leaf)
	if err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	a.report.Leaves[format]++
	var read any
	if format == tlog.SnapshotFormat {
		err = a.snapshot(leaf)
	} else {
		read, err = tlog.ParseLeaf(format, leaf)
	}
	if err != nil {
		return err
	}
	if err := a.note(index, read, len(leaf)); err != nil {
		return err
	}
	switch begun, begins := read.(tlog.Begin); {
	case begins != (index == 0):
		return errors.New("the first leaf of a log must say that the log begins, and no other leaf may")
	case begins && begun.Origin != a.head.Origin:
		return fmt.Errorf("it begins another log: %.80q", begun.Origin)
	}
	return nil
}

// formatOf returns the format that a leaf names.
func formatOf(leaf []byte) (string, error) {
	var tag struct {
		Format string `json:"format"`
	}
	err := json.Unmarshal(leaf, &tag)
	return tag.Format, err
}

// snapshot checks that a snapshot follows the token's previous one, and that its ledger was
// announced.
func (a *auditor) snapshot(leaf []byte) error {
	s, err := supply.ParseLeaf(leaf)
	if err != nil {
		return err
	}
	if !isTokenPath(s.Token) {
		return fmt.Errorf("%.80q cannot be the path of a token", s.Token)
	}
	if _, announced := a.ledgers[[2]string{s.Token, s.Ledger}]; !announced {
		return fmt.Errorf("it uses ledger %.64q, which no leaf of %s announced", s.Ledger, s.Token)
	}
	if unused, found := a.unused[s.Token]; found && unused != s.Ledger {
		return fmt.Errorf("it does not use ledger %.64q, which was announced for it", unused)
	}
	delete(a.unused, s.Token)
	now := &newest{Logged: s, bytes: len(leaf) + tokenBytes, first: startOf(s), served: startOf(s),
		used: startOf(s), heights: map[uint64]uint64{}}
	if before, ok := a.tokens[s.Token]; ok {
		switch {
		case s.Previous != before.ID:
			return fmt.Errorf("it says that it follows snapshot %.64q of %s, but %s was published before it",
				s.Previous, s.Token, before.ID)
		// A before.AsOf that is later than this measurement came from a clock that was ahead. It is
		// not compared.
		case s.AsOf.Before(before.AsOf) && !before.AsOf.After(s.MeasuredAt):
			return fmt.Errorf("it is as of %s, earlier than a figure that was published before it", s.AsOf.Format(time.RFC3339))
		}
		if !a.corrections[shortID(before.ID)].wrong {
			now.served = before.served
		}
		if before.Ledger == s.Ledger {
			now.used = before.used
		}
		if now.complete = !before.same(s); !now.complete {
			now.equal, now.complete, now.bytes = before.equal, before.complete, before.bytes+idBytes
		}
		now.first, now.last, now.heights = before.first, before.last, before.heights
		a.remembered -= before.bytes
	}
	now.equal = append(now.equal, shortID(s.ID))
	a.tokens[s.Token] = now
	return a.remember(now.bytes + now.raise(s))
}

// note remembers a leaf that is not a snapshot.
func (a *auditor) note(index int64, read any, bytes int) error {
	switch x := read.(type) {
	case tlog.Begin:
		a.begun = x
	case tlog.LedgerVersion:
		if !isTokenPath(x.Token) {
			return fmt.Errorf("%.80q cannot be the path of a token", x.Token)
		}
		key := [2]string{x.Token, x.Ledger}
		if _, known := a.ledgers[key]; known {
			return fmt.Errorf("the ledger %.64q of %.64q was announced before", x.Ledger, x.Token)
		}
		if unused, found := a.unused[x.Token]; found {
			return fmt.Errorf("no figure of %s uses ledger %.64q", x.Token, unused)
		}
		if a.tokens[x.Token] != nil {
			a.unused[x.Token] = x.Ledger
		}
		a.ledgers[key] = x
		return a.remember(bytes + tokenBytes)
	case tlog.Decision:
		switch kind := supply.DecisionKind(x.Kind); kind {
		case supply.Correct, supply.UndoCorrect:
			if !tlog.IsHash(x.Subject) {
				return fmt.Errorf("%.80q is not the id of a snapshot", x.Subject)
			}
			hash := sha256.Sum256(tlog.Decision{Reason: x.Reason, At: x.At}.Leaf())
			a.corrections[shortID(x.Subject)] = correction{kind == supply.Correct, shortID(x.Token), index, x.At, hash}
			return a.remember(bytes)
		case supply.Release:
			a.released[shortID(x.Token)] = x.At
			return a.remember(8 * idBytes)
		case supply.AcceptHeights, supply.AcceptDecimals, supply.RecordCopy:
		default:
			return fmt.Errorf("unknown kind of decision: %.60q", x.Kind)
		}
	}
	return nil
}

// maxSkew is how far the clock of the service or of a witness may be ahead of ours.
const maxSkew = 5 * time.Minute

// checkAges checks that every figure is recent. It reports figures that went back.
func (a *auditor) checkAges() error {
	a.report.AsOf, a.report.At, a.report.Back = time.Time{}, a.Now().UTC(), []string{}
	for _, token := range slices.Concat(a.report.Served, a.report.Withdrawn) {
		if a.tokens[token].wentBack() {
			a.report.Back = append(a.report.Back, token)
		}
	}
	for i, token := range a.report.Served {
		at := a.tokens[token].AsOf // not MeasuredAt, which is later and only claimed by the service
		if i == 0 || at.Before(a.report.AsOf) {
			a.report.AsOf = at
		}
		if err := a.tooOld(at, a.report.At); err != nil {
			return fault("age", "%s is as of %w", token, err)
		}
	}
	return nil
}

// tooOld returns an error if MaxAge is set and a time is longer ago. It also returns an error for a
// time more than maxSkew in the future, because the real age is then unknown.
func (a *auditor) tooOld(at, now time.Time) error {
	age, text := now.Sub(at), at.Format(time.RFC3339)
	switch {
	case a.MaxAge == 0:
		return nil
	case age > a.MaxAge:
		return fmt.Errorf("%s, more than %s ago", text, a.MaxAge)
	case age < -maxSkew:
		return fmt.Errorf("%s, in the future", text)
	}
	return nil
}

// checkSignatures counts the signatures of a checkpoint, and checks those in the name of a witness.
func (a *auditor) checkSignatures(signed []byte) error {
	var known []tlog.Cosignature
	var err error
	if a.Witnesses != nil {
		known, err = a.Witnesses.Check(signed, nil)
	}
	others := bytes.Count(signed, []byte("\n— ")) - 1 - len(known) // 1 is the log's own signature
	a.report.OtherSignatures = max(a.report.OtherSignatures, others)
	if errors.Is(err, tlog.ErrFew) { // only the head needs enough signatures: see checkWitnesses
		return nil
	}
	return err
}

// checkWitnesses checks that enough witnesses signed the head, within MaxAge.
func (a *auditor) checkWitnesses() (err error) {
	a.report.Cosigned = []tlog.Cosignature{}
	if a.Witnesses == nil {
		return nil
	}
	isRecent := func(at time.Time) bool { return a.tooOld(at, a.Now()) == nil }
	if a.report.Cosigned, err = a.Witnesses.Check(a.report.Checkpoint, isRecent); err != nil {
		return fault("witnesses", "%w", err)
	}
	return nil
}
