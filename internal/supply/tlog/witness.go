package tlog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"filippo.io/torchwood"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

const (
	witnessTime  = 10 * time.Second // longest time of one request
	witnessPause = time.Minute      // longest pause between two tries
	maxAnswer    = 16 << 10         // longest answer of a witness, in bytes
)

// Outcomes of sending a checkpoint to a witness.
const (
	cosigned = "cosigned"
	conflict = "conflict" // the witness knows another log of this name: it signed another head, or more leaves
	failed   = "failed"   // any other failure
)

// A Witness is the address of a witness and its key.
type Witness struct {
	URL string
	Key *torchwood.CosignatureVerifier
}

// Witnesses sends the checkpoints of a log to witnesses (C2SP tlog-witness), and adds their
// cosignatures. Each witness has its own loop, so that a slow one does not delay the others.
type Witnesses struct {
	keeper   *Keeper
	list     []*witnessState
	every    time.Duration
	outcomes *prometheus.CounterVec
	adding   sync.Mutex
}

// A witnessState is what the loop of one witness remembers.
type witnessState struct {
	Witness
	log    *slog.Logger
	origin string // origin of the log to which the fields size and done belong
	size   int64  // size of the log as the witness knows it; 0 if not known
	done   []byte // the checkpoint that the witness signed last
}

// NewWitnesses returns Witnesses for the keeper's checkpoints. every is the interval at
// which they look for a new checkpoint.
func NewWitnesses(k *Keeper, every time.Duration, list []Witness) *Witnesses {
	w := &Witnesses{keeper: k, every: every, outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "petsupply_log_witness_total",
		Help: "Checkpoints that were sent to a witness, by outcome.",
	}, []string{"witness", "outcome"})}
	for _, one := range list {
		for _, outcome := range []string{cosigned, conflict, failed} {
			w.outcomes.WithLabelValues(one.Key.Name(), outcome)
		}
		w.list = append(w.list, &witnessState{Witness: one, log: k.Log.With("witness", one.Key.Name())})
	}
	return w
}

// Collectors returns the metrics for registration.
func (w *Witnesses) Collectors() []prometheus.Collector { return []prometheus.Collector{w.outcomes} }

// Run sends new checkpoints to all witnesses until ctx ends.
func (w *Witnesses) Run(ctx context.Context) error {
	var group sync.WaitGroup
	for _, e := range w.list {
		group.Go(func() { w.serve(ctx, e) })
	}
	group.Wait()
	return nil
}

