package web

import (
	"maps"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// A table has all prepared answers of the supply interface, in every encoding. It is built once and
// never changed. Answering a request takes one look-up and one write.
type table struct {
	publication *supply.Publication
	until       time.Time // when the table is out of date and is rebuilt; zero means never
	states      map[string]supply.State
	entries     map[string]*answer.Entry // by path below the address of the interface, in lower case
	targets     map[string]*answer.Entry // the same entries by request target, in the usual spellings
	changed     map[string]change        // by path; carried over from the previous table
}

// A change says when the representation at an address last changed. Last-Modified has whole
// seconds. If a representation changes again within a second, the new one has no Last-Modified
// until this second is over.
type change struct {
	tag      string
	modified time.Time // Last-Modified; zero if the representation has none yet
	latest   time.Time // the latest Last-Modified that this address had
}

// next returns the change for a representation with this tag that was made at the time now.
func (c change) next(tag string, now time.Time) change {
	now = now.Truncate(time.Second)
	switch {
	case c.tag == tag && !c.modified.IsZero():
		return c
	case now.After(c.latest):
		return change{tag, now, now}
	default:
		return change{tag, time.Time{}, c.latest}
	}
}

// A tableBuilder makes one table from a publication and the previous table.
type tableBuilder struct {
	api   *supplyAPI
	old   *table // nil for the first table
	table *table
	now   time.Time
}

// build makes the table of p for requests from m.now on.
func (m *tableBuilder) build(p *supply.Publication) *table {
	t := &table{
		publication: p,
		states:      map[string]supply.State{}, changed: map[string]change{},
		entries: map[string]*answer.Entry{}, targets: map[string]*answer.Entry{},
	}
	m.table = t
	if m.old != nil {
		maps.Copy(t.changed, m.old.changed)
	}
	documents := make([]supply.Document, 0, len(p.States))
	all := supplyPolicy
	for _, st := range p.States {
		st = st.At(m.now) // the board calls At too, but its timer may be late
		m.endAt(st.StaleAt)
		m.endAt(st.RefuseAt)
		t.states[answer.Lower(st.Token.Path)] = st
		documents = append(documents, st.Document())
		cache := supplyPolicy
		if st.Available() {
			cache = m.lifetime(st)
			all = all.Within(cache.Total())
		}
		m.addToken(st, cache)
	}
	m.addJSON("/", "/{$}", documents, all)
	return t
}

// endAt makes the table end at t (see table.until), if t is in the future and the table would not
// end earlier.
func (m *tableBuilder) endAt(t time.Time) {
	if t.After(m.now) && (m.table.until.IsZero() || t.Before(m.table.until)) {
		m.table.until = t
	}
}

// lifetime returns how long caches may keep an answer with a figure of st. Every cached answer
// expires before the figure is refused. For this, lifetime also ends the table in time: see endAt.
func (m *tableBuilder) lifetime(st supply.State) answer.CachePolicy {
	if st.RefuseAt.IsZero() {
		return supplyPolicy
	}
	left := st.RefuseAt.Sub(m.now)
	const slack = 2 * time.Second // a table may be replaced a moment late
	if spare := left - supplyPolicy.Total() - slack; spare > time.Minute {
		m.endAt(m.now.Add(spare))
		return supplyPolicy
	}
	step := min(max(left/10, time.Second), time.Minute)
	m.endAt(m.now.Add(step))
	return supplyPolicy.Within(left - step - slack)
}

// addToken prepares one token's document, figures, ledger and evidence.
func (m *tableBuilder) addToken(st supply.State, cache answer.CachePolicy) {
	path := "/" + answer.Lower(st.Token.Path)
	m.addJSON(path+"/ledger", "/{token}/ledger", st.Ledger, cache)
	if ev := st.Evidence(); ev != nil && st.Status != supply.Unavailable {
		m.addJSON(path+"/evidence", "/{token}/evidence", ev, cache)
	}
	if !st.Available() {
		return
	}
	m.addJSON(path, "/{token}", st.Document(), cache)
	for _, name := range supply.FigureNames {
		text, ok := st.Figure(name)
		if !ok {
			continue
		}
		for _, isJSON := range []bool{false, true} {
			r, err := figureResponse(st, text, isJSON, cache)
			m.add(figure{name: name}.path(st.Token.Path, isJSON), "/{token}/"+name, r, err)
		}
		for _, word := range []string{name, strings.TrimSuffix(name, "supply")} {
			m.table.targets[m.api.base.Path+path+"?q="+word] = m.table.entries[path+"/"+name]
		}
	}
}

func (m *tableBuilder) addJSON(path, pattern string, v any, cache answer.CachePolicy) {
	r, err := answer.JSON(v, cache)
	m.add(path, pattern, r, err)
}

// add prepares one answer of a route in every encoding, and enters it under all spellings of its
// address. It reuses the compressed bodies of the previous table if the answer did not change.
// err is the error from making r. If it is not nil, add only logs it.
func (m *tableBuilder) add(path, pattern string, r *answer.Response, err error) {
	if err != nil {
		m.api.answerer.Log.Error("preparing an answer failed", "path", path, "error", err)
		return
	}
	r.Tag = answer.Tag(r.Body)
	before := m.table.changed[path]
	c := before.next(r.Tag, m.now)
	m.table.changed[path] = c
	r.Modified = c.modified
	if r.Modified.IsZero() {
		m.endAt(c.latest.Add(time.Second)) // from then on the answer can have a Last-Modified
	}
	var same *answer.Entry
	if m.old != nil && before.tag == r.Tag {
		same = m.old.entries[path]
	}
	e := m.api.answerer.Entry(r, m.api.base.Routes[pattern], same)
	m.table.entries[path] = e
	for _, p := range spellings(path) {
		m.table.targets[m.api.base.Path+p] = e
	}
}

// spellings returns the usual ways to write an address: as documented, with and without a trailing
// slash, and with figures in camel case.
func spellings(path string) []string {
	word, query, has := strings.Cut(path, "?")
	if has {
		query = "?" + query
	}
	word = strings.TrimSuffix(word, "/")
	list := []string{word + query, word + "/" + query}
	if stem, ok := strings.CutSuffix(word, "supply"); ok && strings.Count(word, "/") > 1 {
		list = append(list, stem+"Supply"+query, stem+"Supply/"+query)
	}
	return list
}
