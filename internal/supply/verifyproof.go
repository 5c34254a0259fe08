package supply

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// VerifyProof recomputes ev from its proof alone, and asks nobody: headers hash
// to the blocks, the tries lead from them to what was read, and the calls are
// executed again. What was read and is not proven does not agree. blocks are
// hashes by chain id that the caller brings, to be compared.
func VerifyProof(ev *Evidence, d *proof.Document, blocks map[uint64]common.Hash) Verdict {
	var v Verdict
	v.compare("proof", ev.Snapshot, d.Snapshot, "the evidence is of snapshot %s, the proof of %s")
	v.add("how entries are known", fmt.Sprintf("said of %d entries", len(ev.Entries)), compareKnown(ev, d))
	for i := range d.Chains {
		if !slices.ContainsFunc(ev.Chains, func(c Block) bool { return c.ChainID == d.Chains[i].ChainID }) {
			v.add(fmt.Sprintf("chain %d of the proof", d.Chains[i].ChainID), "", errors.New("the evidence has no such chain"))
		}
	}
	for _, c := range ev.Chains {
		if want, given := blocks[c.ChainID]; given {
			v.compare(fmt.Sprintf("chain %s (%d) as you know it", c.Chain, c.ChainID), want.Hex(), c.Hash.Hex(), "the block is %s, the evidence says %s")
		}
	}
	return append(v, ev.verify("proven", func(c Block) (*chainRead, error) { return ev.execute(c, d) })...)
}

// execute answers everything that ev read of chain c from the proof.
func (ev *Evidence) execute(c Block, d *proof.Document) (*chainRead, error) {
	i := slices.IndexFunc(d.Chains, func(p proof.Chain) bool { return p.ChainID == c.ChainID })
	if i < 0 {
		return nil, errors.New("nothing of it is proven")
	}
	part := &d.Chains[i]
	if part.Block.Hash != c.Hash {
		return nil, fmt.Errorf("the proof is of block %s", part.Block.Hash)
	}
	checked, err := part.Check()
	if err != nil {
		return nil, err
	}
	if err := c.is(evm.Block(checked.Block)); err != nil {
		return nil, err
	}
	read := ev.reads(c, evm.Block(checked.Block))
	read.answers, read.faults = make([][]byte, len(read.calls)), make([]error, len(read.calls))
	for i, call := range read.calls {
		read.answers[i], read.faults[i] = checked.Answer(proofCall(call, nil))
	}
	if extra := len(part.Calls) - len(read.calls); checked.Err == nil && extra > 0 {
		return read, fmt.Errorf("the proof has %d calls that the evidence does not", extra)
	}
	return read, checked.Err
}

// compareKnown compares what the proof says of the entries with what they are.
func compareKnown(ev *Evidence, d *proof.Document) error {
	if len(d.Entries) != len(ev.Entries) {
		return fmt.Errorf("the proof has %d entries, the evidence %d", len(d.Entries), len(ev.Entries))
	}
	for i, x := range ev.Entries {
		said := d.Entries[i]
		if said.Label != x.Entry.Label {
			return fmt.Errorf("entry %q is called %q in the proof", x.Entry.Label, ledger.Clip(said.Label))
		}
		if (said.Known == proof.Declared) != (x.Entry.Amount != nil) {
			return fmt.Errorf("entry %q: the proof says that it is %s", x.Entry.Label, ledger.Clip(said.Known))
		}
	}
	return nil
}

// Believed lists what nobody can prove, and whoever takes the figure believes.
func Believed(ev *Evidence, d *proof.Document, blocks map[uint64]common.Hash) []string {
	var out []string
	for _, c := range ev.Chains {
		if _, given := blocks[c.ChainID]; !given {
			out = append(out, fmt.Sprintf("that block %d with hash %s is on chain %s, and that its id is %d: compare it with an explorer, or give --block %d=HASH",
				c.Number, c.Hash, c.Chain, c.ChainID, c.ChainID))
		}
	}
	var declared []string
	for i, x := range ev.Entries {
		if x.Entry.Amount != nil {
			declared = append(declared, fmt.Sprintf("%q", x.Entry.Label))
		} else if i < len(d.Entries) && d.Entries[i].Known != proof.Proven {
			out = append(out, fmt.Sprintf("entry %q: %s, the service says", x.Entry.Label, ledger.Clip(d.Entries[i].Known)))
		}
	}
	if len(declared) > 0 {
		out = append(out, "the declared amounts: "+strings.Join(declared, ", "))
	}
	return append(out, "that the ledger lists the right contracts and holders, and all of them",
		"when it was measured, and that these were the newest blocks then")
}
