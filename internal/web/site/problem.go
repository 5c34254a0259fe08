package site

import (
	"context"
	"errors"
	"net/http"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

var (
	errNoPage  = errors.New("there is no page at this address")
	errNoPets  = errors.New("this service has no pets")
	errMethod  = errors.New("pages are only read")
	errFilter  = errors.New("unknown filter value")
	errTooMany = errors.New("too many filter values at once")
	errMoment  = errors.New("pages tell only what is now")
	errLater   = errors.New("the store does not answer now")
)

// problems are the errors that readers see; the first that fits counts. The texts
// say what to do, not what went wrong inside; see Site.say. The table in package web has other
// words for the same errors, for programs.
var problems = []struct {
	err         error
	status      int
	title, text string
}{
	{pet.ErrBadID, http.StatusBadRequest, "Not a {one}'s number",
		"A {one}'s number is written in digits alone, without sign or leading zeros: 42, " +
			"or 1000000000042 for number 42 of another realm."},
	{pet.ErrBadPageToken, http.StatusBadRequest, badFilter, tryFilters},
	{errFilter, http.StatusBadRequest, badFilter, tryFilters},
	{errTooMany, http.StatusBadRequest, "Too many values at once",
		"Each combination of the chosen values is looked up on its own. Choose fewer values."},
	{errMoment, http.StatusBadRequest, "Not a moment of this page",
		"The pages of tokens and {many} take at, a time that is past, such as 2026-01-31T12:00; " +
			"the others tell only what is now."},
	{pet.ErrBurned, http.StatusNotFound, "This {one} was burned", "No realm has it any more."},
	{pet.ErrNotFound, http.StatusNotFound, "No such {one}",
		"No {one} has this number, as far as the realms can tell."},
	{supply.ErrNotFound, http.StatusNotFound, "No such token",
		"The tokens that are published here are on the first page."},
	{errNoPage, http.StatusNotFound, noPage, "There is no page at this address."},
	{errNoPets, http.StatusNotFound, noPage, "There is no page at this address."},
	{errMethod, http.StatusMethodNotAllowed, "Pages are only read",
		"Nothing can be sent to this address; it answers GET and HEAD."},
	{pet.ErrUnavailable, http.StatusServiceUnavailable, "It cannot be said right now",
		"This {one} is not known here yet, and its realm does not answer at the moment. Try again in a few seconds."},
}

// retryUnavailable is when it is worth asking again for what cannot be said now.
const retryUnavailable = 5 * time.Second

const (
	badFilter  = "That is not one of the choices"
	tryFilters = "Something in this address has a value that we do not offer. The gallery's filters lead to every {one}."
	noPage     = "Nothing lives here"
)

// limited is the error of a caller who asked for too much costly work, and how
// long to wait.
type limited time.Duration

func (limited) Error() string { return "too much costly work was asked for" }

// tooEarly is the error of a moment before the first.
type tooEarly time.Time

func (e tooEarly) Error() string {
	return "The first moment that can be told of is " + time.Time(e).UTC().Format("2 Jan 2006, 15:04:05 UTC") + "."
}

// problem is the page for an error.
func (s *Site) problem(r *http.Request, err error) *page {
	if wait, ok := errors.AsType[limited](err); ok {
		return &page{
			template: "error", status: http.StatusTooManyRequests, retry: time.Duration(wait), Title: "One moment, please",
			Data: "Too much was asked for from this address. Try again in a few seconds.",
		}
	}
	if early, ok := errors.AsType[tooEarly](err); ok {
		return &page{template: "error", status: http.StatusNotFound, Title: "Too long ago", Data: early.Error()}
	}
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return &page{template: "error", status: p.status, retry: retryUnavailable,
				Title: s.say(p.title), Data: s.say(p.text)}
		}
	}
	busy, ok := errors.AsType[interface {
		error
		Busy() bool
	}](err)
	if ok && busy.Busy() || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errLater) {
		return &page{template: "error", status: http.StatusServiceUnavailable, retry: retryUnavailable,
			Title: "One moment, please", Data: "Many pages are being read at the moment. Try again in a few seconds."}
	}
	if now := time.Now().Unix() / 60; s.faultMinute.Swap(now) != now { // callers choose how many there are
		s.Log.Error("making a page", "path", r.URL.Path, "error", err)
	}
	return &page{template: "error", status: http.StatusInternalServerError, Title: "Something went wrong",
		Data: "Something went wrong on our side. Trying again in a moment often helps."}
}

// unmatched answers for addresses that have no page, and for methods that a
// page does not know.
func (s *Site) unmatched(r *http.Request) (*page, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		read := *r
		read.Method = http.MethodGet
		if _, pattern := s.mux.Handler(&read); pattern != "/" {
			return nil, errMethod
		}
	}
	return nil, errNoPage
}
