package supply

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// ledgerForm is what the ledger's hash covers, in this order: everything that
// decides the figures or explains them, nothing that merely names the token.
type ledgerForm struct {
	Token     string            `json:"token"`
	Decimals  int               `json:"decimals"`
	MaxSupply *Amount           `json:"maxSupply"`
	Bridges   map[string]Bridge `json:"bridges"`
	Entries   []Entry           `json:"entries"`
}

// hash is the sha256 of the form's JSON, in hex. Object keys stand in a fixed
// order, and amounts are trimmed, so that equal ledgers have equal hashes.
func (f ledgerForm) hash() string {
	if f.Bridges == nil {
		f.Bridges = map[string]Bridge{}
	}
	text, err := json.Marshal(f)
	if err != nil {
		panic(fmt.Sprintf("encoding the ledger of %s: %v", f.Token, err)) // strings and numbers: cannot fail
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// LedgerHash names this version of the ledger. Two ledgers that could give or
// explain figures differently have different hashes.
func (t Token) LedgerHash() string {
	return ledgerForm{t.Path, t.Decimals, t.MaxSupply, t.Bridges, t.Ledger}.hash()
}

// A LedgerVersion is one version of a token's ledger, as public data.
type Ledger struct {
	Hash      string            `json:"ledger"` // its hash
	Since     *time.Time        `json:"since"`  // when a figure was first published by it; null: not yet
	Decimals  int               `json:"decimals"`
	MaxSupply *Amount           `json:"maxSupply"`
	Bridges   map[string]Bridge `json:"bridges"`
	Entries   []Entry           `json:"entries"`
}

// A LedgerDoc is a token's public ledger: the version that the published figure
// was made by, one that waits to be, and the earlier ones, newest first.
type LedgerDocument struct {
	Token  string `json:"token"`
	Symbol string `json:"symbol"`
	Ledger
	Pending *Ledger  `json:"pending,omitempty"`
	Earlier []Ledger `json:"earlier"`
}

// Version returns the token's ledger as it is configured now.
func (t Token) Version() Ledger {
	v := Ledger{
		Hash: t.LedgerHash(), Decimals: t.Decimals, MaxSupply: t.MaxSupply,
		Bridges: t.Bridges, Entries: t.Ledger,
	}
	if v.Bridges == nil {
		v.Bridges = map[string]Bridge{}
	}
	return v
}

// ledgerDoc puts the configured version and the ones published so far (oldest
// first) together; published is the hash that the shown figure was made by.
func ledgerDoc(t *Token, past []Ledger, published string) LedgerDocument {
	doc := LedgerDocument{Token: t.Path, Symbol: t.Symbol, Ledger: t.Version(), Earlier: []Ledger{}}
	configured := doc.Ledger
	for _, v := range past {
		if v.Hash == configured.Hash {
			configured.Since = v.Since
		}
	}
	doc.Ledger = configured
	for _, v := range slices.Backward(past) {
		switch v.Hash {
		case configured.Hash:
		case published:
			pending := configured
			doc.Ledger, doc.Pending = v, &pending
		default:
			doc.Earlier = append(doc.Earlier, v)
		}
	}
	return doc
}
