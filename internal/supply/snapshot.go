package supply

import (
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
)

// A Snapshot is one complete measurement of a token. It never changes once it has its id, so
// pointers to it may be kept. Its JSON without ID and Evidence is its leaf in the log.
// docs/FORMATS.md describes the bytes of leaves, so that anyone can make them. They never change
// after publication.
type Snapshot struct {
	Format     string    `json:"format"`
	Token      string    `json:"token"`      // the token's path
	AsOf       time.Time `json:"asOf"`       // the time of the figures (block time); UTC, whole milliseconds
	MeasuredAt time.Time `json:"measuredAt"` // by our clock; UTC, whole milliseconds
	Figures
	Max          *ledger.Amount `json:"maxSupply"` // nil if there is no maximum
	Blocks       []Block        `json:"blocks"`
	LedgerHash   string         `json:"ledger"`
	EvidenceHash string         `json:"evidence"`
	Previous     string         `json:"previous"` // id of the token's previous published snapshot, or ""

	ID       string    `json:"id,omitempty"`          // the hash of the leaf; "" until it is needed
	Evidence *Evidence `json:"measurement,omitempty"` // nil if it is no longer kept
}

// sameAs reports whether s and old have the same figures and the same ledger. It returns false if
// old is nil.
func (s *Snapshot) sameAs(old *Snapshot) bool {
	return old != nil && s.LedgerHash == old.LedgerHash && s.Figures.Equal(old.Figures)
}

// Figures are a token's amounts at one moment, with the token's decimals.
type Figures struct {
	Total       ledger.Amount `json:"totalSupply"`
	Circulating ledger.Amount `json:"circulatingSupply"`
	Burned      ledger.Amount `json:"burnedSupply"`
	Locked      ledger.Amount `json:"lockedSupply"`
	Reserved    ledger.Amount `json:"reservedSupply"`
}

// amounts lists the figures in the order of amountNames.
func (f Figures) amounts() []ledger.Amount {
	return []ledger.Amount{f.Total, f.Circulating, f.Burned, f.Locked, f.Reserved}
}

var amountNames = []string{"total", "circulating", "burned", "locked", "reserved"}

// Equal reports whether all amounts are equal.
func (f Figures) Equal(g Figures) bool {
	return slices.EqualFunc(f.amounts(), g.amounts(), func(a, b ledger.Amount) bool { return a.Cmp(b) == 0 })
}
