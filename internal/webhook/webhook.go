// Package webhook sends events about pets and figures to configured addresses. The events are signed
// and in order. Each arrives at least once. Begin with Sender.
package webhook

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"petsupply/internal/yamlfile"
)

// The names of the feeds. Events are in order only within a feed.
const (
	Pets   = "pet"
	Supply = "supply"
)

// events are the values of Hook.Events. A feed's name means all of its events.
var events = []string{Pets, "pet.appeared", "pet.changed", "pet.moved", "pet.burned", "pet.gone",
	Supply, "supply.published", "supply.held", "supply.released", "supply.corrected",
	"supply.restored"}

// A Hook is an address that receives events as signed requests.
type Hook struct {
	// Its name in logs, in metrics and on the status page. The store remembers by this name which
	// events were sent. A webhook with a new name starts with the next event.
	Name string `yaml:"name" jsonschema:"required"`
	// Its https address. If the address contains a key, write $NAME and set NAME in the
	// environment.
	URL string `yaml:"url" jsonschema:"required" secret:"true"`
	// The secret with which the receiver verifies requests: whsec_, followed by 24 to 64 random
	// bytes in base64, as openssl rand -base64 32 prints them. To replace a secret, list the old
	// and the new one for a while.
	Secret Secrets `yaml:"secret" jsonschema:"required" secret:"true"`
	// Events to send: pet (all events of pets), supply (all events of figures), or single events
	// such as pet.moved and supply.held. Default: all events.
	Events []string `yaml:"events,omitempty"`
	// Allows plain http, private addresses and loopback addresses.
	Private bool `yaml:"private,omitempty"`
}

// wants reports whether events of that type are sent to the hook.
func (h *Hook) wants(event string) bool {
	feed, _, _ := strings.Cut(event, ".")
	return len(h.Events) == 0 || slices.Contains(h.Events, event) || slices.Contains(h.Events, feed)
}

// wantsFeed reports whether any event of the feed is sent to the hook.
func (h *Hook) wantsFeed(feed string) bool {
	ofFeed := func(event string) bool { return strings.HasPrefix(event, feed) }
	return len(h.Events) == 0 || slices.ContainsFunc(h.Events, ofFeed)
}

var hookName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// CheckHooks reports all faults of the hooks of a configuration. A path is like webhooks[0].url. No
// fault quotes an address or a secret.
func CheckHooks(hooks []Hook, fault func(path, format string, args ...any)) {
	names := map[string]bool{}
	for i, h := range hooks {
		path := fmt.Sprintf("webhooks[%d]", i)
		if !hookName.MatchString(h.Name) {
			fault(path+".name", "want a name of at most 40 small letters, digits and hyphens")
		} else if names[h.Name] {
			fault(path+".name", "another webhook is named %s too", h.Name)
		}
		names[h.Name] = true
		u, err := url.Parse(h.URL)
		switch {
		case err != nil || u.Scheme != "http" && u.Scheme != "https",
			u.Hostname() == "" || u.User != nil || u.Fragment != "":
			fault(path+".url", "want an address such as https://example.com/hook, without user, password and fragment")
		case u.Scheme == "http" && !h.Private:
			fault(path+".url", "want https; http is for receivers with private: true")
		}
		h.Secret.check(path+".secret", fault)
		for k, e := range h.Events {
			if !slices.Contains(events, e) {
				fault(fmt.Sprintf("%s.events[%d]", path, k), "%q is not an event; %swant one of %s",
					e, yamlfile.DidYouMean(e, events...), strings.Join(events, ", "))
			}
		}
	}
}

// A Backlog says how many events of a hook are waiting, how many were skipped, and when it last
// received one.
type Backlog struct {
	Name      string
	Waiting   int64     // events after the hook's cursors, including events that the hook does not want
	Skipped   int64     // events that the receiver refused for a day
	Delivered time.Time // the last delivery; zero if there was none
}
