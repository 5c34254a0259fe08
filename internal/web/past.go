package web

import (
	"errors"
	"net/http"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/web/answer"
)

// then returns the state of a token as it stood at a moment, and for how long an
// answer of it may be kept. st is its state now.
func (s *supplyAPI) then(q *answer.Request, st supply.State, m *supply.Moment) (past supply.State, cache answer.CachePolicy, err error) {
	p, err := s.past.PublishedAt(q.Context(), st.Token.Path, *m)
	if err != nil {
		what := "no figure of " + st.Token.Symbol + " was published at " + m.String()
		if m.Snapshot != "" {
			what = "no figure of " + st.Token.Symbol + " was published as " + m.String()
		}
		return past, cache, pastProblem(err, what)
	}
	ledgers, err := s.past.Ledgers(q.Context(), st.Token.Path)
	if err != nil {
		return past, cache, answer.Unavailable(err)
	}
	cache = youngPolicy
	if m.Passed(st.Snapshot) {
		cache = fixedPolicy
	}
	return st.Then(p, ledgers), cache, nil
}

// stateThen is then for the token that q names, whose caller pays for it.
func (s *supplyAPI) stateThen(q *answer.Request, m *supply.Moment) (past supply.State, cache answer.CachePolicy, err error) {
	_, st, err := s.state(q)
	if err == nil {
		err = s.limit.Take(q, 1)
	}
	if err != nil {
		return past, cache, err
	}
	return s.then(q, st, m)
}

// allThen serves the list of tokens as it was at a moment. Tokens that are not
// on the chain of a block are left out; those that were published only later
// are unavailable.
func (s *supplyAPI) allThen(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, errNotLoaded
	}
	states := t.publication.States
	if err := s.limit.Take(q, len(states)); err != nil {
		return nil, err
	}
	documents, cache := []supply.Document{}, fixedPolicy
	var none error // the first token's, in case that there is nothing at all
	found := false
	for _, st := range states {
		past, keep, err := s.then(q, st, m)
		var refused *answer.Problem
		switch {
		case err == nil:
			found = true
			cache = cache.Within(keep.Total())
			documents = append(documents, past.Document())
		case !errors.As(err, &refused) || refused.Status != http.StatusNotFound:
			return nil, err
		default:
			if none == nil {
				none = err
			}
			if m.ChainID == 0 {
				documents = append(documents, supply.State{Token: st.Token}.Document())
				cache = cache.Within(youngPolicy.Total())
			}
		}
	}
	if !found && none != nil {
		return nil, none
	}
	return answer.JSON(documents, cache)
}

// ledgerThen serves the ledger that was in use at a moment.
func (s *supplyAPI) ledgerThen(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	st, cache, err := s.stateThen(q, m)
	if err != nil {
		return nil, err
	}
	return answer.JSON(st.Ledger, cache)
}

// evidenceThen serves the evidence of what was published at a moment, and shows
// that it is in the log.
func (s *supplyAPI) evidenceThen(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	st, cache, err := s.stateThen(q, m)
	if err != nil {
		return nil, err
	}
	ev, err := s.past.EvidenceOf(q.Context(), st.Token.Path, st.Snapshot.Point())
	if err != nil {
		return nil, pastProblem(err, "no evidence of this snapshot is kept")
	}
	shown := *ev
	if s.tlog != nil {
		shown.Inclusion, err = s.tlog.Include(q.Context(), st.Snapshot.ID)
	}
	switch {
	case errors.Is(err, tlog.ErrNone):
		cache = cache.Within(youngPolicy.Total()) // it may yet be
	case err != nil:
		return nil, answer.Unavailable(err)
	}
	return answer.JSON(shown, cache)
}
