package supply

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// evidenceFormat identifies the format of evidence files.
const evidenceFormat = "petsupply-evidence/2"

// formula describes how figures follow from entries.
const formula = "total = sum of counted issued - sum of burned; " +
	"circulating = total - sum of locked - sum of reserved; " +
	"issued counts unless it carries a bridge with count source; escrowed is never counted; " +
	"an amount is its return value divided by 10^decimals, rounded down to the token's decimals"

// shareFormula describes how the amount of a share follows from the results of its calls.
const shareFormula = "return * sharesReturn / sharesTotalReturn, 0 if there are no shares, " +
	"divided by 10^decimals, rounded down to the token's decimals"

// Evidence is everything needed to recompute a snapshot with any node that still has the state of
// its blocks. Neither the configuration nor the store is needed.
type Evidence struct {
	Format     string    `json:"format"`
	Token      string    `json:"token"`
	Symbol     string    `json:"symbol"`
	Decimals   int       `json:"decimals"`
	AsOf       time.Time `json:"asOf"`
	MeasuredAt time.Time `json:"measuredAt"`
	Snapshot   string    `json:"snapshot,omitempty"`
	// The id of the token's previous published snapshot, or "" if there is none.
	Previous   string                   `json:"previous,omitempty"`
	LedgerHash string                   `json:"ledger"` // hash of token, decimals, maxSupply, bridges and entries
	MaxSupply  *ledger.Amount           `json:"maxSupply"`
	Formula    string                   `json:"formula"`
	Bridges    map[string]ledger.Bridge `json:"bridges"`
	Chains     []Block                  `json:"chains"`
	Entries    []EvidenceEntry          `json:"entries"`
	Figures    Figures                  `json:"figures"`
	// Inclusion proves that the snapshot is in the log (C2SP tlog-proof). It is not stored with the
	// evidence. "" means that the snapshot is not in the log, or not yet.
	Inclusion string `json:"inclusion,omitempty"`
	// Correction says that the figures were wrong. It is not stored with the evidence.
	Correction *Correction `json:"correction,omitempty"`
}

// EvidenceEntry is one ledger entry with the chain's answers.
type EvidenceEntry struct {
	Entry          ledger.Entry    `json:"entry"`                    // as in the ledger
	Contract       *common.Address `json:"contract,omitempty"`       // nil for a declared amount, which has no chain
	Calldata       hexutil.Bytes   `json:"calldata,omitempty"`       // empty for the balance of the gas token
	Return         hexutil.Bytes   `json:"return,omitempty"`         // 32 bytes
	DecimalsReturn hexutil.Bytes   `json:"decimalsReturn,omitempty"` // return of decimals() (0x313ce567), for erc20
	// Only for a share: what balanceOf(holder) and totalSupply() of the share's token returned, and
	// shareFormula.
	SharesReturn      hexutil.Bytes `json:"sharesReturn,omitempty"`
	SharesTotalReturn hexutil.Bytes `json:"sharesTotalReturn,omitempty"`
	Formula           string        `json:"formula,omitempty"`

	Decimals int           `json:"decimals"`
	Amount   ledger.Amount `json:"amount"`
	Counted  bool          `json:"counted"`
}

// exact returns the amount before it is rounded down to the token's decimals.
func (x EvidenceEntry) exact() ledger.Amount {
	if x.Entry.Amount != nil {
		return x.Amount
	}
	units := new(big.Int).SetBytes(x.Return)
	if x.Entry.Share != nil {
		units.Mul(units, new(big.Int).SetBytes(x.SharesReturn))
		if total := new(big.Int).SetBytes(x.SharesTotalReturn); total.Sign() > 0 {
			units.Quo(units, total)
		} else {
			units.SetInt64(0)
		}
	}
	return ledger.Amount{Units: units, Decimals: x.Decimals}
}

// snapshot makes the snapshot of ev and sets its id in ev.
func (ev *Evidence) snapshot() *Snapshot {
	s := &Snapshot{
		Format: tlog.SnapshotFormat, Token: ev.Token, AsOf: ev.AsOf, MeasuredAt: ev.MeasuredAt, Figures: ev.Figures,
		Max: ev.MaxSupply, Blocks: ev.Chains, LedgerHash: ev.LedgerHash, Evidence: ev,
	}
	s.name()
	return s
}

// name sets everything in the snapshot that depends on all of its evidence, and the id in the
// evidence.
func (s *Snapshot) name() {
	s.EvidenceHash = s.Evidence.hash()
	s.Previous = s.Evidence.Previous
	s.ID = LeafHash(s.Leaf())
	s.Evidence.Snapshot = s.ID
}

