package supply

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// A read is one call of an entry, and the field of its evidence that has the answer.
type read struct {
	evm.Call
	what   string // names the call in errors
	answer *hexutil.Bytes
}

// reads lists the calls of the entry. A declared amount has none.
func (x *EvidenceEntry) reads() ([]read, error) {
	call, onChain, err := x.Entry.ChainCall()
	if err != nil || !onChain {
		return nil, err
	}
	list := []read{{call, "the call", &x.Return}}
	if x.Entry.Whole().ERC20 != "" {
		list = append(list, read{ledger.DecimalsCall(call.To), "decimals()", &x.DecimalsReturn})
	}
	if x.Entry.Share != nil {
		shares, total, err := x.Entry.ShareCalls()
		if err != nil {
			return nil, err
		}
		list = append(list, read{shares, "balanceOf() of the shares", &x.SharesReturn},
			read{total, "totalSupply() of the shares", &x.SharesTotalReturn})
	}
	return list, nil
}

// proofCall returns a call and its answer as a proof.Call.
func proofCall(c evm.Call, answer []byte) proof.Call {
	if c.Balance {
		return proof.Call{Balance: &c.To, Return: answer}
	}
	return proof.Call{To: &c.To, Data: c.Data, Return: answer}
}

// callKey identifies a call.
func callKey(c evm.Call) string { return proofCall(c, nil).ID() }

// A chainRead has all calls to one chain at one block, and later their answers. Equal calls are
// made once.
type chainRead struct {
	Block
	calls   []evm.Call
	answers map[string]answer // by callKey
	last    bool              // checkLast showed that this was the chain's last block when the service read it
	err     error             // why there are no answers
}

// An answer is the result of one call.
type answer struct {
	word  []byte // nil if the call reverted
	fault error  // why the word cannot be used; nil if it can
	doubt error  // why the word is not confirmed; nil if it is
}

func newChainRead(at Block) *chainRead {
	return &chainRead{Block: at, answers: map[string]answer{}}
}

// add adds the calls of an entry. If the entry is not valid, newEvidenceEntry returns the error.
func (r *chainRead) add(e ledger.Entry) {
	x := EvidenceEntry{Entry: e}
	list, _ := x.reads()
	for _, call := range list {
		key := callKey(call.Call)
		if _, twice := r.answers[key]; !twice {
			r.answers[key] = answer{}
			call.MayRevert = true // so that one token's revert does not fail the others
			r.calls = append(r.calls, call.Call)
		}
	}
}

// run makes all calls and stores their answers.
func (r *chainRead) run(ctx context.Context, read func(context.Context, evm.Block, []evm.Call) ([][]byte, error)) {
	words, err := read(ctx, r.Block.Block, r.calls)
	if err == nil && len(words) != len(r.calls) {
		err = fmt.Errorf("%d answers to %d calls", len(words), len(r.calls))
	}
	if err != nil {
		r.err = fmt.Errorf("reading %s at block %d: %w", ledger.Clip(r.Chain), r.Number, err)
		return
	}
	for i, call := range r.calls {
		r.answers[callKey(call)] = answer{word: words[i]}
	}
}

// errReturn: a call's answer is not a number, because it does not have 32 bytes.
var errReturn = errors.New("want exactly 32 bytes")

// word returns the 32 bytes that answer the call.
func (r *chainRead) word(call evm.Call) ([]byte, error) {
	if r == nil {
		return nil, errors.New("the entry names no chain")
	}
	switch a := r.answers[callKey(call)]; {
	case a.fault != nil:
		return nil, a.fault
	case a.word == nil:
		return nil, fmt.Errorf("%s at block %d: %w", call.To, r.Number, evm.ErrReverted)
	case len(a.word) != 32:
		return nil, fmt.Errorf("%s at block %d returned %d bytes, %w", call.To, r.Number, len(a.word), errReturn)
	default:
		return a.word, nil
	}
}

// newEvidence combines the answers of t's chains. Evidence that breaks a rule is returned together
// with ErrRejected, for inspection.
func newEvidence(t *ledger.Token, reads map[string]*chainRead, asOf, measuredAt time.Time) (*Evidence, error) {
	version := t.CurrentLedger()
	ev := &Evidence{
		Format: evidenceFormat, Token: t.Path, Symbol: t.Symbol, Decimals: t.Decimals,
		AsOf: asOf.UTC().Truncate(time.Millisecond), MeasuredAt: measuredAt.UTC().Truncate(time.Millisecond),
		LedgerHash: version.Hash, MaxSupply: t.MaxSupply, Formula: formula, Bridges: version.Bridges,
		Chains: []Block{},
	}
	for _, chain := range t.Chains() {
		r := reads[chain]
		if r.err != nil {
			return nil, r.err
		}
		ev.Chains = append(ev.Chains, r.Block)
	}
	for i, e := range t.Ledger {
		x, err := newEvidenceEntry(t, e, reads[e.Chain])
		if err != nil {
			return nil, fmt.Errorf("ledger[%d] %q: %w", i, e.Label, err)
		}
		ev.Entries = append(ev.Entries, x)
	}
	ev.Figures = ev.sum()
	return ev, ev.check()
}

// newEvidenceEntry returns the evidence of one entry of t, with the amount that follows from the
// answers in r.
func newEvidenceEntry(t *ledger.Token, e ledger.Entry, r *chainRead) (x EvidenceEntry, err error) {
	x = EvidenceEntry{Entry: e, Decimals: e.DeclaredDecimals(t.Decimals), Counted: e.Counted(t.Bridges)}
	if e.Amount != nil {
		x.Decimals = t.Decimals
		x.Amount, err = e.Amount.Rescale(t.Decimals)
		return x, err
	}
	list, err := x.reads()
	if err != nil {
		return x, err
	}
	x.Contract = &list[0].To
	x.Calldata = list[0].Data
	for _, call := range list {
		*call.answer, err = r.word(call.Call)
		if err != nil {
			return x, fmt.Errorf("%s: %w", call.what, err)
		}
	}
	if x.DecimalsReturn != nil {
		n := new(big.Int).SetBytes(x.DecimalsReturn)
		if !n.IsInt64() || n.Int64() > ledger.MaxDecimals {
			return x, fmt.Errorf("decimals() returned %s: want 0 to %d", n, ledger.MaxDecimals)
		}
		x.Decimals = int(n.Int64())
	}
	if e.Share != nil {
		x.Formula = shareFormula
	}
	x.Amount = x.exact().RoundDown(t.Decimals)
	return x, nil
}
