package web

import (
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply"
	"petsupply/internal/web/answer"
)

var snapshotForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// moment reads at or block, and where the route knows it snapshot; nil: none was
// asked for.
func (s *supplyAPI) moment(q *answer.Request) (*supply.Moment, error) {
	query := answer.Query{Raw: q.URL.RawQuery}
	text, isBlock := query.Text(answer.BlockParam)
	m := supply.Moment{At: query.At(q.At)}
	isSnapshot, isTime := false, !m.At.IsZero()
	if slices.Contains(q.Route.Moments, answer.SnapshotParam) {
		m.Snapshot, isSnapshot = query.Text(answer.SnapshotParam)
	}
	switch {
	case isSnapshot && (isTime || isBlock):
		query.Fail(answer.SnapshotParam, "not taken together with a moment")
	case isSnapshot && !snapshotForm.MatchString(m.Snapshot):
		query.Fail(answer.SnapshotParam, "not the id of a snapshot")
	case isBlock && isTime:
		query.Fail(answer.BlockParam, "not taken together with at")
	case isBlock:
		s.block(&query, text, &m)
	case !isSnapshot && !isTime && query.Err == nil:
		return nil, nil
	}
	return &m, query.Err
}

// block reads CHAIN:NUMBER or CHAIN:HASH, the chain by its name or its id.
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
		q.Fail(answer.BlockParam, "not of a chain that is known here: "+strings.Join(slices.Sorted(maps.Keys(s.chains)), ", "))
	case hashErr == nil && len(hash) == common.HashLength:
		m.Hash = (*common.Hash)(hash)
	case err != nil || strconv.FormatUint(number, 10) != block:
		q.Fail(answer.BlockParam, "not CHAIN:NUMBER, nor CHAIN: and a hash of 0x and 64 hexadecimal digits")
	default:
		m.Number = number
	}
}

// A momentHandler answers as it was at a moment.
type momentHandler func(*answer.Request, *supply.Moment) (*answer.Response, error)

// byMoment answers what is now, or what was then where a moment is asked for.
func (s *supplyAPI) byMoment(now answer.Handler, then momentHandler) answer.Handler {
	return func(q *answer.Request) (*answer.Response, error) {
		m, err := s.moment(q)
		switch {
		case err != nil:
			return nil, err
		case m == nil:
			return now(q)
		case s.past == nil:
			return nil, answer.ErrNoPath
		}
		return then(q, m)
	}
}

// pastProblem is what a stranger may know of an error of the past.
func pastProblem(err error, what string) error {
	var early *supply.BeforeFirst
	var thin *supply.Thinned
	switch {
	case errors.As(err, &early):
		return answer.NotFound(early.Error())
	case errors.As(err, &thin):
		return &answer.Problem{Status: http.StatusGone, Detail: thin.Error(), Kept: thin.Kept}
	case errors.Is(err, supply.ErrNotFound):
		return answer.NotFound(what)
	}
	return answer.Unavailable(err)
}
