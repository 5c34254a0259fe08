package site

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// An explanation splits a token's change over a span into parts. The parts add up to the change
// exactly.
type explanation struct {
	From, To           time.Time
	Parts              []part
	Circulating, Total signed
	Before, After      supply.Figures
	ByBucket           bool   // the parts are buckets, because the evidence at From or To cannot be used
	NewLedger          bool   // the ledger changed between From and To
	BothWays           bool   // some amounts rose and fell, and have a part for each
	ledger             string // hash of the ledger at To
}

// A part is the effect of one entry of the ledger on the figures, or of one bucket if only the
// figures are kept.
type part struct {
	Words  string // minted, unlocked …
	Key    string // css class of its bucket
	Label  string
	Row    string // id of its row in the page's ledger; "" without such a row
	Moved  string // amount that crossed a bridge without a change of the figures
	Amount ledger.Amount

	Circulating, Total signed
	X, Width           string // left end and width of its bar, in percent
}

// Rest returns the label without the part's words, if it begins or ends with them. The label "Fees
// burned" becomes "Fees", and "Minted" becomes "".
func (p part) Rest() string {
	words := len(p.Words)
	rest := len(p.Label) - words
	switch {
	case strings.EqualFold(p.Words, p.Label):
		return ""
	case rest > 0 && strings.EqualFold(p.Label[rest-1:], " "+p.Words):
		return p.Label[:rest-1]
	case rest > 0 && strings.EqualFold(p.Label[:words+1], p.Words+" "):
		return p.Label[words+1:]
	}
	return p.Label
}

// effects has a bucket's effects on the total and on the circulating supply, and the words for an
// increase and a decrease.
var effects = map[ledger.Bucket]struct {
	total, circulating int64
	more, less         string
}{
	ledger.Issued:   {1, 1, "minted", "no longer issued"},
	ledger.Burned:   {-1, -1, "burned", "no longer burned"},
	ledger.Locked:   {0, -1, "locked", "unlocked"},
	ledger.Reserved: {0, -1, "put in reserve", "released from reserve"},
}

// explainChange splits the change from one evidence to another into parts. The points between them
// show which amounts rose and fell.
func explainChange(from, to *supply.Evidence, between []supply.Point) *explanation {
	w := &explanation{
		From: from.AsOf, To: to.AsOf, Before: from.Figures, After: to.Figures,
		NewLedger: from.LedgerHash != to.LedgerHash, ledger: to.LedgerHash,
	}
	before, after := stocks(from), stocks(to)
	for _, key := range after.order {
		a, b := before.of[key], after.of[key]
		if a == nil {
			a = &stock{amount: ledger.Zero(0)}
		}
		alone := after.measured[b.Bucket] == 1 && !b.declared // otherwise it is not known which stock moved
		if !alone || !w.addBothWays(b, between) {
			w.add(b, b.amount.Sub(a.amount), moved(a, b))
		}
	}
	for _, key := range before.order {
		if a := before.of[key]; after.of[key] == nil {
			w.add(&stock{Bucket: a.Bucket, label: a.label}, ledger.Zero(0).Sub(a.amount), "")
		}
	}
	w.finish()
	return w
}

// explainFigures splits a change by buckets, for times of which only the figures are kept.
func explainFigures(from, to supply.Point, between []supply.Point) *explanation {
	w := &explanation{
		From: from.AsOf, To: to.AsOf, Before: from.Figures, After: to.Figures, ByBucket: true,
		NewLedger: from.LedgerHash != to.LedgerHash, ledger: to.LedgerHash,
	}
	for _, b := range []struct {
		bucket ledger.Bucket
		label  string
		change ledger.Amount
	}{
		{ledger.Issued, "in total", to.Total.Add(to.Burned).Sub(from.Total.Add(from.Burned))},
		{ledger.Burned, "in total", to.Burned.Sub(from.Burned)},
		{ledger.Locked, "in total", to.Locked.Sub(from.Locked)},
		{ledger.Reserved, "in total", to.Reserved.Sub(from.Reserved)},
	} {
		s := &stock{Bucket: b.bucket, label: b.label}
		if !w.addBothWays(s, between) {
			w.add(s, b.change, "")
		}
	}
	w.finish()
	return w
}

