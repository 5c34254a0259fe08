package supply

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// ChainReader is a node's view of a chain. *evm.Chain implements it.
type ChainReader interface {
	// ID returns the chain id.
	ID() uint64
	// Block returns the chain's block with that number.
	Block(ctx context.Context, number uint64) (evm.Block, error)
	// Read answers all calls at the block, or returns an error.
	Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error)
}

// An Outcome is the result of one comparison.
type Outcome string

const (
	Holds    Outcome = "holds"    // compared, and equal
	Claimed  Outcome = "claimed"  // only the evidence says so, and nothing was given that could check it
	Unproven Outcome = "unproven" // a node or a proof could have confirmed it, but did not
	False    Outcome = "false"    // something contradicts it
)

// A Finding is one thing that was compared, or that could not be compared.
type Finding struct {
	What    string  `json:"what"` // such as `entry "Treasury"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail"` // what agrees, what differs, or why it is not proven
	Entry   int     `json:"-"`      // the number of the entry that it is about, from 1; 0 if it is about none
}

// Findings are in the order of the evidence.
type Findings []Finding

// OK reports whether there are findings, and none of them is false.
func (v Findings) OK() bool { return len(v) > 0 && len(v.With(False)) == 0 }

// With returns the findings with the outcome o.
func (v Findings) With(o Outcome) (out Findings) {
	for _, f := range v {
		if f.Outcome == o {
			out = append(out, f)
		}
	}
	return out
}

// add adds a finding. Its outcome is Holds if err is nil, Unproven for an unproven error, and False
// for any other.
func (v *Findings) add(what, detail string, err error) {
	outcome := Holds
	if err != nil {
		outcome = False
		detail = err.Error()
		if _, missing := errors.AsType[unproven](err); missing {
			outcome = Unproven
		}
	}
	*v = append(*v, Finding{What: what, Outcome: outcome, Detail: detail})
}

// claim adds a finding that only the evidence supports.
func (v *Findings) claim(what, detail string) {
	*v = append(*v, Finding{What: what, Outcome: Claimed, Detail: detail})
}

// compare adds a finding that holds if own, our value of a thing, equals said, the given value.
func (v *Findings) compare(what, thing, own, said string) { v.add(what, own, differ(thing, own, said)) }

// differ returns an error if own, our value of a thing, is not equal to said, the given value.
func differ(thing, own, said string) error {
	if own == said {
		return nil
	}
	return fmt.Errorf("%s is %s, the evidence says %s", thing, own, ledger.Clip(said))
}

// An unproven error says why a finding is not certain. The finding itself is not known to be false.
type unproven struct{ error }

// A basis says on what a finding rests, if that is not certain. The keys are the names of findings:
// the names of the figures and "rules", which rest on entries, and "as of", which rests on chains.
type basis map[string]weakness

// A weakness is an entry or a chain that does not hold.
type weakness struct {
	outcome Outcome
	why     string
}

// add notes that the named findings rest on something with this outcome. The least certain counts.
func (b basis) add(outcome Outcome, why string, names ...string) {
	for _, name := range names {
		if outcome != Holds && (outcome != Claimed || b[name].outcome != Unproven && b[name].outcome != False) {
			b[name] = weakness{outcome, why}
		}
	}
}

// rest adds a finding that is at most as certain as its basis.
func (v *Findings) rest(what, detail string, err error, on basis) {
	weak, found := on[what]
	detail = strings.TrimSuffix(detail+", but "+weak.why, ", but ")
	switch {
	case err != nil || !found:
		v.add(what, detail, err)
	case weak.outcome == Claimed:
		v.claim(what, detail)
	default:
		v.add(what, "", unproven{errors.New(detail)})
	}
}

// Against says what to compare evidence with.
type Against struct {
	// Nodes make the reads again. The keys are chain ids. Without nodes, Proof is executed instead.
	Nodes map[uint64]ChainReader
	// Proof is the proof of the evidence, or nil. Without nodes and without a proof, the results of
	// calls in the evidence are only claimed.
	Proof *proof.Document
	// Blocks are the block hashes that the caller knows, by chain id.
	Blocks map[uint64]common.Hash
	// Key is the verifier key of the log that must have the snapshot. Without it the signer of the
	// log is unknown.
	Key string
	// Witnesses must have signed the head of that log. nil means that no witness is needed.
	Witnesses *tlog.Policy
}

