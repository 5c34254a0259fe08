package tlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	merkle "golang.org/x/mod/sumdb/tlog"
)

const (
	witnessTime  = 10 * time.Second // for one request, and for the store beside it
	witnessPause = time.Minute      // the longest between two tries
	maxAnswer    = 16 << 10         // of a witness
)

// What became of a checkpoint that was sent to a witness.
const (
	cosigned     = "cosigned"
	unknownLog   = "unknown"      // the witness does not know the log
	refused      = "refused"      // or not the key that signed
	inconsistent = "inconsistent" // it does not find what it knows in what it was sent
	ahead        = "ahead"        // it knows a larger log of that name
	invalid      = "invalid"      // its answer has no cosignature of the configured key
	failed       = "failed"       // no answer, or one that says nothing
)

// A Witness is where a witness takes checkpoints, and the key that it signs by.
type Witness struct {
	URL string
	Key *WitnessKey
}

// Witnesses take the checkpoints of a log to witnesses (C2SP's tlog-witness), and
// add to them what those sign. Each has a loop of its own: one that is slow or
// away holds nobody up.
type Witnesses struct {
	keeper   *Keeper
	list     []*errand
	every    time.Duration
	outcomes *prometheus.CounterVec
	adding   sync.Mutex
}

// An errand is what is known of one witness.
type errand struct {
	Witness
	client *http.Client
	log    *slog.Logger
	origin string // of the log that the rest is about
	size   int64  // of it, that the witness knows
	done   []byte // the checkpoint that it signed last
}

// NewWitnesses prepares to take what the keeper signs to the witnesses, where
// every is how often is looked whether there is something.
func NewWitnesses(k *Keeper, every time.Duration, list []Witness) *Witnesses {
	w := &Witnesses{keeper: k, every: every, outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_log_witness_total", Help: "Checkpoints that were sent to a witness, by what became of them."}, []string{"witness", "outcome"})}
	for _, one := range list {
		for _, outcome := range []string{cosigned, unknownLog, refused, inconsistent, ahead, invalid, failed} {
			w.outcomes.WithLabelValues(one.Key.Name(), outcome)
		}
		w.list = append(w.list, &errand{Witness: one, log: k.Log.With("witness", one.Key.Name()), client: &http.Client{Timeout: witnessTime,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}})
	}
	return w
}

// Collectors returns the metrics, to be registered once.
func (w *Witnesses) Collectors() []prometheus.Collector { return []prometheus.Collector{w.outcomes} }

// Run serves all witnesses until ctx ends.
func (w *Witnesses) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for _, e := range w.list {
		group.Go(func() { w.serve(ctx, e) })
	}
	group.Wait()
	return nil
}

// serve takes to one witness what is new, while this process leads.
func (w *Witnesses) serve(ctx context.Context, e *errand) {
	pause, told := w.every, ""
	for {
		outcome, err := w.step(ctx, e)
		if ctx.Err() != nil {
			return
		}
		if outcome != "" {
			w.outcomes.WithLabelValues(e.Key.Name(), outcome).Inc()
		}
		switch {
		case err != nil:
			if pause = min(2*pause, witnessPause); err.Error() != told { // what is wrong is logged once
				e.log.Warn("a witness does not sign the log", "outcome", outcome, "error", err)
				told = err.Error()
			}
		case outcome == cosigned:
			if pause = w.every; told != "" {
				e.log.Info("the witness signs the log again")
				told = ""
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// step takes the newest checkpoint to a witness, unless it signed it. The outcome
// is "" where there was nothing to do.
func (w *Witnesses) step(ctx context.Context, e *errand) (outcome string, err error) {
	l := w.keeper.Latest()
	if l == nil || w.keeper.Key == nil || !w.keeper.Leading() || sameHead(l.Signed, e.done) {
		return "", nil
	}
	if l.Origin != e.origin {
		e.origin, e.size = l.Origin, 0
	}
	if list, err := Cosignatures(l.Signed, e.Key); err == nil && len(list) > 0 { // before this process began
		e.size, e.done = l.SignedSize(), l.Signed
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*witnessTime)
	defer cancel()
	own := []byte(OwnSignature(string(l.Signed), l.Origin))
	lines, outcome, err := e.submit(ctx, own, l.SignedSize(), w.keeper.nodes(ctx, l.ID))
	if err != nil {
		return outcome, err
	}
	list, err := Cosignatures(append(own, lines...), e.Key)
	if err != nil || len(list) == 0 {
		return invalid, errors.Join(errors.New("its answer is no cosignature by the configured key"), err)
	}
	if err := w.add(ctx, l, list[0]); err != nil {
		return failed, fmt.Errorf("keeping its cosignature: %w", err)
	}
	e.size, e.done = l.SignedSize(), own
	return cosigned, nil
}

// submit sends a checkpoint with the proof that it goes on from what the witness
// knows; if that is something else it says so, and is sent the right proof.
func (e *errand) submit(ctx context.Context, signed []byte, size int64, nodes merkle.HashReader) (lines []byte, outcome string, err error) {
	for range 2 {
		if known := e.size; known > size {
			e.size = 0 // it is asked again
			return nil, ahead, fmt.Errorf("it knows a log of this name that has %d leaves, and there are %d: a store was lost, or somebody else signs with this key", known, size)
		}
		body := fmt.Appendf(nil, "old %d\n", e.size)
		if e.size > 0 {
			proof, err := merkle.ProveTree(size, e.size, nodes)
			if err != nil {
				return nil, failed, err
			}
			for _, h := range proof {
				body = append(body, h.String()+"\n"...)
			}
		}
		status, answer, err := e.post(ctx, append(append(body, '\n'), signed...))
		if err != nil {
			return nil, failed, err
		}
		if status == http.StatusOK {
			return answer, cosigned, nil
		}
		if status != http.StatusConflict {
			return nil, outcomeOf(status), fmt.Errorf("it answers %d: %.200q", status, answer)
		}
		if e.size, err = parseNumber(strings.TrimSuffix(string(answer), "\n")); err != nil {
			e.size = 0
			return nil, failed, fmt.Errorf("the size that it knows: %w", err)
		}
	}
	return nil, failed, errors.New("it does not stay with the size that it says it knows")
}

// outcomeOf says what an answer that is no cosignature means.
func outcomeOf(status int) string {
	switch status {
	case http.StatusNotFound:
		return unknownLog
	case http.StatusForbidden:
		return refused
	case http.StatusUnprocessableEntity:
		return inconsistent
	}
	return failed
}

func (e *errand) post(ctx context.Context, body []byte) (status int, answer []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(e.URL, "/")+"/add-checkpoint", bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	resp, err := e.client.Do(req)
	if err != nil {
		return 0, nil, errors.New("it cannot be reached, or not in time") // the address may hold a secret
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(answer) > maxAnswer {
		err = fmt.Errorf("its answer is longer than %d bytes", maxAnswer)
	}
	return resp.StatusCode, answer, err
}

// add adds a cosignature to the checkpoint that l has, unless a newer one was
// signed meanwhile. The keeper serves it when it looks at the store next.
func (w *Witnesses) add(ctx context.Context, l *Log, c Cosignature) error {
	w.adding.Lock()
	defer w.adding.Unlock()
	now, err := w.keeper.Store.Log(ctx, l.Origin)
	if err != nil || !sameHead(now.Signed, l.Signed) {
		return err
	}
	return w.keeper.Store.SaveCheckpoint(ctx, l.ID, l.SignedSize(), append(now.Signed, c.line...))
}
