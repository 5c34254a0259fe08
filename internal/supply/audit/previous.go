package audit

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply/tlog"
)

// current is the path of the current log. Each log also has a path below it.
const current = "/log/"

// maxLogs limits how many logs of a service are checked.
var maxLogs = 50 // tests lower it

// previous is an earlier log of the service.
type previous struct {
	Origin string `json:"origin"`
	Log    string `json:"log"`   // its address
	Size   int64  `json:"size"`  // size of the head that the next log names
	Found  string `json:"found"` // what the audit found at this address
}

// at returns an auditor for another log of the same service, by its address.
func (a *auditor) at(address string) *auditor {
	other := newAuditor(a.tiles.ctx, Config{URL: a.URL, Client: a.Client, Copy: a.Copy, Witnesses: a.Witnesses})
	other.prefix = prefixOf(address)
	other.heads, other.claimed = a.heads, a.claimed
	other.remembered = a.remembered // one memory limit for both auditors
	return other
}

// prefixOf returns the path of the log with that address.
func prefixOf(address string) string { return current + url.PathEscape(address) + "/" }

// readKey reads the verifier key of the log at a path.
func (a *auditor) readKey(ctx context.Context, prefix string) (string, error) {
	text, err := a.get(ctx, prefix+"key", 1<<10)
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(text))
	if address := tlog.Address(key); address == "" || prefix != current && prefix != prefixOf(address) {
		return "", fault(prefix+"key", "not the verifier key of this log: %.80q", key)
	}
	return key, nil
}

// first returns the first leaf of the log, whose head must have been read before.
func (a *auditor) first() (tlog.Begin, error) {
	if a.head.N == 0 {
		return tlog.Begin{}, fault(a.prefix, "the log is empty")
	}
	leaves, err := a.bundle(0)
	if err != nil {
		return tlog.Begin{}, err
	}
	begun, err := tlog.ParseLeaf(tlog.BeginFormat, leaves[0])
	if err != nil {
		return tlog.Begin{}, fault(a.prefix+"leaf 0", "%w", err)
	}
	return begun.(tlog.Begin), nil
}

// earlierLogs is what an audit remembers of the earlier logs.
type earlierLogs struct {
	of string // result of ofEarlier when the logs were read; "" if they were not read
	// claims is the result of countClaims before the logs were read. A checkpoint that was served at
	// the address of one of them may be of a log that was compared before.
	claims int
	// corrections has the latest decision in these logs about each snapshot. The indexes of these
	// decisions are shifted below 0 (see logStep), so that those in later logs are higher.
	corrections map[uint64]correction
	// equal has snapshots of these logs by token, oldest first. They come directly before the
	// token's first snapshot in the current log, and have the same figures and ledger. complete has
	// the tokens whose list in equal is complete: the snapshot before the first in the list was
	// found, and has other figures or another ledger.
	equal    map[string][]uint64
	complete map[string]bool
	bytes    int // the part of auditor.remembered that these logs take
}

// checkPrevious checks the earlier logs of the service, which do not change. It reads them again
// only if the current log has other tokens than at the last reading, or if answers have named other
// heads of earlier logs.
func (a *auditor) checkPrevious(ctx context.Context) error {
	if a.earlier.of == a.ofEarlier() && a.checkClaims() == nil {
		return nil
	}
	a.report.Previous = []previous{}
	a.remembered -= a.earlier.bytes
	a.earlier = earlierLogs{corrections: map[uint64]correction{}, equal: map[string][]uint64{}, complete: map[string]bool{},
		claims: a.countClaims()}
	if err := a.readPrevious(ctx); err != nil {
		return err
	}
	for _, log := range slices.Sorted(maps.Keys(a.heads)) {
		isNamed := func(p previous) bool { return p.Log == log }
		if log != tlog.Address(a.Key) && !slices.ContainsFunc(a.report.Previous, isNamed) {
			a.report.Previous = append(a.report.Previous, previous{Log: log,
				Found: "a head of it was read before, but no later log names it now, so logs are lost or hidden"})
		}
	}
	a.earlier.of = a.ofEarlier()
	return nil
}

