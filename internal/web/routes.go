package web

import (
	"slices"

	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

// The parameters that ask for an earlier state.
const (
	atParam       = "at"
	snapshotParam = "snapshot"
)

// Costs of answers that are made for one caller. Answers that were prepared are free, and a pack knows
// the cost of its pictures. A test in internal/app measures all costs.
var (
	pastCost     = answer.Cost{Units: 1, UnitsEach: 1} // for each further token
	evidenceCost = answer.Cost{Units: 3}
	pointsCost   = answer.Cost{Units: 2, UnitsEach: 0.005, BytesEach: 512}
	logCost      = answer.Cost{Units: 0.25} // logs before the current one, and tiles
	petCost      = answer.Cost{Units: 1}    // for a pet that is not in memory
	changesCost  = answer.Cost{Units: 0.5, UnitsEach: 0.01, BytesEach: 512}
	listCost     = answer.Cost{Units: 0.5, UnitsEach: 0.1, BytesEach: documentSize}
	historyCost  = answer.Cost{Units: 1, Bytes: 64 << 10}
)

// walkUnits is what finding pets that meet all conditions costs, among those that meet one of them.
const walkUnits = 2

// supplyRows returns the routes about tokens.
func (s *supplyAPI) supplyRows() []answer.Row {
	at := []string{atParam}
	snapshot := []string{atParam, snapshotParam}
	rows := []answer.Row{
		{Pattern: "/{$}", Serve: s.byMoment(s.all, s.allAt), Cost: pastCost, Query: at},
		{Pattern: "/{token}", Serve: s.byMoment(s.token, s.tokenAt), Cost: pastCost,
			Query: []string{atParam, "q", "format"}},
		{Pattern: "/{token}/ledger", Serve: s.byMoment(s.published, s.ledgerAt), Cost: pastCost, Query: at},
		{Pattern: "/{token}/evidence", Serve: s.byMoment(s.published, s.evidenceAt), Cost: evidenceCost,
			Query: snapshot},
		{Pattern: "/{token}/proof", Serve: s.byMoment(s.proof, s.proofAt), Cost: pastCost, Cache: listPolicy,
			Query: snapshot},
		{Pattern: "/{token}/history", Serve: s.history, Cost: pointsCost, Cache: listPolicy,
			Query: []string{"from", "to", "points"}},
		// The log has the publications of all times, so its routes accept "at" and ignore it.
		{Pattern: "/log/checkpoint", Serve: s.ofLog(s.checkpoint), Cache: logPolicy, Query: at},
		{Pattern: "/log/key", Serve: s.ofLog(s.verifierKey), Cache: logPolicy, Query: at},
		{Pattern: "/log/{log}/checkpoint", Serve: s.ofLog(s.checkpoint), Cost: logCost, Cache: logPolicy, Query: at},
		{Pattern: "/log/{log}/key", Serve: s.ofLog(s.verifierKey), Cost: logCost, Cache: logPolicy, Query: at},
		{Pattern: "/log/{log}/tile/{tile...}", Serve: s.ofLog(s.tile), Cost: logCost, Cache: steadyPolicy, Query: at},
	}
	for _, name := range supply.FigureNames {
		f := figure{s, name}
		rows = append(rows, answer.Row{
			Pattern: "/{token}/" + name, Serve: s.byMoment(f.now, f.at), Cost: pastCost,
			Query: []string{atParam, "format"}, Text: true,
		})
	}
	return rows
}

// petRows returns the routes about pets.
func (p *petAPI) petRows() []answer.Row {
	return []answer.Row{
		{Pattern: "/token/{id}", Serve: p.metadata, Cost: petCost, Cache: petPolicy},
		{Pattern: "/token/{id}/history", Serve: p.history, Cost: historyCost, Cache: petPolicy},
		{Pattern: "/image/{id}", Serve: p.picture, Cost: petCost, Cache: picturePolicy,
			Query: []string{"frame", "background", "animated", "format", "size", "v"}},
		{Pattern: "/tokens", Serve: p.tokens, Cost: listCost, Cache: listPolicy,
			Query: slices.Concat(listParams, keys(p.filters)), Refuse: p.listings.Refuses},
		{Pattern: "/changes", Serve: p.changes, Cost: changesCost, Cache: listPolicy,
			Query: []string{"since", "mark", "limit"}},
		{Pattern: "/contract", Serve: p.collection, Cache: steadyPolicy},
	}
}

// serve adds routes to the address of an interface. A route that does not read "at" refuses it, because
// its answer would be about the present.
func (s *Server) serve(b *answer.Base, iface string, rows []answer.Row) {
	for i, row := range rows {
		if slices.Contains(row.Query, atParam) {
			continue
		}
		rows[i].Refuse = func(param string) string {
			switch {
			case param == atParam:
				return "not available here: this endpoint returns current data only"
			case row.Refuse != nil:
				return row.Refuse(param)
			}
			return ""
		}
	}
	s.answerer.Serve(b, iface, rows)
}

// keys returns the names of parameters that select by these fields.
func keys(fields []*collection.Field) (list []string) {
	for _, f := range fields {
		list = append(list, f.Key)
	}
	return list
}
