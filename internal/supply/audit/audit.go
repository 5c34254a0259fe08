// Package audit checks a service and its log. It reads what the service answers about each token,
// and compares every answer with the one that follows from the evidence of the snapshot that the
// answer names. The snapshot must be a leaf of the log that was its token's newest when the audit
// began, at most two minutes before, or later. Begin with Run.
package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
)

// Config configures an audit.
type Config struct {
	URL       string // URL of the service's supply API
	Key       string // verifier key of its log; "" means the served one
	Since     []byte // a checkpoint from an earlier audit, which the log must continue; may be nil
	Client    *http.Client
	Witnesses *tlog.Policy     // witnesses that must have signed the head; nil means none
	MaxAge    time.Duration    // maximum age of each figure and of signatures by Witnesses; 0 means any
	Now       func() time.Time // nil means time.Now
	Read      func(leaves int) // called with the number of leaves just read; may be nil
	Pauses    []time.Duration  // times between two tries; a service needs those of Pauses
}

// An auditor is one audit in progress.
type auditor struct {
	Config
	began  time.Time
	log    *log
	served map[string]bool // tokens that were read completely; true if they have figures
	report Report
}

// Pauses are the times between two tries to read a service. An honest service may have nothing at an
// address for a moment, and signs its log up to two seconds after a publication. Tests shorten them.
var Pauses = []time.Duration{3 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute}

// try calls f again after each pause, as long as its error may pass.
func (a *auditor) try(ctx context.Context, f func(context.Context) error) error {
	for _, p := range a.Pauses {
		err := f(ctx)
		if !mayPass(err) {
			return err
		}
		name(&a.report.Retried, fmt.Sprintf("%.300s", err))
		if err := pause(ctx, p); err != nil {
			return err
		}
	}
	err := f(ctx)
	if last, isFault := errors.AsType[*Fault](err); isFault && last.kind == passing {
		last.kind = differs // it did not pass
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return &unread{ctx.Err()}
	case <-time.After(d):
		return nil
	}
}

// longest is how long an audit may take.
const longest = time.Hour

// Run audits a service. It ends at the first *Fault and reports everything that held until then.
// Any other error means that the service could not be read, or that it began a new log meanwhile.
func Run(ctx context.Context, cfg Config) (Report, error) {
	ctx, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	cfg.URL = strings.TrimSuffix(cfg.URL, "/")
	a := &auditor{Config: cfg, began: cfg.Now(), served: map[string]bool{}, report: newReport(cfg)}
	var err error
	for _, step := range []func(context.Context) error{a.open, a.readTokens, a.readHead} {
		err = a.try(ctx, step)
		if err != nil {
			break
		}
	}
	a.report.At = cfg.Now().UTC()
	if a.log != nil {
		err = cmp.Or(err, a.describe())
	}
	return a.report, a.explain(ctx, err)
}

// explain returns err, but not as a *Fault if the service began a log during the audit or shortly
// before. Caches then have answers of the log before.
func (a *auditor) explain(ctx context.Context, err error) error {
	if f, isFault := errors.AsType[*Fault](err); !isFault || f.kind == contradicts || a.log == nil {
		return err
	}
	key, _ := a.readKey(ctx, current)
	if key != "" && key != a.log.key {
		return &unread{fmt.Errorf("the service began a new log during the audit, so audit it again; this differed: %v",
			err)}
	}
	if a.log.begun.Previous != nil && a.isNear(a.log.begun.Begun) {
		return &unread{fmt.Errorf("the log began only at %s, so audit it again; this differed: %v",
			a.log.begun.Begun.Format(time.RFC3339), err)}
	}
	return err
}

// readTokens reads the list and all tokens that were not read yet, and compares the list with them.
func (a *auditor) readTokens(ctx context.Context) error {
	list, err := a.readList(ctx)
	if err != nil {
		return err
	}
	for _, path := range a.tokens(list) {
		if err := a.try(ctx, func(ctx context.Context) error { return a.readToken(ctx, path) }); err != nil {
			return err
		}
	}
	return a.compareList(ctx, list)
}

// tokens returns the paths of all tokens that the log or the list names and that were not read yet.
// The list has no paths, so a token that only the list has is looked for at its symbol.
func (a *auditor) tokens(list []entry) []string {
	all := map[string]bool{}
	for token := range a.log.tokens {
		all[token] = true
	}
	for _, e := range list {
		if path := strings.ToLower(e.Symbol); e.Snapshot == nil && ledger.IsPath(path) {
			all[path] = true
		}
	}
	for token := range a.served {
		delete(all, token)
	}
	return slices.Sorted(maps.Keys(all))
}

// withLog checks something that the log should have. If the check fails, withLog reads the log again
// and repeats it, because the log may have grown since it was read, or may not be signed yet.
func (a *auditor) withLog(ctx context.Context, check func() error) error {
	if check() == nil {
		return nil
	}
	return a.try(ctx, func(ctx context.Context) error {
		if err := a.log.read(ctx); err != nil {
			return err
		}
		return check()
	})
}

// maxSkew is how far the clock of the service or of a witness may be ahead of ours.
const maxSkew = 5 * time.Minute

// isRecent reports whether a figure or a signature is young enough.
func (a *auditor) isRecent(at time.Time) bool {
	age := a.Now().Sub(at)
	return a.MaxAge == 0 || age <= a.MaxAge && age >= -maxSkew
}

// checkWitnesses checks that enough witnesses signed the head.
func (a *auditor) checkWitnesses() (err error) {
	if a.Witnesses == nil {
		return nil
	}
	a.report.Cosigned, err = a.Witnesses.Check(a.log.signed, a.isRecent)
	if err != nil { // witnesses sign a head after the log
		return fault(passing, "witnesses", "%w", err)
	}
	return nil
}