// claim remembers a checkpoint that names another log.
func (a *auditor) claim(signed string) error {
	log := tlog.SignedAddress([]byte(signed))
	if log == "" || slices.Contains(a.claimed.of[log], signed) {
		return nil
	}
	a.claimed.of[log] = append(a.claimed.of[log], signed)
	a.claimed.bytes += len(signed)
	return a.remember(0)
}

// sawClaimed adds the claimed checkpoints of this log that its key signed to the heads.
func (a *auditor) sawClaimed() {
	log := tlog.Address(a.Key)
	for _, signed := range a.claimed.of[log] {
		if c, err := tlog.OpenCheckpoint([]byte(signed), a.Key); err == nil {
			a.saw(log, c.Tree)
		}
	}
}

func (a *auditor) countClaims() (n int) {
	for _, list := range a.claimed.of {
		n += len(list)
	}
	return n
}

// checkClaims returns a fault if a checkpoint was claimed since the earlier logs were last read. They
// have to be read again, because it may be a fork of one of them.
func (a *auditor) checkClaims() error {
	if a.earlier.claims == a.countClaims() {
		return nil
	}
	return fault("earlier logs", "a checkpoint that may be of one of them was served elsewhere: %w", errDiffers)
}

// ofEarlier returns a text that changes when the earlier logs have to be read again.
func (a *auditor) ofEarlier() string {
	heads := 0
	for log, list := range a.heads {
		if log != tlog.Address(a.Key) {
			heads += len(list)
		}
	}
	return fmt.Sprint(heads, slices.Sorted(maps.Keys(a.tokens)))
}

// readPrevious reads the earlier logs. Each log that is still served must have the head that the
// next log names.
func (a *auditor) readPrevious(ctx context.Context) error {
	begins := map[string]start{}
	for token, n := range a.tokens {
		begins[token] = n.first
	}
	for next := a.begun; next.Previous != nil; {
		named := *next.Previous
		if len(a.report.Previous) >= maxLogs {
			a.report.Previous = append(a.report.Previous, previous{named.Origin, named.Log, named.Size,
				"it was not read, nor were those before it"})
			return nil
		}
		p := previous{Origin: named.Origin, Log: named.Log, Size: named.Size,
			Found: "its key is no longer served, so neither it nor those before it were read"}
		if named.Log == tlog.Address(a.Key) ||
			slices.ContainsFunc(a.report.Previous, func(p previous) bool { return p.Log == named.Log }) {
			return fault("log before", "a log names %.80q as the log before it, but that log is not earlier", named.Log)
		}
		old := a.at(named.Log)
		key, err := old.readKey(ctx, old.prefix)
		if answersNothing(err) {
			for _, c := range a.heads[named.Log] {
				p.Found += lost(c)
			}
			a.report.Previous = append(a.report.Previous, p)
			return nil
		}
		if old.Key = key; err == nil {
			p.Found, err = old.compareNamed(ctx, next)
		}
		a.report.OtherSignatures = max(a.report.OtherSignatures, old.report.OtherSignatures)
		for _, line := range old.report.Retried {
			err = errors.Join(err, a.differed(errors.New(line)))
		}
		if err != nil {
			return err
		}
		if err := a.rememberLog(old); err != nil {
			return err
		}
		p.Found += a.denied(old, begins)
		a.report.Previous = append(a.report.Previous, p)
		next = old.begun
	}
	return nil
}