// known returns how reads are known that hold: "read" if nodes make them, "proven" if the proof is
// executed, and "" if there is neither.
func (with Against) known() string {
	switch {
	case len(with.Nodes) > 0:
		return "read"
	case with.Proof != nil:
		return proof.Proven
	}
	return ""
}

// restsOn names the figures that depend on a bucket.
var restsOn = map[ledger.Bucket][]string{
	ledger.Issued: {"total", "circulating"}, ledger.Burned: {"total", "circulating", "burned"},
	ledger.Locked: {"circulating", "locked"}, ledger.Reserved: {"circulating", "reserved"},
}

// Verify recomputes evidence and trusts nothing in it. The results of calls come from nodes or from
// the proof. Amounts are computed from these results, figures from amounts, and hashes from their
// content. Each is then compared with the evidence. A finding has the outcome Claimed if the caller
// gave nothing that could check it. It has the outcome Unproven if a node or the proof could have
// confirmed it, but did not.
func Verify(ctx context.Context, ev *Evidence, with Against) Findings {
	var v Findings
	if with.known() == proof.Proven {
		v.addProof(ev, with.Proof)
	}
	for _, c := range ev.Chains {
		if want, given := with.Blocks[c.ChainID]; given {
			v.compare(fmt.Sprintf("--block of chain %q (%d)", ledger.Clip(c.Chain), c.ChainID), "the block", want.Hex(),
				c.Hash.Hex())
		}
	}
	t := ev.token()
	v.claim("symbol", fmt.Sprintf("%q, of the token %q", ledger.Clip(ev.Symbol), ev.Token))
	v.compare("ledger", "its hash", t.LedgerHash(), ev.LedgerHash)
	on := basis{}
	reads := v.addChains(ctx, ev, with, on)
	v.addTimes(ev, len(with.Nodes) > 0, on)
	again := *ev
	again.LedgerHash = t.LedgerHash()
	again.Entries = v.addEntries(ev, t, reads, with.known(), on)
	again.Figures = again.sum()
	said := ev.Figures.amounts()
	for i, own := range again.Figures.amounts() {
		v.rest(amountNames[i], own.String(), differ("it", own.String(), said[i].String()), on)
	}
	if ev.MaxSupply != nil {
		v.claim("maximum", ev.MaxSupply.String()+", "+proof.Declared)
	}
	v.rest("rules", "0 < circulating ≤ total ≤ maximum, and no lock-and-mint bridge has minted more than its "+
		"escrow plus its slack", again.check(), on)
	if ev.Correction != nil {
		v.claim("correction", fmt.Sprintf("the figures are wrong: %q", ledger.Clip(ev.Correction.Reason)))
	}
	if ev.Previous != "" {
		v.claim("previous", ev.Previous)
	}
	s := again.snapshot()
	v.compare("snapshot", "its id", s.ID, ev.Snapshot)
	v.addInclusion(ev.Inclusion, s, with)
	return v
}

// addChains makes the reads of ev again. If it cannot read a chain, it takes the chain's answers
// from ev itself.
func (v *Findings) addChains(ctx context.Context, ev *Evidence, with Against, on basis) map[string]*chainRead {
	reads := map[string]*chainRead{}
	budget := proof.NewBudget()
	moments, _, _ := ev.moments()
	for _, c := range ev.Chains {
		what := fmt.Sprintf("chain %q (%d) block %d", ledger.Clip(c.Chain), c.ChainID, c.Number)
		if with.known() == "" {
			v.claim(what, c.Hash.Hex())
			on.add(Claimed, what+" is only claimed", "as of")
			reads[c.Chain] = ev.claimed(c)
			continue
		}
		r, err := ev.again(ctx, c, with, moments[c.Chain], budget)
		v.add(what, c.Hash.Hex(), err)
		// No chain may have had another block between its block in ev and asOf.
		if shown := !c.OnDemand && !c.Time.Before(moments[c.Chain]) || r != nil && r.last; !shown {
			on.add(Claimed, fmt.Sprintf("%s is of %s, and only the service says that no other block followed "+
				"before asOf", what, formatTime(c.Time)), "as of")
		}
		if err != nil {
			on.add(Unproven, what+" is not proven", "as of")
		}
		if r == nil {
			r = ev.claimed(c)
			for key, a := range r.answers {
				a.doubt = unproven{fmt.Errorf("nothing of its chain is proven: %w", err)}
				r.answers[key] = a
			}
		}
		reads[c.Chain] = r
	}
	return reads
}

