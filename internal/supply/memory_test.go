package supply

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"petsupply/internal/supply/ledger"
)

// memory is a store for tests. Records go through JSON as in the real store, which has its own
// tests.
type memory struct {
	mu      sync.Mutex
	seq     int64
	records map[string][]byte
	seqs    map[string]int64
	ledgers map[string][]ledger.Version
	rows    []*Snapshot // rows of every kind
	dropped []string    // held figures
	notices []Notice
	asked   []Decision
	decided []Decision
	fail    error
	lost    error // error of Save, which saves nevertheless
	onSave  func()
}

func newMemory() *memory {
	return &memory{records: map[string][]byte{}, seqs: map[string]int64{}, ledgers: map[string][]ledger.Version{}}
}

func (m *memory) Sequences(context.Context) (map[string]int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.seqs), m.fail
}

func (m *memory) Records(context.Context) ([]Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Record
	for token, text := range m.records {
		var r Record
		if err := json.Unmarshal(text, &r); err != nil {
			return nil, err
		}
		r.Seq = m.seqs[token]
		r.Ledgers = slices.Clone(m.ledgers[token])
		out = append(out, r)
	}
	return out, m.fail
}

func (m *memory) Save(_ context.Context, changes []Change) (int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fail != nil {
		return 0, m.fail
	}
	if m.onSave != nil {
		m.onSave()
	}
	m.seq++
	for _, c := range changes {
		text, err := json.Marshal(c.Record)
		if err != nil {
			return 0, err
		}
		m.records[c.Record.Token], m.seqs[c.Record.Token] = text, m.seq
		m.notices = append(m.notices, c.Notices()...)
		if c.Dropped != "" {
			m.dropped = append(m.dropped, c.Dropped)
		}
		if c.Publishes {
			m.rows = append(m.rows, c.Record.Snapshot)
		}
		if c.Ledger != nil {
			m.ledgers[c.Record.Token] = append(m.ledgers[c.Record.Token], *c.Ledger)
		}
		for _, d := range c.Decided {
			m.decided = append(m.decided, d)
			m.asked = slices.DeleteFunc(m.asked, func(a Decision) bool { return a.ID == d.ID })
		}
	}
	return m.seq, m.lost
}

func (m *memory) OpenDecisions(context.Context) ([]Decision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]Decision(nil), m.asked...), m.fail
}

func (m *memory) ask(d Decision) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, d)
}
