package site

import (
	"errors"
	"net/http"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

var (
	errNoPage = errors.New("there is no page at this address")
	errNoPets = errors.New("this service has no pets")
	errMethod = errors.New("pages are only read")
)

// trouble is the page for an error. A stranger learns what to do, not what
// went wrong inside.
func (s *Site) trouble(r *http.Request, err error) *view {
	v := &view{page: "error", status: http.StatusInternalServerError, title: "Something went wrong"}
	text := "Something went wrong on our side. Trying again in a moment often helps."
	switch {
	case errors.Is(err, pet.ErrBadID):
		v.status, v.title, text = http.StatusBadRequest, "Not a pet's number", "A pet's number is written in digits alone, without sign or leading zeros: 42, or 1000000000042 for number 42 of another realm."
	case errors.Is(err, pet.ErrBadPageToken), errors.Is(err, errFilter):
		v.status, v.title, text = http.StatusBadRequest, "That is not one of the choices", "Something in this address has a value that we do not offer. The gallery's filters lead to every pet."
	case errors.Is(err, pet.ErrNotFound):
		v.status, v.title, text = http.StatusNotFound, "No such pet", "Nobody with this number has hatched, as far as the realms can tell."
	case errors.Is(err, supply.ErrNotFound):
		v.status, v.title, text = http.StatusNotFound, "No such token", "The tokens that are published here are on the first page."
	case errors.Is(err, errNoPage), errors.Is(err, errNoPets):
		v.status, v.title, text = http.StatusNotFound, "Nothing lives here", "There is no page at this address."
	case errors.Is(err, errMethod):
		v.status, v.title, text = http.StatusMethodNotAllowed, "Pages are only read", "Nothing can be sent to this address; it answers GET and HEAD."
	case errors.Is(err, pet.ErrUnavailable):
		v.status, v.title, text = http.StatusServiceUnavailable, "It cannot be said right now", "This pet is not known here yet, and its realm does not answer at the moment. Try again in a few seconds."
	default:
		s.Log.Error("making a page", "path", r.URL.Path, "error", err)
	}
	v.data = text
	return v
}

// nothing answers for addresses that have no page, and for methods that a page
// does not know.
func (s *Site) nothing(r *http.Request) (*view, error) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		read := *r
		read.Method = http.MethodGet
		if _, pattern := s.mux.Handler(&read); pattern != "/" {
			return nil, errMethod
		}
	}
	return nil, errNoPage
}