// addBothWays adds two parts for a stock whose bucket rose and fell: one for all rises, and one for
// all falls. It compares the figures at the start, at the points in between, and at the end. It
// reports whether it added parts. It does so only for locked and reserved amounts, which people move
// back and forth, and only if the ledger did not change.
func (w *explanation) addBothWays(s *stock, between []supply.Point) bool {
	of := map[ledger.Bucket]func(supply.Figures) ledger.Amount{
		ledger.Locked:   func(f supply.Figures) ledger.Amount { return f.Locked },
		ledger.Reserved: func(f supply.Figures) ledger.Amount { return f.Reserved },
	}[s.Bucket]
	if of == nil || w.NewLedger {
		return false
	}
	up, down, last := ledger.Zero(0), ledger.Zero(0), of(w.Before)
	step := func(f supply.Figures) {
		if d := of(f).Sub(last); d.Sign() > 0 {
			up = up.Add(d)
		} else {
			down = down.Add(d)
		}
		last = of(f)
	}
	for _, p := range between {
		if !p.AsOf.After(w.From) || !p.AsOf.Before(w.To) {
			continue
		}
		if p.LedgerHash != w.ledger {
			return false
		}
		step(p.Figures)
	}
	if step(w.After); up.Sign() == 0 || down.Sign() == 0 {
		return false
	}
	w.add(s, up, "")
	w.add(s, down, "")
	w.BothWays = true
	return true
}

// A stock is an entry, or all sides of a bridge that burns on one side and mints on the other. An
// explanation counts it as one amount.
type stock struct {
	ledger.Bucket
	label, row string
	declared   bool // stated by the operator, so it does not change with time
	amount     ledger.Amount
	sides      map[string]ledger.Amount // amounts of a bridge's sides, by label
}

type stockList struct {
	of       map[string]*stock // by key
	order    []string
	measured map[ledger.Bucket]int // number of stocks that are not declared
}

// stocks returns the stocks in ev.
func stocks(ev *supply.Evidence) stockList {
	list := stockList{of: map[string]*stock{}, measured: map[ledger.Bucket]int{}}
	for i, x := range ev.Entries {
		e := x.Entry
		if _, counts := effects[e.Bucket]; !counts || !x.Counted {
			continue
		}
		key, label := string(e.Bucket)+"/"+e.Label, e.Label
		bridged := e.Bridge != "" && e.Bucket == ledger.Issued
		if bridged {
			key, label = "bridge/"+e.Bridge, "on both sides of the "+e.Bridge+" bridge"
		}
		s := list.of[key]
		if s == nil {
			s = &stock{Bucket: e.Bucket, label: label, row: rowID(i), amount: ledger.Zero(0)}
			s.sides, s.declared = map[string]ledger.Amount{}, e.Amount != nil
			list.of[key], list.order = s, append(list.order, key)
			if !s.declared {
				list.measured[e.Bucket]++
			}
		}
		s.amount = s.amount.Add(x.Amount)
		if bridged {
			s.sides[e.Label] = x.Amount
		}
	}
	return list
}

// rowID names the row of an entry in the page's ledger.
func rowID(i int) string { return "entry-" + strconv.Itoa(i+1) }

// moved returns how much went from one side of a bridge to another between the stocks a and b. It
// returns "" if nothing did, or if b has a side that a lacks.
func moved(a, b *stock) string {
	up, down := ledger.Zero(0), ledger.Zero(0)
	for label, now := range b.sides {
		was, ok := a.sides[label]
		if !ok {
			return ""
		}
		if d := now.Sub(was); d.Sign() > 0 {
			up = up.Add(d)
		} else {
			down = down.Sub(d)
		}
	}
	if down.Cmp(up) < 0 {
		up = down
	}
	if up.Sign() == 0 {
		return ""
	}
	return whole(up)
}