// addEntries computes the entries of ev again from the reads, and returns them.
func (v *Findings) addEntries(ev *Evidence, t *ledger.Token, reads map[string]*chainRead, known string, on basis,
) (again []EvidenceEntry) {
	words := map[Outcome]string{Claimed: " is only claimed", Unproven: " is not proven", False: " is false"}
	for i, x := range ev.Entries {
		own, err := x.recompute(t, reads[x.Entry.Chain])
		what := fmt.Sprintf("entry %q", x.Entry.Label) // not cut, because other labels may begin alike
		switch {
		case err != nil:
			v.add(what, "", err)
		case x.Entry.Amount != nil:
			v.claim(what, own.Amount.String()+", "+proof.Declared)
		case known == "":
			v.claim(what, own.Amount.String())
		default:
			v.add(what, own.Amount.String()+", "+known, reads[x.Entry.Chain].doubt(x))
		}
		f := &(*v)[len(*v)-1]
		f.Entry = i + 1
		names := []string{"rules"}
		if x.Entry.Counted(ev.Bridges) {
			names = append(names, restsOn[x.Entry.Bucket]...)
		}
		on.add(f.Outcome, what+words[f.Outcome], names...)
		x.Amount = own.Amount
		again = append(again, x)
	}
	return again
}

// addProof compares the proof's own statements with the evidence.
func (v *Findings) addProof(ev *Evidence, d *proof.Document) {
	v.compare("proof", "the snapshot of the proof", d.Snapshot, ev.Snapshot)
	v.add("how entries are known", fmt.Sprintf("stated for all %d entries", len(ev.Entries)), compareKnown(ev, d))
	for _, p := range d.Chains {
		if !slices.ContainsFunc(ev.Chains, func(c Block) bool { return c.ChainID == p.ChainID }) {
			v.add(fmt.Sprintf("chain %d of the proof", p.ChainID), "", errors.New("the evidence has no such chain"))
		}
	}
}

// addInclusion checks that s is in the log of with.Key, and that with.Witnesses signed the log's
// head. Without a key the finding is at most claimed, because nobody checks the log's signer. In
// two cases the finding is unproven and not false. First, an inclusion or a signature of a witness
// is missing: evidence gets them only a moment after its publication. Second, the inclusion is in a
// log with another key: this may be an earlier log of the service.
func (v *Findings) addInclusion(inclusion string, s *Snapshot, with Against) {
	const what = "log"
	if inclusion == "" {
		const none = "the evidence has no proof that it is in a log"
		if with.Key == "" && with.Witnesses == nil {
			v.claim(what, none)
		} else {
			v.add(what, "", unproven{errors.New(none + "; new evidence gets one within seconds")})
		}
		return
	}
	leaf := merkle.RecordHash(s.Leaf())
	index, c, err := tlog.CheckInclusion(inclusion, leaf, with.Key)
	_, signed, _ := strings.Cut(inclusion, "\n\n")
	if err != nil && tlog.SignedAddress([]byte(signed)) != tlog.Address(with.Key) {
		if _, _, wrong := tlog.CheckInclusion(inclusion, leaf, ""); wrong == nil {
			err = unproven{err}
		}
	}
	detail := fmt.Sprintf("leaf %d of %d in %q", index, c.N, ledger.Clip(c.Origin))
	if err == nil && with.Key == "" {
		v.claim(what, detail+"; its signer was not checked: give --key")
	} else {
		v.add(what, detail, err)
	}
	if with.Witnesses == nil || err != nil {
		return
	}
	list, err := with.Witnesses.Check([]byte(signed), nil)
	var names []string
	for _, w := range list {
		names = append(names, fmt.Sprintf("%q at %s", ledger.Clip(w.Witness), formatTime(w.Time)))
	}
	if errors.Is(err, tlog.ErrFew) {
		err = unproven{err}
	}
	detail = "your policy needs no witness"
	if len(names) > 0 {
		detail = "the head of the log is signed by " + strings.Join(names, ", ")
	}
	v.add("witnesses", detail, err)
}