// compareNamed reads this earlier log. It must have the head that the next log names, and all heads
// that were read so far. next is the first leaf of the next log. The result is what the report says
// of this log.
func (a *auditor) compareNamed(ctx context.Context, next tlog.Begin) (found string, err error) {
	named := *next.Previous
	if err := a.advance(ctx); err != nil {
		return "", err
	}
	found = fmt.Sprintf("only %d leaves are served there, too few to compare with the head that the next log names", a.head.N)
	if a.head.N >= named.Size {
		root, err := merkle.TreeHash(named.Size, a.hashes())
		if err != nil {
			return "", fault(a.prefix, "the tiles do not lead to the root of the checkpoint: %w", err)
		}
		if root != named.Root || a.head.Origin != named.Origin {
			return "", fault(a.prefix,
				"it does not have the head that the next log names: with %d leaves the root of %s is %s, not %s",
				named.Size, a.head.Origin, root, named.Root)
		}
		found = "it is still served, and has the head that the next log names"
		if a.head.N > named.Size {
			found += fmt.Sprintf(", but it has %d leaves by now", a.head.N)
		}
	}
	a.sawClaimed()
	for _, c := range a.heads[named.Log] {
		if err := a.hadHead(c, a.prefix); err != nil {
			return "", err
		}
		if c.N > a.head.N {
			found += lost(c)
		}
	}
	if err := a.readLeaves(); err != nil {
		return "", fmt.Errorf("%s%w", a.prefix, err)
	}
	return found, nil
}

// lost says that a head of an earlier log is no longer served.
func lost(c merkle.Tree) string {
	return fmt.Sprintf(". A head with %d leaves was read before, so leaves are lost or hidden", c.N)
}

// denied describes the data of old, an earlier log, that later logs do not continue: ledgers,
// tokens and figures. The service may have lost this data with its database. begins has each
// token's first snapshot in the log after old. denied replaces these snapshots with the first ones
// in old.
func (a *auditor) denied(old *auditor, begins map[string]start) (text string) {
	ledgers, lost, newer, ended := 0, []string{}, []string{}, []string{}
	for key, v := range old.ledgers {
		if now, found := a.ledgers[key]; !found || !now.Since.Equal(v.Since) {
			ledgers++
		}
	}
	for _, token := range slices.Sorted(maps.Keys(old.tokens)) {
		o := old.tokens[token]
		switch first, found := begins[token]; {
		case found && first.asOf.Before(o.last):
			newer = append(newer, token)
		case found && first.id != o.ID && first.previous != o.ID:
			ended = append(ended, token)
		}
		if a.tokens[token] == nil {
			lost = append(lost, token)
		}
		begins[token] = o.first
	}
	if ledgers > 0 {
		text += fmt.Sprintf(". It has %d ledgers that the current log lacks, or has with another date", ledgers)
	}
	for _, list := range []struct {
		word   string
		tokens []string
	}{{"tokens that the current log lacks", lost}, {"newer figures than the next log began with", newer},
		{"figures that the next log does not continue", ended}} {
		if len(list.tokens) > 0 {
			text += fmt.Sprintf(". It has %s: %s", list.word, strings.Join(list.tokens, ", "))
		}
	}
	return text
}

// logStep is subtracted from the indexes of a log's leaves, once for each later log. So all indexes
// of an earlier log are lower than those of a later one.
const logStep = 2 * maxLeaves

// rememberLog remembers the decisions of an earlier log. If the figures of a token have not changed
// since that log ended, it also remembers the log's last snapshots with these figures.
func (a *auditor) rememberLog(old *auditor) error {
	e, bytes := &a.earlier, len(old.tokens)*startBytes // see denied
	for id, c := range old.corrections {
		if _, later := e.corrections[id]; !later {
			c.index -= int64(1+len(a.report.Previous)) * logStep
			e.corrections[id] = c
			bytes += 8 * idBytes
		}
	}
	for token, n := range a.tokens {
		o := old.tokens[token]
		if o == nil {
			continue
		}
		known := len(n.heights)
		for chain, height := range o.heights { // the token's next snapshot may be on any of these chains
			n.heights[chain] = max(n.heights[chain], height)
		}
		a.remembered += heightBytes * (len(n.heights) - known)
		if n.complete || e.complete[token] {
			continue
		}
		if !n.same(o.Logged) {
			e.complete[token] = true
			continue
		}
		e.equal[token] = slices.Concat(o.equal, e.equal[token])
		e.complete[token] = o.complete
		bytes += len(o.equal) * idBytes
	}
	e.bytes += bytes
	return a.remember(bytes)
}

