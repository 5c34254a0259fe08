// Package ledger defines what a token's supply consists of: a Token, the entries of its ledger and
// their calls (source.go), its bridges, and exact amounts. Nothing here asks a chain; package
// supply does.
package ledger

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"
)

// A Bucket says how an entry affects the figures.
type Bucket string

const (
	Issued   Bucket = "issued"   // added to the total
	Escrowed Bucket = "escrowed" // held by a bridge and minted again elsewhere; shown and checked only
	Burned   Bucket = "burned"   // subtracted from the total
	Locked   Bucket = "locked"   // subtracted from the circulating supply: vesting, time locks
	Reserved Bucket = "reserved" // subtracted from the circulating supply: treasury, team, foundation
)

// Buckets are in the order in which they are shown.
var Buckets = []Bucket{Issued, Escrowed, Burned, Locked, Reserved}

// A Token is one published token, as written in the configuration.
type Token struct {
	// Its name in URLs: lower-case letters, digits and hyphens.
	Path string `yaml:"path" json:"path" jsonschema:"required"`
	// Its symbol, such as JEWEL.
	Symbol string `yaml:"symbol" json:"symbol" jsonschema:"required"`
	// Its name.
	Name string `yaml:"name" json:"name" jsonschema:"required"`
	// Decimals of the published figures. A contract may have other decimals, which the service
	// reads from the contract.
	Decimals int `yaml:"decimals" json:"decimals"`
	// The most that can ever exist, in whole tokens. A measurement with a larger total is
	// rejected. Default: none.
	MaxSupply *Amount `yaml:"max_supply" json:"max_supply,omitempty"`
	// If a figure changes by more than this within an hour, the new figure is held.
	MaxChange Percent `yaml:"max_change" json:"max_change,omitempty"`
	// What releases a held figure: by-time (further measurements that agree with it for `hold_for`,
	// if the ledger is unchanged, or the operator), or by-hand (only the operator).
	Release ReleaseRule `yaml:"release" json:"release,omitempty"`
	// Announced changes that are larger than `max_change`.
	Expected []Event `yaml:"expected" json:"expected,omitempty"`
	// The bridges, by the name that entries refer to.
	Bridges map[string]Bridge `yaml:"bridges" json:"bridges,omitempty"`
	// The entries that the figures are computed from. At least one must be `issued` and count
	// towards the total.
	Ledger []Entry `yaml:"ledger" json:"ledger" jsonschema:"required"`
}

// An Entry is one line of a ledger. It has exactly one source: `amount`; `erc20`, with or
// without `holder`; `native`; `call` with `to`; or a `share` of an `erc20`, `native` or `call`.
type Entry struct {
	// A short name of the entry, for readers.
	Label string `yaml:"label" json:"label" jsonschema:"required"`
	// How the entry changes the figures. `issued` adds to the total. `burned` is subtracted from
	// the total. `locked` and `reserved` are subtracted from the circulating supply. `escrowed`
	// is the amount that a bridge holds while copies of it exist elsewhere. It is shown and checked,
	// but does not change the figures.
	Bucket Bucket `yaml:"bucket" json:"bucket" jsonschema:"required"`
	// The bridge that the entry belongs to, a key of `bridges`.
	Bridge string `yaml:"bridge,omitempty" json:"bridge,omitempty"`
	// The chain that the entry is read from. Leave it out with `amount`.
	Chain string `yaml:"chain,omitempty" json:"chain,omitempty"`

	// An amount that you declare, in whole tokens. It is not read from a chain.
	Amount *Amount `yaml:"amount,omitempty" json:"amount,omitempty"`
	// Reads totalSupply() of this contract, or with `holder` its balanceOf(`holder`).
	ERC20 string `yaml:"erc20,omitempty" json:"erc20,omitempty"`
	// The address whose balance of `erc20` is read.
	Holder string `yaml:"holder,omitempty" json:"holder,omitempty"`
	// Reads this address's balance of the chain's gas token.
	Native string `yaml:"native,omitempty" json:"native,omitempty"`
	// Calls this view, which returns one uint256, such as "totalLock()" or "lockOf(address)".
	Call string `yaml:"call,omitempty" json:"call,omitempty"`
	// The contract of `call`.
	To string `yaml:"to,omitempty" json:"to,omitempty"`
	// Arguments of `call`, one for each of its types.
	Args []string `yaml:"args,omitempty" json:"args,omitempty"`
	// Decimals of the number that `call` returns. Default: the token's.
	Decimals *int `yaml:"decimals,omitempty" json:"decimals,omitempty"`

	// One holder's part of another source, for liquidity pools and vaults.
	Share *Share `yaml:"share,omitempty" json:"share,omitempty"`

	// When the entry began, such as 2024-01-31. It is only shown to readers.
	Since string `yaml:"since,omitempty" json:"since,omitempty"`
	// Why the entry is in its bucket, for readers.
	Reason string `yaml:"reason,omitempty" json:"reason,omitempty"`
}