// addTimes compares asOf with the times of the blocks. addChains has already compared these times
// with the chains. If read is true, addChains also asked nodes whether another block followed
// before asOf.
func (v *Findings) addTimes(ev *Evidence, read bool, on basis) {
	said := ev.AsOf
	clock := ev.MeasuredAt
	switch _, moment, onDemand := ev.moments(); {
	case said.After(clock):
		v.add("as of", "", fmt.Errorf("%s is later than the measurement at %s", formatMillis(said),
			formatMillis(clock)))
	case moment.IsZero(), said.Before(moment) && (onDemand || said.Equal(clock)):
		v.claim("as of", formatMillis(said)+", by the clock of the service")
	case !said.Equal(moment) && !(read && said.After(moment)):
		v.add("as of", "", fmt.Errorf("the blocks' times give %s, not %s", formatMillis(moment), formatMillis(said)))
	default:
		v.rest("as of", formatMillis(said)+", by the blocks", nil, on)
	}
	v.claim("measured", formatMillis(clock))
}

// moments returns a moment for each chain. The chain's last block at that moment must be the block
// in the evidence. The moment is the result of groupTime for the chain's group, or asOf if that is
// later. least is the earliest of these results; it is zero if all chains make blocks on demand.
// onDemand reports whether some of them do.
func (ev *Evidence) moments() (byChain map[string]time.Time, least time.Time, onDemand bool) {
	byChain = map[string]time.Time{}
	for _, group := range ev.token().BridgedChains() {
		at, some := ev.groupTime(group)
		onDemand = onDemand || some
		if !at.IsZero() && (least.IsZero() || at.Before(least)) {
			least = at
		}
		for _, chain := range group {
			byChain[chain] = later(at, ev.AsOf)
		}
	}
	return byChain, least, onDemand
}

// groupTime returns the time at which a group of chains was read. onDemand reports whether some of
// them make blocks on demand. The time is that of the newest block of the other chains, or zero if
// there are no others. A group with both kinds of chains was not read before asOf. So for such a
// group the time is asOf, if asOf is later than that block.
func (ev *Evidence) groupTime(group []string) (latest time.Time, onDemand bool) {
	for _, c := range ev.Chains {
		if !slices.Contains(group, c.Chain) {
			continue
		}
		if c.OnDemand {
			onDemand = true
		} else if c.Time.After(latest) {
			latest = c.Time
		}
	}
	if onDemand && !latest.IsZero() {
		latest = later(latest, ev.AsOf)
	}
	return latest, onDemand
}

// again reads chain c again: from its node if there are nodes, else from the proof.
func (ev *Evidence) again(ctx context.Context, c Block, with Against, moment time.Time, budget *proof.Budget,
) (*chainRead, error) {
	if len(with.Nodes) > 0 {
		return ev.reread(ctx, c, with.Nodes[c.ChainID], moment)
	}
	return ev.execute(c, with.Proof, budget)
}

// reread asks a node for everything that ev has of one chain, at block c. It returns an error if
// checkLast shows that c was not the chain's last block at the given moment.
func (ev *Evidence) reread(ctx context.Context, c Block, node ChainReader, moment time.Time) (*chainRead, error) {
	if node == nil {
		return nil, unproven{fmt.Errorf("no node was given for it: use --rpc %d=URL", c.ChainID)}
	}
	if node.ID() != c.ChainID {
		return nil, unproven{fmt.Errorf("the node serves chain %d, not %d", node.ID(), c.ChainID)}
	}
	b, err := node.Block(ctx, c.Number)
	if err != nil {
		return nil, unproven{err}
	}
	if err := c.is(b); err != nil {
		return nil, err
	}
	r := ev.claimed(c)
	r.last, err = checkLast(ctx, c, node, moment)
	if err != nil {
		return nil, err
	}
	for i := range r.calls {
		r.calls[i].WantsGas = true
	}
	if r.run(ctx, node.Read); r.err != nil {
		return nil, unproven{r.err}
	}
	return r, nil
}

// unseen is the longest delay with which the service's nodes may show a new block. It applies to
// chains with blocks on demand.
const unseen = time.Minute

