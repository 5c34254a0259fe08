package web

import (
	"maps"
	"strings"
	"time"

	"petsupply/internal/supply"
)

const (
	plain    = "text/plain; charset=utf-8"
	jsonType = "application/json"
)

// A press makes one table out of a publication and the table before it.
type press struct {
	s     *Server
	old   *table
	table *table
	now   time.Time
}

// prepare makes the table of p as it is to be answered from now on.
func (s *Server) prepare(p *supply.Publication, old *table, now time.Time) *table {
	t := &table{
		publication: p,
		states:      map[string]supply.State{}, entries: map[string]*entry{}, targets: map[string]*entry{},
		changed: map[string]change{},
	}
	if old != nil {
		maps.Copy(t.changed, old.changed)
	}
	m := press{s, old, t, now}
	documents := make([]supply.Document, 0, len(p.States))
	all := supplyPolicy
	for _, st := range p.States {
		st = m.settle(st)
		t.states[lower(st.Token.Path)] = st
		documents = append(documents, st.Document())
		cache := supplyPolicy
		if st.Available() {
			cache = m.lifetime(st)
			all = all.within(cache.sum())
		}
		m.token(st, cache)
	}
	m.json("", s.routes.all, documents, all, nil)
	return t
}

// settle brings a state to now: its publisher does so too, by a timer, but a
// late timer must not make a wrong answer.
func (m *press) settle(st supply.State) supply.State {
	m.until(st.StaleAt)
	m.until(st.RefuseAt)
	if past(st.RefuseAt, m.now) {
		st.Status = supply.Unavailable
	} else if past(st.StaleAt, m.now) && st.Status == supply.Fresh {
		st.Status = supply.Stale
	}
	return st
}

func past(deadline, now time.Time) bool { return !deadline.IsZero() && !now.Before(deadline) }

// until moves the table's end to t, if that is earlier and yet to come.
func (m *press) until(t time.Time) {
	if t.After(m.now) && (m.table.until.IsZero() || t.Before(m.table.until)) {
		m.table.until = t
	}
}

// lifetime is how long others may keep an answer of st that is sent at any
// time before the table's end: never beyond the refusal.
func (m *press) lifetime(st supply.State) policy {
	if st.RefuseAt.IsZero() {
		return supplyPolicy
	}
	left := st.RefuseAt.Sub(m.now)
	const slack = 2 * time.Second // for a table that is replaced a moment late
	if spare := left - supplyPolicy.sum() - slack; spare > time.Minute {
		m.until(m.now.Add(spare))
		return supplyPolicy
	}
	step := min(max(left/10, time.Second), time.Minute)
	m.until(m.now.Add(step))
	return supplyPolicy.within(left - step - slack)
}

// token prepares everything below one token's path.
func (m *press) token(st supply.State, cache policy) {
	path := lower(st.Token.Path)
	m.json(path+"/ledger", m.s.routes.ledger, st.Ledger, cache, nil)
	if !st.Available() {
		return
	}
	m.json(path, m.s.routes.token, st.Document(), cache, nil)
	if st.Snapshot.Evidence != nil {
		m.json(path+"/evidence", m.s.routes.evidence, st.Snapshot.Evidence, cache, nil)
	}
	facts := []field{
		fieldOf("Supply-As-Of", st.Snapshot.AsOf.UTC().Format(time.RFC3339Nano)),
		fieldOf("Supply-Snapshot", st.Snapshot.ID),
		fieldOf("Supply-Status", string(st.Status)),
	}
	for kind, t := range m.s.routes.figures {
		figure, ok := st.Figure(kind)
		if !ok {
			continue
		}
		word := path + "/" + string(kind)
		m.put(word, t, &response{media: plain, body: []byte(figure), cache: cache, own: facts})
		m.json(word+"?format=json", t, result{figure}, cache, facts)
	}
}

// A result is a figure in the JSON form that some aggregators read.
type result struct {
	Result string `json:"result"`
}

func (m *press) json(path string, t *route, v any, cache policy, own []field) {
	body, err := Encode(v)
	if err != nil {
		m.s.log.Error("preparing an answer", "path", path, "error", err)
		return
	}
	m.put(path, t, &response{media: jsonType, body: body, cache: cache, own: own, squeeze: true})
}

// put prepares one answer in every encoding and enters it under its address
// and the spellings that callers use. Bodies that did not change are taken from
// the table before.
func (m *press) put(path string, t *route, r *response) {
	r.tag = hash(r.body)
	c := m.table.changed[path].next(r.tag, m.now)
	m.table.changed[path] = c
	if r.modified = c.modified; r.modified.IsZero() {
		m.until(c.latest.Add(time.Second)) // from then on it has a date of its own
	}
	e := &entry{route: t, tag: r.tag, made: everyEncoding}
	var before *entry
	if m.old != nil {
		if before = m.old.entries[path]; before != nil && before.tag != r.tag {
			before = nil
		}
	}
	for enc := range encodings {
		body, ok := r.body, enc == identity
		switch {
		case ok || !r.squeeze:
		case before != nil:
			if f := before.forms[enc]; f != nil {
				body, ok = f.body, true
			}
		default:
			body, ok = m.s.hard.squeeze(enc, r.body)
		}
		if ok {
			e.forms[enc] = m.s.form(r, enc)
			e.forms[enc].fill(body)
			e.forms[enc].seal()
		}
	}
	m.table.entries[path] = e
	for _, p := range spellings(path) {
		m.table.targets[m.s.supplyPath+"/"+p] = e
	}
	if path == "" && m.s.supplyPath != "" {
		m.table.targets[m.s.supplyPath] = e
	}
}

// spellings are the forms in which an address is mostly written: as documented,
// with a trailing slash, and with figures in camel case.
func spellings(path string) []string {
	word, query, has := strings.Cut(path, "?")
	if has {
		query = "?" + query
	}
	list := []string{path}
	if word != "" {
		list = append(list, word+"/"+query)
	}
	if stem, ok := strings.CutSuffix(word, "supply"); ok && strings.Contains(word, "/") {
		list = append(list, stem+"Supply"+query, stem+"Supply/"+query)
	}
	return list
}
