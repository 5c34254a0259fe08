package web

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/turns"
	"petsupply/internal/web/answer"
)

// retryLater is how long callers should wait before they retry, if nothing better is known.
const retryLater = 10 * time.Second

// problems are the errors that have a meaning to callers. {one} is replaced by the collection's
// word for a pet.
var problems = []struct {
	err error
	answer.Problem
}{
	{pet.ErrBadID, answer.Problem{
		Status: http.StatusBadRequest,
		Detail: "the id of a {one} must be decimal digits without a sign or leading zero"}},
	{pet.ErrBadPageToken, answer.Problem{
		Status: http.StatusBadRequest, Param: "cursor",
		Detail: "query parameter cursor does not come from a listing of this service"}},
	{pet.ErrBurned, answer.Problem{
		Status: http.StatusNotFound, Detail: "this {one} was burned: no realm has it any more"}},
	{pet.ErrNotFound, answer.Problem{Status: http.StatusNotFound, Detail: "no such {one}"}},
	{supply.ErrNotFound, answer.Problem{Status: http.StatusNotFound, Detail: "not found"}},
	{pet.ErrUnavailable, answer.Problem{
		Status: http.StatusServiceUnavailable, Detail: "this {one} cannot be looked up now", Retry: retryLater}},
	{context.DeadlineExceeded, answer.Problem{
		Status: http.StatusServiceUnavailable, Detail: "the request took too long", Retry: retryLater}},
	{context.Canceled, answer.Problem{
		Status: http.StatusServiceUnavailable, Detail: "the request took too long", Retry: retryLater}},
}

// problemsAbout returns a function like problemOf. Its texts use the collection's word for a pet.
func problemsAbout(words *pet.Words) func(error) *answer.Problem {
	one := "pet"
	if words != nil {
		one = words.Collection.One
	}
	return func(err error) *answer.Problem {
		p := *problemOf(err)
		p.Detail = strings.ReplaceAll(p.Detail, "{one}", one)
		return &p
	}
}

// problemOf maps an error to the problem that callers may see. An error that is neither a Problem
// nor in the table is an internal error, and its text is not shown.
func problemOf(err error) *answer.Problem {
	if known, ok := errors.AsType[*answer.Problem](err); ok {
		return known
	}
	if busy, ok := errors.AsType[turns.Busy](err); ok {
		return &answer.Problem{
			Status: http.StatusServiceUnavailable, Detail: "too many " + busy.Work + " are requested now",
			Retry:  turns.RetryAfter,
			Reason: busy.Work,
		}
	}
	if unread, ok := errors.AsType[*pet.NotYetRead](err); ok {
		return &answer.Problem{
			Status: http.StatusServiceUnavailable, Retry: retryLater,
			Detail: "this {one} is not known yet: " + unread.Reason,
		}
	}
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return &p.Problem
		}
	}
	return &answer.Problem{Status: http.StatusInternalServerError, Detail: "internal error"}
}

// unavailable turns an internal error, such as one of the store, into a 503: the caller did nothing
// wrong and may try again. Errors that mean something to callers stay as they are.
func unavailable(err error) error {
	if err == nil || problemOf(err).Status != http.StatusInternalServerError {
		return err
	}
	return &answer.Problem{
		Status: http.StatusServiceUnavailable, Retry: retryLater, Cause: err,
		Detail: "the data cannot be looked up now",
	}
}

// pastProblem returns the problem that callers may see if the past cannot be read. The argument
// missing is the text for supply.ErrNotFound.
func pastProblem(err error, missing string) error {
	if early, ok := errors.AsType[*supply.BeforeFirst](err); ok {
		return answer.NotFound(early.Error())
	}
	if thinned, ok := errors.AsType[*supply.Thinned](err); ok {
		p := &answer.Problem{Status: http.StatusGone, Detail: thinned.Error()}
		if len(thinned.Kept) > 0 {
			p.Members = map[string]any{"kept": thinned.Kept}
		}
		return p
	}
	if errors.Is(err, supply.ErrNotFound) {
		return answer.NotFound(missing)
	}
	return unavailable(err)
}

// noFigure returns the problem for a token that has no acceptable figure.
func noFigure(st supply.State) error {
	if st.Status == supply.Withdrawn {
		return &answer.Problem{
			Status: http.StatusServiceUnavailable, Retry: retryLater,
			Detail:  "the figure of " + st.Token.Symbol + " is withdrawn: " + st.Correction.Reason,
			Members: map[string]any{"correction": st.Correction},
		}
	}
	return &answer.Problem{
		Status: http.StatusServiceUnavailable, Retry: retryLater,
		Detail: "there is no acceptable figure of " + st.Token.Symbol + " now",
	}
}
