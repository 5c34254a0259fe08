// Package webhook tells configured addresses what changed in pets and figures:
// signed, in order, at least once. Begin at Sender.
package webhook

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The feeds, each with an order of its own.
const (
	Pets   = "pet"
	Supply = "supply"
)

// Events are all that there are, as a Hook may name them; a feed's name stands
// for all of its.
var Events = []string{Pets, "pet.appeared", "pet.changed", "pet.moved", "pet.burned", "pet.gone",
	Supply, "supply.published", "supply.held", "supply.released", "supply.corrected"}

// A Hook is a receiver, as the operator configured it.
type Hook struct {
	Name    string // what its place in the feeds is kept under
	URL     string
	Secret  Secret
	Events  []string // of Events; none are all
	Private bool     // its address may be private or this machine's own
}

// wants says whether the hook is told of events of that type.
func (h *Hook) wants(event string) bool {
	feed, _, _ := strings.Cut(event, ".")
	return len(h.Events) == 0 || slices.Contains(h.Events, event) || slices.Contains(h.Events, feed)
}

// wantsOf says whether the hook is told of any event of the feed.
func (h *Hook) wantsOf(feed string) bool {
	return len(h.Events) == 0 || slices.ContainsFunc(h.Events, func(e string) bool { return strings.HasPrefix(e, feed) })
}

var hookName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// CheckName says what is wrong with the name of a hook.
func CheckName(name string) error {
	if !hookName.MatchString(name) {
		return errors.New("want a name of at most 40 small letters, digits and hyphens")
	}
	return nil
}

// CheckURL says what is wrong with an address, never what it is.
func CheckURL(address string, private bool) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("want an address such as https://example.com/hook, without user, password and fragment")
	case u.Scheme == "http" && !private:
		return errors.New("want https; http is for receivers with private: true")
	}
	return nil
}

// CheckEvent says what is wrong with the name of an event.
func CheckEvent(event string) error {
	if !slices.Contains(Events, event) {
		return fmt.Errorf("no such event; want one of %s", strings.Join(Events, ", "))
	}
	return nil
}

// A Backlog is how far a hook has come.
type Backlog struct {
	Name      string
	Waiting   int64     // events that are behind its places in the feeds
	Delivered time.Time // the last one; zero: none yet
}
