package supply

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	Release   ReleaseRule       `yaml:"release" json:"release,omitempty"`       // "": ByConfirmations
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
	Decimals *int     `yaml:"decimals,omitempty" json:"decimals,omitempty"` // of what Call returns; nil: the token's

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

// A ReleaseRule says what lets a held figure by an unchanged ledger through
// beside an expected event. By a changed ledger it is always ByHand.
type ReleaseRule string

const (
	ByConfirmations ReleaseRule = "confirmations" // further measurements, or a person
	ByHand          ReleaseRule = "by-hand"       // a person only
)

// An Event announces one change that is larger than MaxChange: of total and
// circulating in the direction of Change, of the other figures either way.
type Event struct {
	From   time.Time     `yaml:"from" json:"from"`
	To     time.Time     `yaml:"to" json:"to"`
	Change SignedPercent `yaml:"change" json:"change"`
	Reason string        `yaml:"reason" json:"reason"`
}

// same says whether both announce one and the same change, in whatever words.
func (e Event) same(o Event) bool {
	return e.From.Equal(o.From) && e.To.Equal(o.To) && e.Change == o.Change
}

// Limit is the largest change that passes without being held.
func (t *Token) Limit() Percent {
	if t.MaxChange == 0 {
		return DefaultMaxChange
	}
	return t.MaxChange
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

// counted says whether e's amount enters the total or circulating supply of a
// token with these bridges.
func (e Entry) counted(bridges map[string]Bridge) bool {
	switch e.Bucket {
	case Issued:
		return e.Bridge == "" || bridges[e.Bridge].Count == CountSum
	case Escrowed:
		return false
	}
	return true
}

// LedgerTerms are what decides a token's figures or explains them; nothing in
// them merely names the token.
type LedgerTerms struct {
	Decimals  int               `json:"decimals"`
	MaxSupply *Amount           `json:"maxSupply"`
	Bridges   map[string]Bridge `json:"bridges"`
	Entries   []Entry           `json:"entries"`
}

// has says whether there is an entry in bucket.
func (l LedgerTerms) has(b Bucket) bool {
	return slices.ContainsFunc(l.Entries, func(e Entry) bool { return e.Bucket == b })
}

// hash is the hash of token's ledger with these terms. Object keys stand in a
// fixed order, and amounts are trimmed, so that equal ledgers have equal hashes
// and ledgers that could give or explain figures differently have others.
func (l LedgerTerms) hash(token string) string {
	return hashJSON(struct {
		Token string `json:"token"`
		LedgerTerms
	}{token, l})
}

// A Ledger is one version of a token's ledger, as public data.
type Ledger struct {
	Hash  string     `json:"ledger"`
	Since *time.Time `json:"since"` // when a figure was first published by it; null: not yet
	LedgerTerms
}

// CurrentLedger returns the token's ledger as it is configured now.
func (t *Token) CurrentLedger() Ledger {
	terms := LedgerTerms{t.Decimals, t.MaxSupply, t.Bridges, t.Ledger}
	if terms.Bridges == nil {
		terms.Bridges = map[string]Bridge{}
	}
	return Ledger{Hash: terms.hash(t.Path), LedgerTerms: terms}
}

// LedgerHash names the token's ledger as it is configured now.
func (t *Token) LedgerHash() string { return t.CurrentLedger().Hash }

// A LedgerDocument is a token's public ledger: the version that the published
// figure was made by, one that waits to be, and the earlier ones, newest first.
type LedgerDocument struct {
	Token  string `json:"token"`
	Symbol string `json:"symbol"`
	Ledger
	Pending *Ledger  `json:"pending,omitempty"`
	Earlier []Ledger `json:"earlier"`
}

// ledgerDocument puts the configured version and the ones published so far
// (oldest first) together; published is the hash that the shown figure was made
// by.
func ledgerDocument(t *Token, past []Ledger, published string) LedgerDocument {
	configured := t.CurrentLedger()
	if i := indexLedger(past, configured.Hash); i >= 0 {
		configured.Since = past[i].Since
	}
	doc := LedgerDocument{Token: t.Path, Symbol: t.Symbol, Ledger: configured, Earlier: []Ledger{}}
	for _, v := range slices.Backward(past) {
		switch v.Hash {
		case configured.Hash:
		case published:
			doc.Ledger, doc.Pending = v, &configured
		default:
			doc.Earlier = append(doc.Earlier, v)
		}
	}
	return doc
}

// indexLedger is where the version of that hash stands in list, or -1.
func indexLedger(list []Ledger, hash string) int {
	return slices.IndexFunc(list, func(v Ledger) bool { return v.Hash == hash })
}

// hashJSON is the sha256 of v's JSON, in hex.
func hashJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encoding what is hashed: %v", err)) // strings, numbers and times: cannot fail
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
