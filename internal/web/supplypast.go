package web

import (
	"cmp"
	"errors"
	"net/http"
	"regexp"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/web/answer"
)

// A pastHandler answers with the state as of a moment.
type pastHandler func(*answer.Request, *supply.Moment) (*answer.Response, error)

// byMoment returns a handler that calls past(q, m) if the query names a moment m, and now(q) if it
// does not.
func (s *supplyAPI) byMoment(now answer.Handler, past pastHandler) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		m, err := moment(q)
		switch {
		case err != nil:
			return nil, err
		case m == nil:
			return now(q)
		}
		return past(q, m)
	}
}

var snapshotForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// moment reads the query parameters "at" and "snapshot". It returns nil if neither was given.
func moment(q *answer.Request) (*supply.Moment, error) {
	query := q.Query()
	m := supply.Moment{At: query.PastTime(atParam, q.At)}
	isTime := !m.At.IsZero()
	snapshot, isSnapshot := query.Text(snapshotParam)
	m.Snapshot = snapshot
	switch {
	case isSnapshot && isTime:
		query.Fail(snapshotParam, "not allowed together with the parameter at")
	case isSnapshot && !snapshotForm.MatchString(m.Snapshot):
		query.Fail(snapshotParam, "not the id of a snapshot")
	case !isSnapshot && !isTime && query.Err == nil:
		return nil, nil
	}
	return &m, query.Err
}

// pastState returns the state of a token as of a moment, and how long caches may keep answers with
// that state. st is the token's current state.
func (s *supplyAPI) pastState(
	q *answer.Request, st supply.State, m *supply.Moment,
) (past supply.State, cache answer.CachePolicy, err error) {
	past, err = st.StateAt(q.Context(), s.past, *m)
	if err != nil {
		what := "no figure of " + st.Token.Symbol + " was published at " + m.String()
		if m.Snapshot != "" {
			what = "no figure of " + st.Token.Symbol + " was published as " + m.String()
		}
		return past, cache, pastProblem(err, what)
	}
	cache = youngPolicy
	if m.Passed(st.Snapshot) {
		cache = fixedPolicy
	}
	return past, cache, nil
}

// stateAt charges q for the look-up, and calls pastState for the token that q names.
func (s *supplyAPI) stateAt(
	q *answer.Request, m *supply.Moment,
) (past supply.State, cache answer.CachePolicy, err error) {
	_, st, err := s.state(q)
	if err == nil {
		err = q.Pay(0)
	}
	if err != nil {
		return past, cache, err
	}
	return s.pastState(q, st, m)
}

// allAt serves the list of tokens as of a moment. A token that had no published figure yet is listed
// as unavailable. If no token had one, the answer is 404.
func (s *supplyAPI) allAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, errNotLoaded
	}
	states := t.publication.States
	if err := q.Pay(len(states)); err != nil {
		return nil, err
	}
	documents := []supply.Document{}
	cache := fixedPolicy
	var missing error // the error of the first token that was not found
	found := false
	for _, st := range states {
		past, keep, err := s.pastState(q, st, m)
		problem, ok := errors.AsType[*answer.Problem](err)
		switch {
		case err == nil:
			found = true
			cache = cache.Within(keep.Total())
			documents = append(documents, past.Document())
		case !ok || problem.Status != http.StatusNotFound:
			return nil, err
		default:
			missing = cmp.Or(missing, err)
			documents = append(documents, supply.State{Token: st.Token}.Document())
			cache = cache.Within(youngPolicy.Total())
		}
	}
	if !found && missing != nil {
		return nil, missing
	}
	return answer.JSON(documents, cache)
}

// tokenAt serves a token's document as it was at a moment, or one figure if the query names it.
func (s *supplyAPI) tokenAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	f, err := s.queried(q)
	if err != nil {
		return nil, err
	}
	if f != nil {
		return f.at(q, m)
	}
	st, cache, err := s.stateAt(q, m)
	if err != nil {
		return nil, err
	}
	return answer.JSON(st.Document(), cache)
}

// ledgerAt serves the ledger that was in use at a moment.
func (s *supplyAPI) ledgerAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	st, cache, err := s.stateAt(q, m)
	if err != nil {
		return nil, err
	}
	return answer.JSON(st.Ledger, cache)
}

// evidenceAt serves the evidence of the snapshot that was published at a moment, with a proof that
// the snapshot is in the log.
func (s *supplyAPI) evidenceAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	st, cache, err := s.stateAt(q, m)
	if err != nil {
		return nil, err
	}
	ev, err := s.past.EvidenceOf(q.Context(), st.Snapshot)
	if err != nil {
		return nil, pastProblem(err, "no evidence of this snapshot is kept")
	}
	shown := *ev
	if s.tlog != nil {
		shown.Inclusion, err = s.tlog.Include(q.Context(), st.Snapshot.ID)
	}
	switch {
	case errors.Is(err, tlog.ErrNone):
		cache = cache.Within(youngPolicy.Total()) // the snapshot may be added to the log later
	case err != nil:
		return nil, unavailable(err)
	}
	return answer.JSON(shown, cache)
}