// checkLast checks that c was the last block of its chain at the given moment. It returns an error
// if the next block does not follow c, or if the time of the next block is before moment. On a chain
// with blocks on demand, that time may be up to unseen before moment. shown says that the next block
// proves that c was the last one. It is false if the node has no next block, because a node can hide
// it. If only some of several nodes have it, checkLast returns an error. shown is also false on a
// chain with blocks on demand, because nobody knows when the next block was first seen.
func checkLast(ctx context.Context, c Block, r ChainReader, moment time.Time) (shown bool, err error) {
	next, err := r.Block(ctx, c.Number+1)
	switch {
	case errors.Is(err, evm.ErrAbsent) && !errors.Is(err, evm.ErrLagging):
		return false, nil
	case err != nil:
		return false, unproven{err}
	case next.Parent != c.Hash: // another node may have answered, or the node changed to another fork
		return false, unproven{fmt.Errorf("the node's next block, %d, does not follow it", next.Number)}
	case c.OnDemand && next.Time.Before(moment.Add(-unseen)):
		return false, unproven{fmt.Errorf("it was not the last block at %s: the next block, %d, was made at %s. The "+
			"service's nodes were behind, its clock was ahead, or it hid the block",
			formatMillis(moment), next.Number, formatTime(next.Time))}
	case c.OnDemand:
		return false, nil
	case next.Time.Before(moment):
		return false, fmt.Errorf("it was not the last block at %s: the next block, %d, was made at %s",
			formatMillis(moment), next.Number, formatTime(next.Time))
	}
	return true, nil
}

// execute answers the reads of ev on chain c from the proof.
func (ev *Evidence) execute(c Block, d *proof.Document, budget *proof.Budget) (*chainRead, error) {
	i := slices.IndexFunc(d.Chains, func(p proof.Chain) bool { return p.ChainID == c.ChainID })
	if i < 0 {
		return nil, unproven{errors.New("the proof has no data of this chain; ask a node with --rpc")}
	}
	part := &d.Chains[i]
	if part.Block != (proof.BlockID{Number: c.Number, Hash: c.Hash}) {
		return nil, fmt.Errorf("the proof is for another block: %d, %s", part.Block.Number, part.Block.Hash)
	}
	r := ev.claimed(c)
	differs := r.compareCalls(part.Calls)
	checked, err := part.Check(budget)
	if err != nil {
		return nil, cmp.Or(differs, doubted(err))
	}
	if err := c.is(checked.Block); err != nil {
		return nil, err
	}
	for _, call := range r.calls {
		a := r.answers[callKey(call)]
		word, err := checked.Answer(proofCall(call, nil))
		switch {
		case err == nil:
			a.word = word
		case errors.Is(err, proof.ErrWrong):
			a.fault = err
		case word != nil && !bytes.Equal(word, a.word): // a proof must not contradict the evidence
			a.fault = fmt.Errorf("the proof says %#.40x, the evidence says %#x, and nothing shows which is right: %w",
				word, a.word, err)
		default:
			a.doubt = unproven{err}
		}
		r.answers[callKey(call)] = a
	}
	return r, cmp.Or(differs, checked.Err)
}

// compareCalls compares the calls of a proof, also those that it does not prove, with the reads of
// the evidence.
func (r *chainRead) compareCalls(calls []proof.Call) error {
	for _, call := range calls {
		switch said, asked := r.answers[call.ID()]; {
		case !asked:
			return errors.New("the proof has calls that the evidence does not have")
		case !bytes.Equal(said.word, call.Return):
			return fmt.Errorf("the proof has a call that returns 0x%.32x (%d bytes), the evidence says 0x%x (%d bytes)",
				[]byte(call.Return), len(call.Return), said.word, len(said.word))
		}
	}
	return nil
}

// doubted turns an error of a proof into an unproven error, unless it is proof.ErrWrong.
func doubted(err error) error {
	if errors.Is(err, proof.ErrWrong) {
		return err
	}
	return unproven{err}
}

// compareKnown checks what the proof says about each entry: its label, and how it is known.
func compareKnown(ev *Evidence, d *proof.Document) error {
	if len(d.Entries) != len(ev.Entries) {
		return fmt.Errorf("the proof has %d entries, the evidence %d", len(d.Entries), len(ev.Entries))
	}
	for i, x := range ev.Entries {
		said := d.Entries[i]
		if said.Label != x.Entry.Label {
			return fmt.Errorf("entry %q is called %q in the proof", ledger.Clip(x.Entry.Label), ledger.Clip(said.Label))
		}
		declared := x.Entry.Amount != nil
		if declared != (said.Known == proof.Declared) {
			return fmt.Errorf("entry %q: in the evidence, declared is %v, but the proof says that it is %q",
				ledger.Clip(x.Entry.Label), declared, ledger.Clip(said.Known))
		}
		var quorum, providers int
		fmt.Sscanf(said.Known, "agreed by %d of %d", &quorum, &providers)
		if !declared && said.Known != proof.Proven &&
			(said.Known != proof.Agreed(quorum, providers) || quorum < 1 || quorum > providers) {
			return fmt.Errorf("entry %q: the proof says that it is %q, which is not a valid value",
				ledger.Clip(x.Entry.Label), ledger.Clip(said.Known))
		}
	}
	return nil
}