// ended checks a log that is no longer current. It always returns an error, because nothing that is
// served now is in the requested log.
func (a *auditor) ended(ctx context.Context, nextKey, address string) error {
	a.prefix = prefixOf(address)
	err := a.openAt(ctx)
	if err == nil {
		err = a.readLeaves()
	}
	if _, wrong := errors.AsType[*Fault](err); wrong {
		return fault("the log",
			"the service now publishes in another log, with the key %s, and this log is not correct: %w", nextKey, err)
	}
	if err != nil {
		return err
	}
	next := a.at(tlog.Address(nextKey))
	next.Key = nextKey
	if err := next.advance(ctx); err != nil {
		return err
	}
	begun, err := next.first()
	if err != nil {
		return err
	}
	names := "that log does not name this one"
	if p := begun.Previous; p != nil && p.Log == address {
		root, err := merkle.TreeHash(min(p.Size, a.head.N), a.hashes())
		if err != nil {
			return fault("the log", "the tiles do not lead to the root of the checkpoint: %w", err)
		}
		if names = fmt.Sprintf("that log names this one with %d leaves", p.Size); p.Size <= a.head.N && root != p.Root {
			return fault("the log", "the next log names another head: its root for %d leaves is %s, not %s",
				p.Size, root, p.Root)
		}
	}
	return fault("the log",
		"it ended with %d leaves, which are correct. The service now publishes in another log, because: %q; %s. "+
			"Its key is %s. Ask the owner whether it is theirs. If it is, audit with it", a.head.N, begun.Reason, names, nextKey)
}

// openAt reads the newest checkpoint of the log. It must continue the checkpoint Config.Since, if
// that is set.
func (a *auditor) openAt(ctx context.Context) (err error) {
	if a.Key == "" {
		if a.Key, err = a.readKey(ctx, a.prefix); err != nil {
			return err
		}
		a.report.Key = a.Key
	}
	if a.Since != nil {
		kept, err := tlog.OpenCheckpoint(a.Since, a.Key)
		if err != nil {
			return fault("the checkpoint that was kept", "%w", err)
		}
		a.head, a.report.Kept = kept, kept.N
	}
	return a.advance(ctx)
}

// errNoLog means that there is nothing to audit. A service may rightly have no log.
var errNoLog = errors.New("there is no log: the service has none, or its supply API is at another address")

// openLog opens the requested log: by its key, by the kept checkpoint, or else the current one.
func (a *auditor) openLog(ctx context.Context) error {
	address := tlog.Address(a.Key)
	if a.Key == "" && a.Since != nil {
		address = tlog.SignedAddress(a.Since)
	}
	var key string
	err := a.retry(ctx, func() (err error) {
		switch key, err = a.readKey(ctx, current); {
		case answersNothing(err) && a.Key == "" && a.Since == nil && a.Witnesses == nil:
			return errNoLog
		case err == nil && address != "" && address != tlog.Address(key): // a cache may have kept the key of the log before
			return fault(current+"key", "it is of another log than the given one: %w", errDiffers)
		}
		return err
	})
	switch {
	case errors.Is(err, errDiffers):
		return a.ended(ctx, key, address)
	case err != nil:
		return err
	}
	if a.Key == "" {
		a.Key, a.report.Key = key, key
	}
	a.prefix, a.isCurrent = prefixOf(tlog.Address(key)), true
	var ownKey string
	err = a.retry(ctx, func() (err error) { // a process of the service may be a moment behind
		ownKey, err = a.readKey(ctx, a.prefix)
		return err
	})
	switch {
	case err != nil:
		return err
	case key != a.Key:
		return fault(current+"key", "it is another key, with the same hash: %.200q", key)
	case ownKey != a.Key:
		return fault(a.prefix+"key", "it is another key: %.200q", ownKey)
	}
	return a.openAt(ctx)
}
