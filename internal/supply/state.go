package supply

import (
	"slices"
	"time"

	"petsupply/internal/supply/ledger"
)

// Status says how far a published figure can be trusted.
type Status string

const (
	Fresh       Status = "fresh"
	Stale       Status = "stale"       // not confirmed within stale_after, or its time is too old or in the future
	Held        Status = "held"        // a newer measurement differs too much, and waits for a release
	Demo        Status = "demo"        // invented
	Past        Status = "past"        // from the history
	Withdrawn   Status = "withdrawn"   // an operator said that the figure is wrong, and there is no newer one yet
	Unavailable Status = "unavailable" // there is no figure, or it is too old to serve
)

// A State is the published state of one token at one time.
type State struct {
	Token     *ledger.Token
	Snapshot  *Snapshot // nil if there is none. Do not serve it while Status is Unavailable or Withdrawn.
	Status    Status
	Hold      *Hold    // nil if no figure is held
	Failed    *Failure // why the newest measurements failed, from the second in a row on; else nil
	Inclusion string   // proves that Snapshot is in the log; "" if it is not in the log, or not yet
	// Correction says that Snapshot is wrong. nil means that it is not corrected.
	Correction *Correction
	Confirmed  time.Time       // when a measurement last gave the figures of Snapshot
	StaleAt    time.Time       // when a fresh figure becomes stale; zero means never
	RefuseAt   time.Time       // when the figure becomes too old to serve; zero means never
	Ledger     ledger.Document // the ledger of Snapshot, or the configured one if Snapshot is nil

	freshFrom           time.Time // before this time, Confirmed or AsOf would be in the future
	staleDue, refuseDue time.Time // StaleAt and RefuseAt by the monotonic clock
}

// At returns the state at now. A figure ages by the wall clock or the monotonic clock, whichever is
// ahead, so that setting the wall clock back does not make it fresh.
func (s State) At(now time.Time) State {
	passed := func(deadlines ...time.Time) bool {
		return slices.ContainsFunc(deadlines, func(d time.Time) bool { return !d.IsZero() && !now.Before(d) })
	}
	switch {
	case passed(s.RefuseAt, s.refuseDue):
		s.Status = Unavailable
	case s.Status == Fresh && (passed(s.StaleAt, s.staleDue) || now.Before(s.freshFrom)):
		s.Status = Stale
	}
	return s
}

// Available reports whether there is a figure to serve.
func (s State) Available() bool {
	return s.Snapshot != nil && s.Status != Unavailable && s.Status != Withdrawn
}

// Evidence returns the snapshot's evidence as it is served. It returns nil if there is no snapshot,
// or if the evidence is no longer kept.
func (s State) Evidence() *Evidence {
	if s.Snapshot == nil || s.Snapshot.Evidence == nil {
		return nil
	}
	ev := *s.Snapshot.Evidence
	ev.Inclusion = s.Inclusion
	ev.Correction = s.Correction
	return &ev
}

// WaitsForAPerson reports whether only a decision can end the hold.
func (s State) WaitsForAPerson() bool {
	return s.Hold != nil && s.Snapshot != nil && waitsForAPerson(s.Token, s.Snapshot, s.Hold.Candidate)
}

// Names of the figures, as in paths.
const (
	totalSupply       = "totalsupply"
	circulatingSupply = "circulatingsupply"
	maxSupply         = "maxsupply"
	burnedSupply      = "burnedsupply"
	lockedSupply      = "lockedsupply"
	reservedSupply    = "reservedsupply"
)

// FigureNames lists all figures that have a path.
var FigureNames = []string{totalSupply, circulatingSupply, maxSupply, burnedSupply, lockedSupply, reservedSupply}

// HasFigure reports whether the token has the figure at all. A token may have no maximum. HasFigure looks
// in s.Ledger, which may differ from the configured ledger.
func (s State) HasFigure(name string) bool {
	return slices.Contains(FigureNames, name) && (name != maxSupply || s.Ledger.MaxSupply != nil)
}

// Figure returns one figure as text. It returns false if the token never has this figure, or if no
// figures are available now. HasFigure distinguishes the two cases.
func (s State) Figure(name string) (string, bool) {
	if !s.HasFigure(name) || !s.Available() {
		return "", false
	}
	n := s.Snapshot
	amount := map[string]*ledger.Amount{
		totalSupply: &n.Total, circulatingSupply: &n.Circulating, burnedSupply: &n.Burned,
		lockedSupply: &n.Locked, reservedSupply: &n.Reserved, maxSupply: s.Ledger.MaxSupply,
	}[name]
	if amount == nil {
		return "", false
	}
	return amount.String(), true
}

// A FigureResult is a bare figure in the JSON form that some aggregators read.
type FigureResult struct {
	Result string `json:"result"`
}

// Header returns the fields of a bare figure's header that say which snapshot it is of, in order.
func (s *Snapshot) Header() [][2]string {
	return [][2]string{
		{"Supply-As-Of", s.AsOf.UTC().Format(time.RFC3339Nano)},
		{"Supply-Measured-At", s.MeasuredAt.UTC().Format(time.RFC3339Nano)},
		{"Supply-Snapshot", s.ID},
	}
}

// A Document is a token's public JSON. Its fields are in the published order.
type Document struct {
	Symbol      string         `json:"symbol"`
	Name        string         `json:"name"`
	Decimals    int            `json:"decimals"`
	Total       *ledger.Amount `json:"totalSupply"`
	Circulating *ledger.Amount `json:"circulatingSupply"`
	Burned      *ledger.Amount `json:"burnedSupply"`
	Locked      *ledger.Amount `json:"lockedSupply"`
	Reserved    *ledger.Amount `json:"reservedSupply"`
	Max         *ledger.Amount `json:"maxSupply"`
	AsOf        *time.Time     `json:"asOf"`
	MeasuredAt  *time.Time     `json:"measuredAt"`
	Status      Status         `json:"status"`
	Snapshot    *string        `json:"snapshot"`
	LedgerHash  *string        `json:"ledger"`
	Blocks      []Block        `json:"blocks"`

	Correction *Correction `json:"correction,omitempty"` // set if the figures were wrong
}

// Document returns the token's document. Without an available figure all amounts are null.
func (s State) Document() Document {
	d := Document{
		Symbol: s.Token.Symbol, Name: s.Token.Name, Decimals: s.Token.Decimals,
		Status: s.Status, Blocks: []Block{},
	}
	switch {
	case s.Status == Withdrawn:
		d.Correction = s.Correction
		return d
	case !s.Available():
		d.Status = Unavailable
		return d
	}
	n := s.Snapshot
	d.Total = &n.Total
	d.Circulating = &n.Circulating
	d.Burned = &n.Burned
	d.Locked = &n.Locked
	d.Reserved = &n.Reserved
	d.Max = s.Ledger.MaxSupply
	d.AsOf = &n.AsOf
	d.MeasuredAt = &n.MeasuredAt
	d.Snapshot = &n.ID
	d.LedgerHash = &n.LedgerHash
	d.Blocks = append(d.Blocks, n.Blocks...)
	d.Correction = s.Correction
	return d
}

// State returns the state in which the figures of ev are served, as far as ev describes it. Auditors
// make the answers of a service from it.
func (ev *Evidence) State() State {
	t := ev.token()
	return State{Token: t, Snapshot: ev.snapshot(), Status: Fresh, Ledger: ledger.Document{Version: t.CurrentLedger()}}
}