// add adds a part for the change d of a stock.
func (w *explanation) add(s *stock, d ledger.Amount, moved string) {
	if d.Sign() == 0 && moved == "" {
		return
	}
	effect := effects[s.Bucket]
	p := part{Key: string(s.Bucket), Label: s.label, Row: s.row, Moved: moved, Words: effect.more, Amount: d}
	if d.Sign() < 0 {
		p.Words, p.Amount = effect.less, ledger.Zero(0).Sub(d)
	}
	p.Circulating, p.Total = signed{times(d, effect.circulating)}, signed{times(d, effect.total)}
	w.Parts = append(w.Parts, p)
	w.Circulating = signed{w.Circulating.Add(p.Circulating.Amount)}
	w.Total = signed{w.Total.Add(p.Total.Amount)}
}

func times(a ledger.Amount, n int64) ledger.Amount {
	switch n {
	case 0:
		return ledger.Zero(0)
	case -1:
		return ledger.Zero(0).Sub(a)
	}
	return a
}

// finish puts the largest parts first and places the bars, each at the end of the previous one.
func (w *explanation) finish() {
	slices.SortStableFunc(w.Parts, func(a, b part) int { return b.Circulating.size().Cmp(a.Circulating.size()) })
	low, high, at := ledger.Zero(0), ledger.Zero(0), ledger.Zero(0)
	for _, p := range w.Parts {
		at = at.Add(p.Circulating.Amount)
		high = larger(high, at)
		if at.Cmp(low) < 0 {
			low = at
		}
	}
	wide, at := high.Sub(low), ledger.Zero(0)
	for i := range w.Parts {
		p := &w.Parts[i]
		left := at
		if p.Circulating.Amount.Sign() < 0 {
			left = at.Add(p.Circulating.Amount)
		}
		at = at.Add(p.Circulating.Amount)
		from := portion(left.Sub(low), wide, 100_000)
		p.X, p.Width = decimal(from, 3), decimal(portion(left.Sub(low).Add(p.Circulating.size()), wide, 100_000)-from, 3)
	}
}

// Changed describes the change of the circulating supply.
func (w *explanation) Changed() string {
	verb := map[int]string{1: "rose by ", -1: "fell by "}[w.Circulating.Amount.Sign()]
	if verb == "" {
		return "did not change"
	}
	return verb + whole(w.Circulating.size()) + " (" + change(w.Before.Circulating, w.After.Circulating) + ")"
}

// Days describes the length of the span: in days, or for a young token in hours or minutes.
func (w *explanation) Days() string {
	length, unit := w.To.Sub(w.From), "minute"
	size := time.Minute
	switch {
	case length >= 36*time.Hour:
		size, unit = 24*time.Hour, "day"
	case length >= 90*time.Minute:
		size, unit = time.Hour, "hour"
	}
	n := max(1, int(length.Round(size)/size))
	if n > 1 {
		unit += "s"
	}
	return ledger.Grouped(strconv.Itoa(n)) + " " + unit
}

// Sentence describes the change in words, the largest part first.
func (w *explanation) Sentence(symbol string) string {
	var up, down []string
	for _, p := range w.Parts {
		if p.Circulating.Amount.Sign() == 0 {
			continue
		}
		text := whole(p.Amount) + " " + p.Words
		if rest := p.Rest(); rest != "" {
			text += " (" + rest + ")"
		}
		if p.Circulating.Amount.Sign() > 0 {
			up = append(up, text)
		} else {
			down = append(down, text)
		}
	}
	if len(up)+len(down) == 0 {
		return "The circulating supply of " + symbol + " did not change."
	}
	if w.Circulating.Amount.Sign() < 0 {
		up, down = down, up
	}
	kind := ". Net changes: "
	if w.BothWays {
		kind = ". Changes: "
	}
	text := "The circulating supply of " + symbol + " " + w.Changed() + " in " + w.Days() + kind + strings.Join(up, ", ")
	if len(down) > 0 {
		text += ", offset by " + strings.Join(down, ", ")
	}
	return text + "."
}
