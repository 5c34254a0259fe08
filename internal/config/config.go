// Package config turns a YAML file and the environment into a checked Config. Call Load. Its error
// lists every fault with its line.
package config

import (
	"cmp"
	"fmt"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/webhook"
	"petsupply/internal/yamlfile"
)

// A Config has the values of the file. A test with -update copies the comments of its fields, and
// of the fields below them, to the reference (docs/CONFIG.md) and the schema.
type Config struct {
	// Public address of the supply interface. If supply_url, pets_url and site_url share one host,
	// requests are routed by path, otherwise by host. The defaults use the port of --listen.
	// Default: http://localhost:8080/supply.
	SupplyURL string `yaml:"supply_url"`
	// Public address of the pets interface. Default: http://localhost:8080/pets.
	PetsURL string `yaml:"pets_url"`
	// Public address of the site. Default: http://localhost:8080.
	SiteURL string `yaml:"site_url"`
	// Where figures and pets are kept: sqlite:///path/to/file.db or postgres://….
	// A relative path, sqlite://file.db, is relative to the configuration file. Default:
	// petsupply.db in the directory that --data names.
	Store string `yaml:"store,omitempty" secret:"true"`
	// Art packs: directories, or embedded for the built-in pack. Relative names are relative to the
	// configuration file. New pictures come from the first pack. The others keep links to old
	// pictures working.
	Packs []string `yaml:"packs"`
	// How often tokens are measured, and how long a figure is valid.
	Refresh Refresh `yaml:"refresh"`
	// How often realms are read, and how long changes of pets are kept.
	Index Index `yaml:"index"`
	// The leader is the one instance that measures and writes. If it does not renew its lease in
	// the store for this long, another instance becomes the leader.
	Lease time.Duration `yaml:"lease"`
	// Limits for the costly work that callers can cause.
	Limits Limits `yaml:"limits"`
	// The collection: pets (built in), or a file that describes another one. docs/COLLECTIONS.md
	// explains such files.
	Collection Collection `yaml:"collection"`
	// Who runs the service. The site shows it.
	About About `yaml:"about,omitempty"`
	// Certificate of the public listener. Default: plain HTTP, for use behind a proxy.
	TLS *TLS `yaml:"tls,omitempty"`
	// The append-only log of everything that is published.
	TLog TLog `yaml:"tlog"`
	// Addresses to which events about pets and figures are sent. Default: none.
	Webhooks []webhook.Hook `yaml:"webhooks,omitempty"`
	// The networks, each with a name that ledger entries and realms refer to.
	Chains map[string]Chain `yaml:"chains"`
	// The tokens whose supply is published, in the order in which they are shown.
	// Without tokens the supply interface answers 404.
	Tokens []ledger.Token `yaml:"tokens"`
	// The pet contracts. Without realms the pets interface answers 404.
	Realms []pet.Realm `yaml:"realms"`

	collection *collection.Collection // set by SetCollection
}

// Refresh says how often tokens are measured and how long a figure is valid. It also says when a
// held figure is released. A new figure is held (not published yet) if it changes by more than the
// token's `max_change`. It is also held if the sum of all sides of a burn-and-mint bridge rises by
// more than its `slack`.
type Refresh struct {
	// How often every token is measured.
	Every time.Duration `yaml:"every"`
	// A figure that no measurement has confirmed for this long is marked stale.
	StaleAfter time.Duration `yaml:"stale_after"`
	// How long a figure is served after its `asOf`, the time for which it is known to be right.
	// After that, the answer is 503.
	RefuseAfter time.Duration `yaml:"refuse_after"`
	// How long further measurements must agree with a held figure to release it. If its ledger has
	// changed, or the token has `release: by-hand`, measurements do not release it. Default: the
	// longer of 10m and five refreshes.
	HoldFor time.Duration `yaml:"hold_for,omitempty"`
}

// Rules returns the rules for accepting measurements.
func (r Refresh) Rules() supply.Rules {
	hold := cmp.Or(r.HoldFor, max(10*time.Minute, 5*r.Every))
	return supply.Rules{Every: r.Every, HoldFor: hold, Repeat: r.StaleAfter / 2}
}

// Index says how often realms are read and how long changes of pets are kept.
type Index struct {
	// How often the service checks the realms for changes.
	Every time.Duration `yaml:"every"`
	// How long changes of pets are kept, at least 1h. Default: forever.
	KeepChanges time.Duration `yaml:"keep_changes,omitempty"`
}

// Limits bounds the costly work that callers can cause. Figures and other answers that are ready in
// memory are never limited. The other limits are fixed:
//
// Pictures, pages and long lists wait for a processor, first come first served. All processors but one
// work on them, so that ready answers never wait. One address may use half of these processors, and its
// other requests wait in a line of their own, so that slow work for one address leaves room for others.
// At most 1,024 requests wait, 32 of them from one address, which is room for a page full of pictures.
// None waits for more than 5 seconds, because clients give up then. Reads of many rows wait in the same
// way for half of the store's connections. The other half is for reads of single pets. So a store that
// does not answer stops neither pictures nor figures. Requests that find no place get 503 with
// Retry-After.
//
// Bodies that were made for one request, and are not sent yet, take at most a quarter of the memory
// limit. One address gets a sixteenth of that, or 4 MB if that is more, which is room for the largest
// body. Further requests get 503 at once: waiting would take memory too. A caller that does not
// read its answer within 30 seconds loses its connection. An HTTP/2 connection has at most 20 streams,
// because browsers seldom use more at once.
type Limits struct {
	// How many milliseconds of CPU time one IP address may use in a second for costly work: pictures,
	// pages and listings. 0 means no limit. Answers that are ready in memory are never limited.
	PerIP uint64 `yaml:"per_ip"`
	// Whether `per_ip` limits private and loopback addresses too. They may be proxies.
	Private bool `yaml:"private"`
	// Networks of the proxies whose X-Forwarded-For is trusted to name the client's address.
	TrustedProxies []netip.Prefix `yaml:"trusted_proxies"`
}