// serve sends new checkpoints to one witness while this process leads.
func (w *Witnesses) serve(ctx context.Context, e *witnessState) {
	pause := w.every
	logged := ""
	for {
		outcome, err := w.step(ctx, e)
		if ctx.Err() != nil {
			return
		}
		if outcome != "" {
			w.outcomes.WithLabelValues(e.Key.Name(), outcome).Inc()
		}
		from := fromWitness + e.Key.Name()
		switch {
		case err != nil:
			if outcome == conflict {
				w.keeper.alarms.set(e.log, from,
					fmt.Sprintf("the witness %s knows another log of this name: %v", e.Key.Name(), err))
			}
			pause = min(2*pause, witnessPause)
			if err.Error() != logged { // a repeated fault is logged once
				e.log.Warn("a witness does not sign the log", "outcome", outcome, "error", err)
				logged = err.Error()
			}
		case outcome == cosigned:
			w.keeper.alarms.set(e.log, from, "")
			pause = w.every
			if logged != "" {
				e.log.Info("the witness signs the log again")
				logged = ""
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// step sends the newest checkpoint to a witness that has not signed it. The outcome is "" if there
// is nothing to do.
func (w *Witnesses) step(ctx context.Context, e *witnessState) (outcome string, err error) {
	l := w.keeper.head.Load()
	isConfirmed := w.keeper.trusted() != unconfirmed
	if l == nil || l.Signed == nil || !w.keeper.Leading() || isConfirmed && sameHead(l.Signed, e.done) {
		return "", nil
	}
	if l.Origin != e.origin {
		e.origin = l.Origin
		e.size = 0
	}
	if isConfirmed && hasCosigned(l.Signed, e.Key) { // the witness signed it before, perhaps for another process
		e.size = l.SignedSize()
		e.done = l.Signed
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, 2*witnessTime)
	defer cancel()
	own := []byte(ownSignature(string(l.Signed), l.Origin))
	lines, outcome, err := e.submit(ctx, own, l.SignedSize(), w.keeper.nodes(ctx, l.ID))
	if err != nil {
		return outcome, err
	}
	list, err := Cosignatures(append(own, lines...), e.Key)
	if err != nil || len(list) == 0 {
		return failed, errors.Join(errors.New("its answer is not a cosignature by the configured key"), err)
	}
	fresh, err := w.add(ctx, l, e.Key, list[0])
	if err != nil {
		return failed, fmt.Errorf("saving its cosignature: %w", err)
	}
	e.size = l.SignedSize()
	e.done = own
	w.keeper.trust.CompareAndSwap(unconfirmed, confirmed)
	if fresh {
		w.keeper.trust.Store(accepted)
	}
	return cosigned, nil
}

// hasCosigned reports whether a checkpoint has a cosignature of a witness.
func hasCosigned(signed []byte, by *torchwood.CosignatureVerifier) bool {
	list, err := Cosignatures(signed, by)
	return err == nil && len(list) > 0
}

// submit sends a checkpoint with the proof that it continues the last checkpoint of the witness. A
// witness that knows another size answers with that size, and then gets the right proof.
func (e *witnessState) submit(ctx context.Context, signed []byte, size int64, nodes merkle.HashReader,
) (lines []byte, outcome string, err error) {
	for range 2 {
		if known := e.size; known > size {
			e.size = 0 // ask the witness for its size next time
			return nil, conflict, fmt.Errorf("it knows a log of this name with %d leaves, but this log has %d: "+
				"a store was lost, or somebody else signs with this key", known, size)
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
			outcome = failed
			if status == http.StatusUnprocessableEntity { // our head does not continue the one that it knows
				outcome = conflict
			}
			return nil, outcome, fmt.Errorf("it answers %d: %.200q", status, answer)
		}
		sent := e.size
		e.size, err = strconv.ParseInt(strings.TrimSuffix(string(answer), "\n"), 10, 64)
		if sent == size && (err != nil || e.size == size) {
			e.size = 0
			return nil, conflict, fmt.Errorf("it signed a different head of %d leaves", size)
		}
		if err != nil || e.size < 0 {
			e.size = 0
			return nil, failed, fmt.Errorf("the log size in its answer is not a number: %.40q", answer)
		}
	}
	return nil, failed, errors.New("it names a different log size in each answer")
}

var witnessClient = &http.Client{Timeout: witnessTime,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func (e *witnessState) post(ctx context.Context, body []byte) (status int, answer []byte, err error) {
	address := strings.TrimSuffix(e.URL, "/") + "/add-checkpoint"
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	resp, err := witnessClient.Do(req)
	if err != nil {
		// Do not quote the address, which may contain a secret.
		return 0, nil, errors.New("it cannot be reached, or does not answer in time")
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err == nil && len(answer) > maxAnswer {
		err = fmt.Errorf("its answer is longer than %d bytes", maxAnswer)
	}
	return resp.StatusCode, answer, err
}

// add adds a cosignature to l's checkpoint, unless a newer checkpoint was signed meanwhile. The
// keeper serves the result after its next look at the store. fresh means that the checkpoint was
// not in the store before.
func (w *Witnesses) add(ctx context.Context, l *Log, by *torchwood.CosignatureVerifier, s note.Signature,
) (fresh bool, err error) {
	w.adding.Lock()
	defer w.adding.Unlock()
	now, err := w.keeper.Store.Log(ctx, l.Origin)
	if err != nil || now.SignedSize() > l.SignedSize() {
		return false, err
	}
	fresh = !sameHead(now.Signed, l.Signed)
	if fresh {
		if w.keeper.alarms.conflict() {
			return false, errors.New("another witness knows a different log of this name")
		}
		now.Signed = l.Signed
	} else if hasCosigned(now.Signed, by) {
		return false, nil
	}
	now.Signed = fmt.Appendf(now.Signed, "— %s %s\n", s.Name, s.Base64)
	return fresh, w.keeper.save(ctx, &now)
}