// following returns a copy of s whose evidence has the id of previous, the snapshot before s.
// previous is nil if s is the first. The copy gets an id of its own, because an id covers the
// evidence.
func (s *Snapshot) following(previous *Snapshot) *Snapshot {
	if previous == nil {
		return s
	}
	next := *s
	ev := *s.Evidence
	ev.Previous = previous.ID
	next.Evidence = &ev
	next.name()
	return &next
}

// contractDecimals returns the decimals of every erc20 contract of ev, by "chainId/address".
func (ev *Evidence) contractDecimals() map[string]int {
	out := map[string]int{}
	ids := map[string]uint64{}
	for _, c := range ev.Chains {
		ids[c.Chain] = c.ChainID
	}
	for _, x := range ev.Entries {
		if x.Entry.Whole().ERC20 != "" {
			out[fmt.Sprintf("%d/%s", ids[x.Entry.Chain], x.Contract.Hex())] = x.Decimals
		}
	}
	return out
}

// sum adds up the amounts of the entries, as formula says.
func (ev *Evidence) sum() Figures {
	zero := ledger.Zero(ev.Decimals)
	f := Figures{Total: zero, Burned: zero, Locked: zero, Reserved: zero}
	sums := map[ledger.Bucket]*ledger.Amount{
		ledger.Issued: &f.Total, ledger.Burned: &f.Burned, ledger.Locked: &f.Locked, ledger.Reserved: &f.Reserved,
	}
	for _, x := range ev.Entries {
		if sum := sums[x.Entry.Bucket]; sum != nil && x.Entry.Counted(ev.Bridges) {
			*sum = sum.Add(x.Amount)
		}
	}
	f.Total = f.Total.Sub(f.Burned)
	f.Circulating = f.Total.Sub(f.Locked).Sub(f.Reserved)
	return f
}

// bridgeSums adds up the issued amounts on all sides of each burn-and-mint bridge.
func (ev *Evidence) bridgeSums() map[string]ledger.Amount {
	sums := map[string]ledger.Amount{}
	if ev == nil {
		return sums
	}
	for _, x := range ev.Entries {
		if name := x.Entry.Bridge; x.Entry.Bucket == ledger.Issued && ev.Bridges[name].Count == ledger.CountSum {
			sums[name] = sums[name].Add(x.Amount)
		}
	}
	return sums
}

// check returns an error if the figures break a rule: 0 < circulating ≤ total ≤ maximum, and no
// lock-and-mint bridge has minted more than its escrow plus its slack.
func (ev *Evidence) check() error {
	f := ev.Figures
	switch {
	case f.Total.Sign() <= 0:
		return fmt.Errorf("total is %s, but must be above 0: %w", f.Total, ErrRejected)
	case f.Circulating.Sign() <= 0:
		return fmt.Errorf("circulating is %s, but must be above 0 (total %s, locked %s, reserved %s): %w",
			f.Circulating, f.Total, f.Locked, f.Reserved, ErrRejected)
	case f.Circulating.Cmp(f.Total) > 0:
		return fmt.Errorf("circulating %s is above the total %s: %w", f.Circulating, f.Total, ErrRejected)
	case ev.MaxSupply != nil && f.Total.Cmp(*ev.MaxSupply) > 0:
		return fmt.Errorf("total %s is above the maximum %s: %w", f.Total, *ev.MaxSupply, ErrRejected)
	}
	for _, name := range slices.Sorted(maps.Keys(ev.Bridges)) {
		if ev.Bridges[name].Count == ledger.CountSource { // only a lock-and-mint bridge has an escrow
			if err := ev.checkEscrow(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkEscrow checks that a lock-and-mint bridge has not minted more than its escrow plus its
// slack, the most that may be in flight. It adds up exact amounts, because the rounding errors of
// many entries can add up to more than the token's smallest unit.
func (ev *Evidence) checkEscrow(bridge string) error {
	escrow := ledger.Zero(ev.Decimals)
	remote := ledger.Zero(ev.Decimals)
	slack := ledger.Zero(ev.Decimals)
	if s := ev.Bridges[bridge].Slack; s != nil {
		slack = *s
	}
	for _, x := range ev.Entries {
		switch {
		case x.Entry.Bridge != bridge:
		case x.Entry.Bucket == ledger.Escrowed:
			escrow = escrow.Add(x.exact())
		case x.Entry.Bucket == ledger.Issued:
			remote = remote.Add(x.exact())
		}
	}
	if remote.Cmp(escrow.Add(slack)) > 0 {
		return fmt.Errorf("bridge %s: remote supply %s is above escrow %s plus slack %s: %w",
			ledger.Clip(bridge), remote, escrow, slack, ErrRejected)
	}
	return nil
}
