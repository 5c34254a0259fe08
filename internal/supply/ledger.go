package supply

import (
	"maps"
	"slices"
	"time"
)

// A Bucket says what an entry does to the figures.
type Bucket string

const (
	Issued   Bucket = "issued"   // + total
	Escrowed Bucket = "escrowed" // held by a bridge and minted again elsewhere: read, shown and checked
	Burned   Bucket = "burned"   // - total
	Locked   Bucket = "locked"   // - circulating: vesting, time locks
	Reserved Bucket = "reserved" // - circulating: treasury, team, foundation
)

// Buckets in the order in which they are shown.
var Buckets = []Bucket{Issued, Escrowed, Burned, Locked, Reserved}

// A Token is one published token, as written in the configuration.
type Token struct {
	Path      string            `yaml:"path" json:"path"` // lower case, names it in URLs
	Symbol    string            `yaml:"symbol" json:"symbol"`
	Name      string            `yaml:"name" json:"name"`
	Decimals  int               `yaml:"decimals" json:"decimals"` // the published precision
	MaxSupply *Amount           `yaml:"max_supply" json:"max_supply,omitempty"`
	MaxChange Percent           `yaml:"max_change" json:"max_change,omitempty"` // 0: DefaultMaxChange
	Expected  []Event           `yaml:"expected" json:"expected,omitempty"`
	Bridges   map[string]Bridge `yaml:"bridges" json:"bridges,omitempty"`
	Ledger    []Entry           `yaml:"ledger" json:"ledger"`
}

// An Entry is one line of a ledger. It has exactly one source: Amount, ERC20
// (with or without Holder), Native, or Call with To.
type Entry struct {
	Label  string `yaml:"label" json:"label"`
	Bucket Bucket `yaml:"bucket" json:"bucket"`
	Bridge string `yaml:"bridge,omitempty" json:"bridge,omitempty"`
	Chain  string `yaml:"chain,omitempty" json:"chain,omitempty"`

	Amount   *Amount  `yaml:"amount,omitempty" json:"amount,omitempty"`     // declared, whole tokens, no chain
	ERC20    string   `yaml:"erc20,omitempty" json:"erc20,omitempty"`       // totalSupply() of this contract
	Holder   string   `yaml:"holder,omitempty" json:"holder,omitempty"`     // or balanceOf(holder)
	Native   string   `yaml:"native,omitempty" json:"native,omitempty"`     // this address's balance of the gas token
	Call     string   `yaml:"call,omitempty" json:"call,omitempty"`         // "name(types)" of a view that returns one uint256
	To       string   `yaml:"to,omitempty" json:"to,omitempty"`             // the contract that Call asks
	Args     []string `yaml:"args,omitempty" json:"args,omitempty"`         // one for each type of Call
	Decimals *int     `yaml:"decimals,omitempty" json:"decimals,omitempty"` // of Call and Native; nil: the token's

	Since  string `yaml:"since,omitempty" json:"since,omitempty"` // a date, for readers
	Reason string `yaml:"reason,omitempty" json:"reason,omitempty"`
}

// Count says which side of a bridge adds to the total.
type Count string

const (
	// CountSource: lock and mint. The source chain's issue is counted; escrow
	// and remote supply are read, shown and checked against each other.
	CountSource Count = "source"
	// CountSum: burn and mint. Each side's issue is counted.
	CountSum Count = "sum"
)

// A Bridge says how entries that carry its name are counted.
type Bridge struct {
	Count Count   `yaml:"count" json:"count"`
	Slack *Amount `yaml:"slack,omitempty" json:"slack,omitempty"` // how much may be in flight
}

// An Event announces a change that is larger than MaxChange.
type Event struct {
	From   time.Time `yaml:"from" json:"from"`
	To     time.Time `yaml:"to" json:"to"`
	Change Percent   `yaml:"change" json:"change"`
	Reason string    `yaml:"reason" json:"reason"`
}

// Limit is the largest change that passes without being held.
func (t *Token) Limit() Percent {
	if t.MaxChange == 0 {
		return DefaultMaxChange
	}
	return t.MaxChange
}

// Has says whether the ledger has an entry in bucket.
func (t *Token) Has(b Bucket) bool {
	return slices.ContainsFunc(t.Ledger, func(e Entry) bool { return e.Bucket == b })
}

// Chains returns the names of the chains that the ledger reads, sorted.
func (t *Token) Chains() []string {
	names := map[string]bool{}
	for _, e := range t.Ledger {
		if e.Chain != "" {
			names[e.Chain] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// counted says whether e's amount enters the total or circulating supply.
func (t *Token) counted(e Entry) bool {
	switch e.Bucket {
	case Issued:
		return e.Bridge == "" || t.Bridges[e.Bridge].Count == CountSum
	case Escrowed:
		return false
	}
	return true
}
