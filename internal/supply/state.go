package supply

import "time"

// Status says how far a published figure may be trusted.
type Status string

const (
	Fresh       Status = "fresh"
	Stale       Status = "stale"       // no new measurement for stale_after
	Demo        Status = "demo"        // invented
	Unavailable Status = "unavailable" // none, or too old to answer with
)

// Held is a Status and an Outcome: a newer measurement differs too much to be
// published and waits.
const Held = "held"

// A State is what is published of one token at one time.
type State struct {
	Token    *Token
	Snapshot *Snapshot // nil: there is none. Too old to be answered with while Status is Unavailable
	Status   Status
	Hold     *Hold     // nil: nothing waits
	StaleAt  time.Time // zero: never
	RefuseAt time.Time // zero: never
	Ledger   LedgerDocument

	staleDue, refuseDue time.Time // the same by the clock that only runs forward
}

// A Hold is a measurement that differs too much to be published unseen.
type Hold struct {
	Candidate     *Snapshot `json:"candidate"`
	Reason        string    `json:"reason"` // fit for the public
	Since         time.Time `json:"since"`
	Confirmations int       `json:"agreed"` // further measurements in a row that confirm it
	// Blocks are those of the newest measurement that agreed: one that has seen
	// no more of any chain says nothing new.
	Blocks []Block `json:"blocks"`
}

// Available says whether there is a figure to answer with.
func (s State) Available() bool { return s.Snapshot != nil && s.Status != Unavailable }

// FigureName names a figure by its path word.
type FigureName string

const (
	TotalSupply       FigureName = "totalsupply"
	CirculatingSupply FigureName = "circulatingsupply"
	MaxSupply         FigureName = "maxsupply"
	BurnedSupply      FigureName = "burnedsupply"
	LockedSupply      FigureName = "lockedsupply"
)

// Kinds lists every figure that has a path.
var FigureNames = []FigureName{TotalSupply, CirculatingSupply, MaxSupply, BurnedSupply, LockedSupply}

// HasFigure says whether the token has such a figure at all: a maximum, or entries
// in that bucket. It does not depend on what was measured.
func (t *Token) HasFigure(k FigureName) bool {
	switch k {
	case TotalSupply, CirculatingSupply:
		return true
	case MaxSupply:
		return t.MaxSupply != nil
	case BurnedSupply:
		return t.Has(Burned)
	case LockedSupply:
		return t.Has(Locked)
	}
	return false
}

// Figure returns the figure alone, as text. False: the token has none, or none
// is available now; Token.HasFigure tells the two apart.
func (s State) Figure(k FigureName) (string, bool) {
	if !s.Token.HasFigure(k) || !s.Available() {
		return "", false
	}
	switch k {
	case TotalSupply:
		return s.Snapshot.Total.String(), true
	case CirculatingSupply:
		return s.Snapshot.Circulating.String(), true
	case BurnedSupply:
		return s.Snapshot.Burned.String(), true
	case LockedSupply:
		return s.Snapshot.Locked.String(), true
	case MaxSupply:
		if s.Snapshot.Max != nil {
			return s.Snapshot.Max.String(), true
		}
	}
	return "", false
}

// A Document is a token's public JSON. Its fields stand in the published order.
type Document struct {
	Symbol      string     `json:"symbol"`
	Name        string     `json:"name"`
	Decimals    int        `json:"decimals"`
	Total       *Amount    `json:"totalSupply"`
	Circulating *Amount    `json:"circulatingSupply"`
	Burned      *Amount    `json:"burnedSupply"`
	Locked      *Amount    `json:"lockedSupply"`
	Reserved    *Amount    `json:"reservedSupply"`
	Max         *Amount    `json:"maxSupply"`
	AsOf        *time.Time `json:"asOf"`
	Status      Status     `json:"status"`
	Snapshot    *string    `json:"snapshot"`
	LedgerHash  *string    `json:"ledger"`
	Blocks      []Block    `json:"blocks"`
}

// Document returns the token's document; without an available figure every
// amount is null.
func (s State) Document() Document {
	d := Document{
		Symbol: s.Token.Symbol, Name: s.Token.Name, Decimals: s.Token.Decimals,
		Status: s.Status, Blocks: []Block{},
	}
	if !s.Available() {
		d.Status = Unavailable
		return d
	}
	n := s.Snapshot
	d.Total, d.Circulating, d.Burned = &n.Total, &n.Circulating, &n.Burned
	d.Locked, d.Reserved, d.Max = &n.Locked, &n.Reserved, n.Max
	d.AsOf, d.Snapshot, d.LedgerHash = &n.AsOf, &n.ID, &n.LedgerHash
	d.Blocks = append(d.Blocks, n.Blocks...)
	return d
}