// A Share is the part of a source that belongs to one holder of shares: `of` ×
// balanceOf(`holder`) / totalSupply(), rounded down. Both calls go to `token`. The part is 0 if
// there are no shares.
type Share struct {
	// The ERC-20 contract of the shares.
	Token string `yaml:"token" json:"token" jsonschema:"required"`
	// The address that holds the shares.
	Holder string `yaml:"holder" json:"holder" jsonschema:"required"`
	// The source that is shared: `erc20`, `native` or `call`, on the entry's chain.
	Of Source `yaml:"of" json:"of" jsonschema:"required"`
}

// A Source says where the whole amount of a share is read.
type Source struct {
	// Reads totalSupply() of this contract, or with `holder` its balanceOf(`holder`).
	ERC20 string `yaml:"erc20,omitempty" json:"erc20,omitempty"`
	// The address whose balance of `erc20` is read.
	Holder string `yaml:"holder,omitempty" json:"holder,omitempty"`
	// Reads this address's balance of the chain's gas token.
	Native string `yaml:"native,omitempty" json:"native,omitempty"`
	// Calls this view, which returns one uint256.
	Call string `yaml:"call,omitempty" json:"call,omitempty"`
	// The contract of `call`.
	To string `yaml:"to,omitempty" json:"to,omitempty"`
	// Arguments of `call`, one for each of its types.
	Args []string `yaml:"args,omitempty" json:"args,omitempty"`
	// Decimals of the number that `call` returns. Default: the token's.
	Decimals *int `yaml:"decimals,omitempty" json:"decimals,omitempty"`
}

// Whole returns the entry that reads the whole source of a share, or e itself if it is not a share.
func (e Entry) Whole() Entry {
	if e.Share == nil {
		return e
	}
	of := e.Share.Of
	e.ERC20 = of.ERC20
	e.Holder = of.Holder
	e.Native = of.Native
	e.Decimals = of.Decimals
	e.Call = of.Call
	e.To = of.To
	e.Args = of.Args
	e.Share = nil
	return e
}

// Count says which sides of a bridge add to the total.
type Count string

const (
	// CountSource: lock and mint. Only the supply issued on the source chain is counted. Escrow and
	// remote supply are shown and compared with each other.
	CountSource Count = "source"
	// CountSum: burn and mint. The supply issued on every side is counted.
	CountSum Count = "sum"
)

// A Bridge says how the entries of a bridge are counted.
type Bridge struct {
	// `source` is for lock and mint: only the supply issued on the source chain is counted. `sum`
	// is for burn and mint: the supply issued on every side is counted.
	Count Count `yaml:"count" json:"count" jsonschema:"required"`
	// The largest amount that may be in flight between the sides, in whole tokens. For `sum`, add
	// the largest amount of new tokens that may be minted within an hour.
	Slack *Amount `yaml:"slack,omitempty" json:"slack,omitempty"`
}

// A ReleaseRule says what releases a held figure, besides an expected event. It applies only while
// the ledger is unchanged. If the ledger has changed, the rule is always ByHand.
type ReleaseRule string

const (
	ByTime ReleaseRule = "by-time" // further measurements or an operator
	ByHand ReleaseRule = "by-hand" // only an operator
)

// An Event announces a change that is larger than `max_change`, in one step or in many. Until the
// event ends, figures may differ by at most `change` from the last ones that were published before
// it began. Total and circulating supply may change in the direction of `change`. Other figures may
// change in both directions.
type Event struct {
	// The earliest time of the change.
	From time.Time `yaml:"from" json:"from" jsonschema:"required"`
	// The latest time of the change.
	To time.Time `yaml:"to" json:"to" jsonschema:"required"`
	// The largest change, with its direction: +30% or -30%.
	Change SignedPercent `yaml:"change" json:"change" jsonschema:"required"`
	// Why the figure will change, for readers.
	Reason string `yaml:"reason" json:"reason" jsonschema:"required"`
}