// claimed returns the reads of ev on chain c, with the answers that ev claims.
func (ev *Evidence) claimed(c Block) *chainRead {
	r := newChainRead(c)
	for i := range ev.Entries {
		x := &ev.Entries[i]
		if x.Entry.Chain != c.Chain {
			continue
		}
		r.add(x.Entry)
		list, _ := x.reads()
		for _, call := range list {
			r.answers[callKey(call.Call)] = answer{word: *call.answer}
		}
	}
	return r
}

// doubt returns why the reads of an entry are not confirmed, or nil.
func (r *chainRead) doubt(x EvidenceEntry) error {
	list, _ := x.reads()
	for _, call := range list {
		if a := r.answers[callKey(call.Call)]; a.doubt != nil {
			return a.doubt
		}
	}
	return nil
}

// recompute computes the entry again from the reads of its chain. It returns an error if the result
// differs from x.
func (x EvidenceEntry) recompute(t *ledger.Token, r *chainRead) (EvidenceEntry, error) {
	own, err := newEvidenceEntry(t, x.Entry, r)
	if err != nil {
		return x, err
	}
	list, _ := own.reads()
	said, _ := x.reads()
	for i, call := range list {
		if err := differ("the result of "+call.what, call.answer.String(), said[i].answer.String()); err != nil {
			return own, err
		}
	}
	return own, cmp.Or(
		differ("its formula", own.Formula, x.Formula),
		differ("its number of decimals", strconv.Itoa(own.Decimals), strconv.Itoa(x.Decimals)),
		differ("its amount", own.Amount.String(), x.Amount.String()),
		differ("counted", strconv.FormatBool(own.Counted), strconv.FormatBool(x.Counted)))
}

// BelievedOfProofs says what a proof relies on.
var BelievedOfProofs = []string{
	"that the contracts answer other callers as they answer address 0 and Multicall3",
	"that the chains execute views as Ethereum does",
	"that the state in a block's header is the state after that block: a chain that delays the execution of blocks " +
		"names an older state there",
}

// Believed lists what readers still have to believe after ev was verified with the given data.
func Believed(ev *Evidence, with Against) []string {
	var out []string
	for _, c := range ev.Chains {
		if _, given := with.Blocks[c.ChainID]; !given && with.Proof != nil {
			out = append(out, fmt.Sprintf("that block %d with hash %s is on chain %q, and that the chain's id is %d: "+
				"compare the block with an explorer, or give --block %d=HASH",
				c.Number, c.Hash, ledger.Clip(c.Chain), c.ChainID, c.ChainID))
		}
	}
	var declared []string
	for i, x := range ev.Entries {
		if x.Entry.Amount != nil {
			declared = append(declared, fmt.Sprintf("%q", ledger.Clip(x.Entry.Label)))
		} else if d := with.Proof; d != nil && i < len(d.Entries) && d.Entries[i].Known != proof.Proven {
			out = append(out, fmt.Sprintf("entry %q: the service says %q", ledger.Clip(x.Entry.Label),
				ledger.Clip(d.Entries[i].Known)))
		}
	}
	if len(declared) > 0 {
		out = append(out, "the declared amounts: "+strings.Join(declared, ", "))
	}
	if with.Proof != nil {
		out = append(out, BelievedOfProofs...)
	} else {
		out = append(out, "that the contracts answer other callers as they answer address 0")
	}
	if len(with.Nodes) > 0 {
		out = append(out, "that your nodes answer each call at the block that was asked for: "+
			"the answer to a call does not say of which block it is")
	}
	return append(out,
		"that the ledger lists the right contracts and holders, and all of them, with the right names of chains, "+
			"buckets, bridges, slack, decimals, maximum, labels, dates and reasons",
		"when the figures were measured, and that their blocks were the newest then",
		"that the figures were not corrected since, and that there are no newer ones; audit compares them with the log")
}