// Collection says which collection is served. To set only the file, write `collection: FILE`. The
// other keys are for marketplaces (ERC-7572).
type Collection struct {
	// pets, or the name of a collection file. A relative name is relative to the configuration
	// file.
	File string `yaml:"file"`
	// Name of the collection. Default: the name in the collection file.
	Name string `yaml:"name"`
	// A sentence about the collection. Default: the description in the collection file.
	Description string `yaml:"description"`
	// Address of a picture of the collection.
	Image string `yaml:"image"`
	// Address of the collection's site.
	ExternalLink string `yaml:"external_link"`
}

// About says who runs the service.
type About struct {
	// Who runs the service: a person, a company or a project.
	Operator string `yaml:"operator,omitempty"`
	// Address of the operator's site.
	Website string `yaml:"website,omitempty"`
	// Where users ask questions and report errors: an e-mail address or the address of a page.
	Contact string `yaml:"contact,omitempty"`
	// Terms under which figures and metadata may be used, such as CC0-1.0. The pictures have the
	// licence of their pack.
	Licence string `yaml:"licence,omitempty"`
	// A few sentences about the service.
	Text string `yaml:"text,omitempty"`
	// Address of the page that has the source code of the program that runs here.
	Source string `yaml:"source,omitempty"`
}

// check reports the faults of the values.
func (a About) check(add addFault) {
	for _, page := range []struct{ key, value string }{{"website", a.Website}, {"source", a.Source}} {
		if fault := siteFault(page.value, "example.com"); page.value != "" && fault != "" {
			add("about."+page.key, "%s", fault)
		}
	}
	if mailbox, err := mail.ParseAddress(a.Contact); a.Contact != "" && (err != nil || mailbox.Address != a.Contact) {
		if siteFault(a.Contact, "") != "" {
			add("about.contact", "%q is neither an e-mail address nor the address of a page, "+
				"such as https://example.com/contact", a.Contact)
		}
	}
	for _, text := range []struct{ key, value string }{
		{"operator", a.Operator}, {"licence", a.Licence}, {"text", a.Text},
	} {
		if len(text.value) > maxAboutText {
			add("about."+text.key, "has %d bytes, more than %d", len(text.value), maxAboutText)
		}
	}
}

// maxAboutText bounds the texts of About, in bytes.
const maxAboutText = 2000

// TLS names the certificate files of the public listener. Relative names are relative to the
// configuration file.
type TLS struct {
	// File with the certificate chain, in PEM.
	Cert string `yaml:"cert" jsonschema:"required"`
	// File with the private key, in PEM.
	Key string `yaml:"key" jsonschema:"required"`
}

// MaxFile bounds the size of a configuration file, in bytes. A ledger of 10,000 entries fits.
const MaxFile = 8 << 20

// A Fault is a mistake in a file.
type Fault = yamlfile.Fault

// A Check returns the faults of a configuration.
type Check = func(*Config) []Fault

// Load reads and checks the text of a file. After the usual checks, it runs those in more. If name
// is empty, Load returns the defaults. The error is a *yamlfile.Faults, which lists all faults.
func Load(name string, text []byte, getenv func(string) string, more ...Check) (*Config, error) {
	cfg := defaults()
	r := yamlfile.Reader{Getenv: getenv, Max: MaxFile, Set: setValue}
	check := func() []Fault {
		cfg.complete()
		found := cfg.check()
		for _, check := range more {
			known := found
			for _, f := range check(cfg) { // a second fault at the same path is a result of the first
				if !slices.ContainsFunc(known, func(k Fault) bool { return k.Path == f.Path }) {
					found = append(found, f)
				}
			}
		}
		return found
	}
	if name == "" {
		check()
		return cfg, nil
	}
	if err := r.Read(name, text, cfg, check); err != nil {
		return nil, err
	}
	return cfg, nil
}

// setValue sets a length of time (days and weeks are allowed), a time or date, or a range of IP
// addresses. known is false if into has another type.
func setValue(into any, text string) (known bool, err error) {
	switch v := into.(type) {
	case *time.Duration:
		*v, err = ledger.ParseDuration(text)
	case *time.Time:
		if *v, err = time.Parse(time.DateOnly, text); err != nil {
			*v, err = time.Parse(time.RFC3339, text)
		}
		if err != nil {
			err = fmt.Errorf("%q is not a time; write it like 2026-12-01 or 2026-12-01T12:00:00Z", text)
		}
	case *netip.Prefix:
		if *v, err = netip.ParsePrefix(text); err != nil {
			err = fmt.Errorf("%q is not a network; write it like 10.0.0.0/8, or 10.0.0.1/32 for one address", text)
		}
	default:
		return false, nil
	}
	return true, err
}

// StoreName returns the file of the store, or its address without user and password.
func (c *Config) StoreName() string {
	if file, ok := strings.CutPrefix(c.Store, "sqlite://"); ok {
		return file
	}
	u, err := url.Parse(c.Store)
	if err != nil {
		return "the configured store"
	}
	name := u.Scheme + "://" + u.Host + u.Path
	if host := u.Query().Get("host"); host != "" { // a server, or the directory of its socket
		name += "?host=" + host
	}
	return name
}