// Same reports whether e and o announce the same change. Their reasons may differ.
func (e Event) Same(o Event) bool {
	return e.From.Equal(o.From) && e.To.Equal(o.To) && e.Change == o.Change
}

// Limit returns the largest change that is not held.
func (t *Token) Limit() Percent { return cmp.Or(t.MaxChange, defaultMaxChange) }

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

// BridgedChains returns the ledger's chains in groups, always in the same order. Chains that bridges
// join, directly or through others, are in one group.
func (t *Token) BridgedChains() [][]string {
	var groups [][]string
	for _, chain := range t.Chains() {
		groups = append(groups, []string{chain})
	}
	for _, name := range slices.Sorted(maps.Keys(t.Bridges)) {
		var one []string
		ends := map[string]bool{}
		for _, e := range t.Ledger {
			if e.Bridge == name && e.Chain != "" {
				ends[e.Chain] = true
			}
		}
		groups = slices.DeleteFunc(groups, func(g []string) bool {
			joins := slices.ContainsFunc(g, func(chain string) bool { return ends[chain] })
			if joins {
				one = append(one, g...)
			}
			return joins
		})
		if len(one) > 0 {
			groups = append(groups, one)
		}
	}
	return groups
}

// Counted reports whether e's amount is added to or subtracted from a supply of a token with
// these bridges.
func (e Entry) Counted(bridges map[string]Bridge) bool {
	switch e.Bucket {
	case Issued:
		return e.Bridge == "" || bridges[e.Bridge].Count == CountSum
	case Escrowed:
		return false
	}
	return true
}

// Terms are the parts of a ledger that determine or explain a token's figures. The token's path,
// symbol and name are not included.
type Terms struct {
	Decimals  int               `json:"decimals"`
	MaxSupply *Amount           `json:"maxSupply"`
	Bridges   map[string]Bridge `json:"bridges"`
	Entries   []Entry           `json:"entries"`
}

// hash returns the hash of a ledger with these terms. token is the token's path. Keys are in a
// fixed order and amounts have no trailing zeros, so that equal ledgers have equal hashes. The hash
// covers everything that determines or explains the figures.
func (l Terms) hash(token string) string {
	text, err := json.Marshal(struct {
		Token string `json:"token"`
		Terms
	}{token, l})
	if err != nil {
		panic(fmt.Sprintf("encoding a ledger: %v", err)) // cannot happen: only strings and numbers
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// A Version is one version of a token's ledger, as public data.
type Version struct {
	Hash  string     `json:"ledger"`
	Since *time.Time `json:"since"` // first publication with this version; null if there is none yet
	Terms
}

// CurrentLedger returns the token's ledger as configured now.
func (t *Token) CurrentLedger() Version {
	terms := Terms{t.Decimals, t.MaxSupply, t.Bridges, t.Ledger}
	if terms.Bridges == nil {
		terms.Bridges = map[string]Bridge{}
	}
	return Version{Hash: terms.hash(t.Path), Terms: terms}
}

// LedgerHash returns the hash of the token's ledger as configured now.
func (t *Token) LedgerHash() string { return t.CurrentLedger().Hash }

// A Document is a token's public ledger. Version is that of the published figure, or the configured
// one if there is no figure. Pending is the configured version if it differs from Version. Earlier
// has the other versions, newest first.
type Document struct {
	Token  string `json:"token"`
	Symbol string `json:"symbol"`
	Version
	Pending *Version  `json:"pending,omitempty"`
	Earlier []Version `json:"earlier"`
}

// LedgerDocument returns the token's public ledger. past has the versions of published figures,
// oldest first. published is the hash of the version of the shown figure, or "" if there is no
// figure.
func (t *Token) LedgerDocument(past []Version, published string) Document {
	configured := t.CurrentLedger()
	doc := Document{Token: t.Path, Symbol: t.Symbol, Earlier: []Version{}}
	for _, v := range slices.Backward(past) {
		switch v.Hash {
		case configured.Hash:
			configured.Since = v.Since
		case published:
			doc.Version = v
			doc.Pending = &configured
		default:
			doc.Earlier = append(doc.Earlier, v)
		}
	}
	if doc.Pending == nil {
		doc.Version = configured
	}
	return doc
}
