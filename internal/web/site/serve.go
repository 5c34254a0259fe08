package site

import (
	"bytes"
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply/ledger"
)

// serveNow is serve for pages that show the current state only.
func (s *Site) serveNow(handle func(*http.Request) (*page, error)) http.HandlerFunc {
	return s.serve(func(r *http.Request) (*page, error) {
		if r.URL.Query().Has("at") {
			return nil, errMoment
		}
		return handle(r)
	})
}

// serve turns a handler into an http.Handler. The page is complete before its first byte is sent.
func (s *Site) serve(handle func(*http.Request) (*page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p, err := handle(r)
		if err != nil && errors.Is(r.Context().Err(), context.Canceled) {
			return // the caller has left
		}
		if err != nil {
			p = s.problem(r, err)
		}
		s.send(w, r, p)
	}
}

// send answers with a page.
func (s *Site) send(w http.ResponseWriter, r *http.Request, p *page) {
	h := w.Header()
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Content-Security-Policy", s.policy)
	if p.redirect != "" {
		h.Set("Cache-Control", "no-store")
		http.Redirect(w, r, p.redirect, http.StatusSeeOther)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	if p.status == 0 {
		h.Set("Cache-Control", "no-cache")
		err := s.Send(w, r, func() ([]byte, error) { return s.fill(p) })
		if err != nil {
			s.send(w, r, s.problem(r, err))
		}
		return
	}
	h.Set("Cache-Control", "no-store")
	switch p.status {
	case http.StatusMethodNotAllowed:
		h.Set("Allow", "GET, HEAD")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retry.Seconds()))))
	}
	body, err := s.fill(p)
	if err != nil {
		s.Log.Error("making a page failed", "page", p.template, "error", err)
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.WriteHeader(p.status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body)
	}
}

// contentPolicy returns a Content-Security-Policy. It allows only the site's own scripts, styles
// and fonts. Pictures and requests may also use the three public addresses.
func contentPolicy(bases ...string) string {
	list := []string{"'self'"}
	for _, b := range bases {
		if u, err := url.Parse(b); err == nil {
			if o := u.Scheme + "://" + u.Host; !slices.Contains(list, o) {
				list = append(list, o)
			}
		}
	}
	origins := strings.Join(list, " ")
	return "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; manifest-src 'self'; " +
		"img-src " + origins + " data:; connect-src " + origins + "; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// A page is the decision of a handler: a template to fill, or an address to redirect to. Templates
// see the exported fields.
type page struct {
	template string
	status   int           // 0 means 200
	retry    time.Duration // with 429 and 503: how long to wait before trying again
	redirect string        // if set, no template is filled

	Title   string
	Section string // the entry of the menu to mark: "home", "gallery" …, or a token's path
	Card    *card  // how previews show a link to the page
	Live    bool   // the page may change while it is open, so it listens to the stream
	Past    bool   // the page shows an earlier state
	Data    any

	// Fields that are the same on every page; fill sets them.
	Demo     bool
	HasPets  bool
	Tokens   []*ledger.Token
	Operator string
}

// card has the data from which other sites make the preview of a link to the page.
type card struct {
	Title, Description, Image, URL string
	Width, Height                  int // size of Image
}

// bodySize is enough for most pages, in bytes.
const bodySize = 48 << 10

// fill makes the page's HTML.
func (s *Site) fill(p *page) ([]byte, error) {
	p.Demo, p.HasPets, p.Operator = s.Demo, s.Pets != nil, s.About.Operator
	for _, st := range s.Board.Now().States {
		p.Tokens = append(p.Tokens, st.Token)
	}
	if s.Demo && p.Card != nil {
		p.Card.Description = s.say("A demo with invented figures and {many}. ") + p.Card.Description
	}
	var body bytes.Buffer
	body.Grow(bodySize)
	err := s.pages[p.template].Execute(&body, p)
	return body.Bytes(), err
}
