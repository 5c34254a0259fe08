package audit

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
)

// A Report says what an audit compared and found right, and what it could not compare or prove.
type Report struct {
	Origin    string             `json:"origin"`
	Key       string             `json:"key"`
	KeyGiven  bool               `json:"keyGiven"`
	Kept      int64              `json:"kept"` // size of the checkpoint from an earlier audit; 0 if there is none
	Size      int64              `json:"size"`
	Previous  []Previous         `json:"previous"`  // earlier logs of the service, latest first
	Leaves    map[string]int     `json:"leaves"`    // number of leaves read, by format
	Served    []string           `json:"served"`    // tokens whose figures follow from the log
	Withdrawn []string           `json:"withdrawn"` // tokens in the log that have no figure now
	Wrong     []string           `json:"wrong"`     // tokens in Withdrawn whose newest figures the log marks as wrong
	Proven    []string           `json:"proven"`    // tokens in Served whose reads are all proven
	Unproven  []string           `json:"unproven"`  // what a proof could have shown but did not
	Declared  []string           `json:"declared"`  // entries with declared amounts, which are not read
	Agreed    []string           `json:"agreed"`    // entries that nodes agreed on, according to the service
	Blocks    []string           `json:"blocks"`    // blocks of the figures
	Retried   []string           `json:"retried"`   // differences that were gone at a later try
	Compared  map[string]int     `json:"compared"`  // number of answers compared with the log, by kind
	Demo      bool               `json:"demo"`      // the figures are invented
	At        time.Time          `json:"at"`        // time of the audit
	AsOf      time.Time          `json:"asOf"`      // asOf of the oldest served figure
	Cosigned  []tlog.Cosignature `json:"cosigned"`
	// Checkpoint is the newest checkpoint that was read. It has Size leaves.
	Checkpoint []byte `json:"-"`
}

// Previous is an earlier log of the service.
type Previous struct {
	Origin string `json:"origin"`
	Log    string `json:"log"`  // its address
	Size   int64  `json:"size"` // size of the head that the next log names
	Read   int64  `json:"read"` // number of leaves that were read: below Size if leaves are lost or hidden
}

func newReport(cfg Config) Report {
	return Report{Key: cfg.Key, KeyGiven: cfg.Key != "", Demo: true,
		Leaves: map[string]int{}, Compared: map[string]int{}, Previous: []Previous{},
		Served: []string{}, Withdrawn: []string{}, Wrong: []string{},
		Proven: []string{}, Unproven: []string{}, Declared: []string{}, Agreed: []string{}, Blocks: []string{},
		Retried: []string{}, Cosigned: []tlog.Cosignature{}}
}

// maxNamed limits each list of a report.
const maxNamed = 1000

// name adds a line to a list of a report.
func name(list *[]string, line string) {
	if len(*list) < maxNamed && !slices.Contains(*list, line) {
		*list = append(*list, line)
	}
}

// describe notes what the log says of itself and of the tokens. Every served figure must be recent.
func (a *auditor) describe() (err error) {
	r := &a.report
	r.Origin = a.log.head.Origin
	r.Size = a.log.head.N
	r.Checkpoint = a.log.signed
	r.Leaves = a.log.formats
	for _, token := range slices.Sorted(maps.Keys(a.served)) {
		newest := a.log.history(token).newest
		if newest == nil {
			continue
		}
		wrong := a.log.decisions[newest.ID].now != nil
		if wrong {
			r.Wrong = append(r.Wrong, token)
		}
		if wrong || !a.served[token] {
			r.Withdrawn = append(r.Withdrawn, token)
			continue
		}
		r.Served = append(r.Served, token)
		if r.AsOf.IsZero() || newest.AsOf.Before(r.AsOf) {
			r.AsOf = newest.AsOf
		}
		if !a.isRecent(newest.AsOf) {
			err = fault(differs, "age", "%s is as of %s, more than %s ago or in the future", token,
				newest.AsOf.Format(time.RFC3339), a.MaxAge)
		}
	}
	r.Demo = r.Demo && len(r.Served) > 0
	return err
}

// proven notes which reads of a token are proven.
func (r *Report) proven(ev *supply.Evidence, d *proof.Document, v supply.Findings) {
	r.Compared["evidence"]++
	for _, c := range ev.Chains {
		name(&r.Blocks, fmt.Sprintf("%d of chain %d (%q), made at %s after block %s: %s", c.Number, c.ChainID,
			ledger.Clip(c.Chain), c.Time.UTC().Format(time.RFC3339), c.Parent, c.Hash))
	}
	for i, x := range ev.Entries {
		line := fmt.Sprintf("%s, entry %q: ", ev.Token, x.Entry.Label) // not cut, because other labels may begin alike
		switch {
		case x.Entry.Amount != nil:
			name(&r.Declared, line+x.Amount.String())
		case d != nil && d.Entries[i].Known != proof.Proven:
			name(&r.Agreed, line+ledger.Clip(d.Entries[i].Known))
		}
	}
	if d == nil {
		return
	}
	missing := v.With(supply.Unproven)
	for _, f := range missing {
		name(&r.Unproven, fmt.Sprintf("%s, %s: %.1000s", ev.Token, f.What, f.Detail))
	}
	if len(missing) == 0 && len(ev.Chains) > 0 && ev.Correction == nil {
		name(&r.Proven, ev.Token)
	}
}

// A Fault says what is wrong with a service or its log, and where.
type Fault struct {
	Where string
	Err   error
	kind  kind
}

// A kind says what follows from a Fault.
type kind int

const (
	differs     kind = iota // an answer is false, unless the service began a log meanwhile
	passing                 // it may be gone at the next try
	contradicts             // the log's key signed a contradiction, which nothing can explain
)

func (f *Fault) Error() string { return f.Where + ": " + f.Err.Error() }

func (f *Fault) Unwrap() error { return f.Err }

// An unread error means that an answer could not be read. So nothing is known to be wrong.
type unread struct{ error }

func (u *unread) Unwrap() error { return u.error }

// fault returns a *Fault of a kind, or of the kind of a *Fault in args. If one of args says that an
// answer could not be read, fault returns that error.
func fault(k kind, where, format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if u, ok := errors.AsType[*unread](err); ok {
		return u
	}
	if inner, ok := errors.AsType[*Fault](err); ok {
		k = inner.kind
	}
	return &Fault{where, err, k}
}

// mayPass reports whether err is a *Fault that may be gone at the next try.
func mayPass(err error) bool {
	f, ok := errors.AsType[*Fault](err)
	return ok && f.kind == passing
}
