package tlog

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Sources of alarms. The source of a witness's alarm is fromWitness, followed by the witness's
// name.
const (
	fromStore   = "store"    // the store lacks a head that was signed
	fromSigning = "signing"  // the store has a head of the same size as ours, but with another root
	fromWaiting = "waiting"  // a new leader waits for a witness
	fromWitness = "witness " // the witness knows another log of this name
)

// alarms are the reasons why the log is not signed or served. The zero value has none.
type alarms struct {
	mu     sync.Mutex
	active map[string]string // texts by source
}

// set raises the alarm of a source. words is the reason; "" ends the alarm. Each alarm is logged
// once.
func (a *alarms) set(log *slog.Logger, from, words string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before := a.active[from]
	switch {
	case words == before:
	case words == "":
		delete(a.active, from)
		log.Info("an alarm about the log has ended", "from", from, "was", before)
	default:
		if a.active == nil {
			a.active = map[string]string{}
		}
		a.active[from] = words
		log.Error("new heads of the log are not served", "from", from, "reason", words)
	}
}

// end ends the alarms that only a leader raises: all except that of the store.
func (a *alarms) end(log *slog.Logger) {
	for _, from := range a.list() {
		if from != fromStore {
			a.set(log, from, "")
		}
	}
}

func (a *alarms) list() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Sorted(maps.Keys(a.active))
}

// conflict reports whether a witness knows another log that has the same name as this one.
func (a *alarms) conflict() bool {
	return slices.ContainsFunc(a.list(), func(from string) bool { return strings.HasPrefix(from, fromWitness) })
}

// Alarms returns the reasons why new heads of the log are not signed or served. stopped means that
// the store or a witness contradicts a signed head, so an operator must investigate.
func (k *Keeper) Alarms() (words []string, stopped bool) {
	a := &k.alarms
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, from := range slices.Sorted(maps.Keys(a.active)) {
		words = append(words, a.active[from])
		stopped = stopped || from != fromWaiting
	}
	return words, stopped
}
