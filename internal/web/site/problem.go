package site

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

var (
	errNoPage  = errors.New("there is no page at this address")
	errNoPets  = errors.New("this service has no pets")
	errMethod  = errors.New("pages can only be read")
	errFilter  = errors.New("unknown filter value")
	errTooMany = errors.New("too many filter values at once")
	errMoment  = errors.New("not a valid time for this page")
	errFuture  = errors.New("this time is in the future")
	errLater   = errors.New("the store does not answer now")
)

// problems are the errors that readers see; the first that matches is used. The texts say what
// readers can do, not what failed inside. Site.say fills in {one} and {many}, and Site.marked shows
// words between backquotes as code. The table in package web has the texts for programs.
var problems = []struct {
	err         error
	status      int
	title, text string
}{
	{pet.ErrBadID, http.StatusBadRequest, "Not a valid number",
		"The number of a {one} has digits only and no leading zeros, such as 42, or " +
			"1000000000042 for number 42 of another realm."},
	{pet.ErrBadPageToken, http.StatusBadRequest, badFilter, tryFilters},
	{errFilter, http.StatusBadRequest, badFilter, tryFilters},
	{errTooMany, http.StatusBadRequest, "Too many filters",
		"These filters have too many values. Choose at most 32."},
	{errMoment, http.StatusBadRequest, "Not a valid time",
		"Pages of tokens accept a past time, such as `?at=2026-01-31` or `?at=2026-01-31T12:00`. " +
			"Other pages show the current state only."},
	{errFuture, http.StatusBadRequest, "This time has not come yet", "Choose a time in the past."},
	{pet.ErrBurned, http.StatusNotFound, "This {one} was burned", "It no longer exists in any realm."},
	{pet.ErrNotFound, http.StatusNotFound, "No such {one}",
		"No realm has a {one} with this number."},
	{supply.ErrNotFound, http.StatusNotFound, "No such token",
		"The home page lists all tokens that are published here."},
	{errNoPage, http.StatusNotFound, noPage, "There is no page at this address."},
	{errNoPets, http.StatusNotFound, noPage, "There is no page at this address."},
	{errMethod, http.StatusMethodNotAllowed, "Method not allowed",
		"Pages can only be read, with GET or HEAD."},
	{pet.ErrUnavailable, http.StatusServiceUnavailable, "Not available right now",
		"The data cannot be read at the moment. Try again in a few seconds."},
}

// retryUnavailable is how long readers should wait if the data cannot be read now.
const retryUnavailable = 5 * time.Second

const (
	badFilter  = "Unknown filter"
	tryFilters = "This address has a value that does not exist. Use the filters of the gallery instead."
	noPage     = "Page not found"
)

// limited is the error for too much costly work. Its value is the time to wait.
type limited time.Duration

func (limited) Error() string { return "too much costly work was requested" }

// A gone is the error for a page that exists, but not for the requested time.
type gone struct {
	title string
	trouble
}

func (g gone) Error() string { return g.title + ": " + g.Text }

// tooEarly returns the error for a time before the first data of a page.
func (s *Site) tooEarly(page string, first time.Time) error {
	return gone{"Too long ago", trouble{"Records begin on " + minute(first) + ".", []choice{
		{Name: "First record", Link: s.moment(page, first.Add(time.Second))}, {Name: "As it is now", Link: s.base + page}}}}
}

// burned returns the error for a burned pet. It says when that was, if the pet's history can be read.
func (s *Site) burned(ctx context.Context, id uint64) error {
	changes, err := s.Pets.History(ctx, id)
	if n := len(changes); err == nil && n > 0 && changes[n-1].Kind == pet.Burned {
		at := changes[n-1].At
		return gone{s.say("This {one} was burned"),
			trouble{Text: "That was on " + minute(at) + ". It no longer exists in any realm."}}
	}
	return pet.ErrBurned
}

// moment returns the address of a page as it was at a time.
func (s *Site) moment(page string, at time.Time) string {
	return s.base + page + "?at=" + strconv.FormatInt(at.Unix(), 10)
}

// A trouble is the content of an error page.
type trouble struct {
	Text  string
	Links []choice // to pages that readers may have meant
}

// problem returns the page for an error.
func (s *Site) problem(r *http.Request, err error) *page {
	section := ""
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, "/token/"):
		section = "home"
	case strings.HasPrefix(path, "/pet/"), strings.HasPrefix(path, "/gallery"):
		section = "gallery"
	}
	show := func(status int, retry time.Duration, title, text string) *page {
		t := trouble{Text: text}
		if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
			t.Links = []choice{{Name: "Try again"}} // an empty address means this page
		}
		return &page{template: "error", status: status, retry: retry, Title: title, Section: section, Data: t}
	}
	if wait, ok := errors.AsType[limited](err); ok {
		return show(http.StatusTooManyRequests, time.Duration(wait), "Too many requests",
			"Your address has sent too many requests. Try again in a few seconds.")
	}
	if g, ok := errors.AsType[gone](err); ok {
		return &page{template: "error", status: http.StatusNotFound, Title: g.title, Section: section, Data: g.trouble}
	}
	for _, p := range problems {
		if errors.Is(err, p.err) {
			return show(p.status, retryUnavailable, s.say(p.title), s.say(p.text))
		}
	}
	busy, ok := errors.AsType[interface {
		error
		Busy() bool
	}](err)
	if ok && busy.Busy() || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errLater) {
		return show(http.StatusServiceUnavailable, retryUnavailable, "One moment, please",
			"The service is busy. Try again in a few seconds.")
	}
	if now := time.Now().Unix() / 60; s.faultMinute.Swap(now) != now { // once a minute: callers could fill the log
		s.Log.Error("making a page failed", "path", r.URL.Path, "error", err)
	}
	return show(http.StatusInternalServerError, 0, "Something went wrong",
		"This is an error on our side. Try again in a moment.")
}

// unmatched answers requests for addresses without a page, and requests with a method that the page
// does not support.
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
