package web

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/web/answer"
)

// A pastHandler answers with the state as of a moment.
type pastHandler func(*answer.Request, *supply.Moment) (*answer.Response, error)

// byMoment returns a handler that calls past(q, m) if the query names a moment m, and now(q) if it
// does not. If byID is set, the query may also name a snapshot.
func (s *supplyAPI) byMoment(now answer.Handler, past pastHandler, byID bool) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		m, err := s.moment(q, byID)
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

// moment reads the query parameters "at" and "block", and "snapshot" if byID is set. It returns nil
// if none of them was given.
func (s *supplyAPI) moment(q *answer.Request, byID bool) (*supply.Moment, error) {
	query := q.Query()
	text, isBlock := query.Text(blockParam)
	m := supply.Moment{At: query.PastTime(atParam, q.At)}
	isSnapshot, isTime := false, !m.At.IsZero()
	if byID {
		m.Snapshot, isSnapshot = query.Text(snapshotParam)
	}
	switch {
	case isSnapshot && (isTime || isBlock):
		query.Fail(snapshotParam, "not allowed together with the parameters at and block")
	case isSnapshot && !snapshotForm.MatchString(m.Snapshot):
		query.Fail(snapshotParam, "not the id of a snapshot")
	case isBlock && isTime:
		query.Fail(blockParam, "not allowed together with the parameter at")
	case isBlock:
		s.block(query, text, &m)
	case !isSnapshot && !isTime && query.Err == nil:
		return nil, nil
	}
	if query.Err == nil && m.ChainID != 0 && m.Hash == nil {
		return &m, s.wasRead(q, m)
	}
	return &m, query.Err
}

// wasRead returns an error if the block of m is newer than all blocks of its chain at which the
// current figures were read. It returns nil if no current figure was read on this chain.
func (s *supplyAPI) wasRead(q *answer.Request, m supply.Moment) error {
	t := s.current(q.At)
	if t == nil {
		return errNotLoaded
	}
	var newest uint64
	for _, st := range t.publication.States {
		if st.Snapshot == nil {
			continue
		}
		for _, b := range st.Snapshot.Blocks {
			if b.ChainID == m.ChainID {
				newest = max(newest, b.Number)
			}
		}
	}
	if newest > 0 && m.Number > newest {
		return answer.NotFound(fmt.Sprintf("%s was not read yet; the newest block that was read is %d", m, newest))
	}
	return nil
}

// block reads text, which is CHAIN:NUMBER or CHAIN:HASH, into m. CHAIN is the name or the id of a
// chain.
func (s *supplyAPI) block(q *answer.Query, text string, m *supply.Moment) {
	chain, block, _ := strings.Cut(text, ":")
	for name, id := range s.chains {
		if answer.EqualFold(name, chain) || strconv.FormatUint(id, 10) == chain {
			m.Chain, m.ChainID = name, id
		}
	}
	hash, hashErr := hexutil.Decode(block)
	number, err := strconv.ParseUint(block, 10, 63)
	switch {
	case m.Chain == "":
		known := strings.Join(slices.Sorted(maps.Keys(s.chains)), ", ")
		q.Fail(blockParam, "not a block of one of these chains: "+known)
	case hashErr == nil && len(hash) == common.HashLength:
		m.Hash = (*common.Hash)(hash)
	case err != nil || strconv.FormatUint(number, 10) != block:
		q.Fail(blockParam, "not CHAIN:NUMBER or CHAIN:HASH; a hash is 0x and 64 hexadecimal digits")
	default:
		m.Number = number
	}
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
		err = q.Pay(pastCost, 0)
	}
	if err != nil {
		return past, cache, err
	}
	return s.pastState(q, st, m)
}

// allAt serves the list of tokens as of a moment. If the moment is a block, it leaves out tokens
// that are not on the block's chain. A token that had no published figure yet is listed as
// unavailable. If no token had one, the answer is 404.
func (s *supplyAPI) allAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	t := s.current(q.At)
	if t == nil {
		return nil, errNotLoaded
	}
	states := t.publication.States
	if err := q.Pay(pastCost*float64(len(states)), 0); err != nil {
		return nil, err
	}
	documents, cache := []supply.Document{}, fixedPolicy
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
			if m.ChainID == 0 || slices.Contains(st.Token.Chains(), m.Chain) {
				documents = append(documents, supply.State{Token: st.Token}.Document())
				cache = cache.Within(youngPolicy.Total())
			}
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
	if err := q.Pay(evidenceCost, 0); err != nil {
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
		cache = cache.Within(youngPolicy.Total()) // the snapshot may be added to the log later
	case err != nil:
		return nil, unavailable(err)
	}
	return answer.JSON(shown, cache)
}
