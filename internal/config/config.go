// Package config turns a YAML file and the environment into a checked Config.
// Call Load; its error lists every fault with the line that it stands on.
package config

import (
	"net/netip"
	"reflect"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// A Config is what the operator settled. Its fields are named as in the file.
// The comments of this and of every type below it are the reference of the file
// (docs/CONFIG.md) and its schema: make docs writes both.
type Config struct {
	// Public address of the supply interface. If the three addresses share one
	// host, requests are told apart by path, else by host. Default:
	// http://localhost:8080/supply, on the port of --listen.
	SupplyURL string `yaml:"supply_url"`
	// Public address of the pets interface. Default: http://localhost:8080/pets.
	PetsURL string `yaml:"pets_url"`
	// Public address of the site. Default: http://localhost:8080.
	SiteURL string `yaml:"site_url"`
	// Where figures and pets are kept: sqlite:///path/to/file.db or postgres://….
	// Default: petsupply.db in the directory that --data names.
	Store string `yaml:"store,omitempty"`
	// A streaming replica of a PostgreSQL store: pets, their listings and the feed of their
	// changes are read there. One server, not an address behind which there are
	// several. Default: everything is read from the store itself.
	StoreReads string `yaml:"store_reads,omitempty"`
	// Where drawn pictures are kept beside memory: file:///directory or
	// s3://bucket?endpoint=https://host&region=name. Default: nowhere.
	Blobs string `yaml:"blobs,omitempty"`
	// Art packs: directories, zip files, or embedded. The first is current, the
	// others stay live for old links.
	Packs []string `yaml:"packs"`
	// How often tokens are measured, and how long a figure is good.
	Refresh Refresh `yaml:"refresh"`
	// How realms are followed.
	Index Index `yaml:"index"`
	// How long an instance leads without renewing its lease of the store.
	Lease time.Duration `yaml:"lease"`
	// Bounds of the costly work that strangers can ask for.
	Limits Limits `yaml:"limits"`
	// The pets as a whole, for marketplaces.
	Collection Collection `yaml:"collection"`
	// Certificate of the public listener. Default: plain HTTP, for a proxy in front.
	TLS *TLS `yaml:"tls,omitempty"`
	// The log of everything that is published, which nobody can change unseen.
	TLog TLog `yaml:"tlog"`
	// Who is told what changes in pets and figures. Default: nobody.
	Webhooks []Webhook `yaml:"webhooks,omitempty"`
	// The networks, by a name of your choice that entries and realms refer to.
	Chains map[string]Chain `yaml:"chains"`
	// The tokens whose supply is published, in the order in which they are shown.
	// None: the supply interface answers 404.
	Tokens []ledger.Token `yaml:"tokens"`
	// The pet contracts. None: the pets interface answers 404.
	Realms []pet.Realm `yaml:"realms"`
}

// Refresh says how often tokens are measured and how long a figure is good.
type Refresh struct {
	// How often every token is measured.
	Every time.Duration `yaml:"every"`
	// A figure that no measurement has confirmed for so long is marked stale.
	StaleAfter time.Duration `yaml:"stale_after"`
	// A figure of that age is refused with 503 rather than answered.
	RefuseAfter time.Duration `yaml:"refuse_after"`
	// Further measurements that let a held figure through, where its ledger is
	// unchanged and the token's release is not by-hand.
	Confirmations int `yaml:"confirmations"`
}

// Rules are how measurements are judged.
func (r Refresh) Rules() supply.Rules {
	return supply.Rules{Confirmations: r.Confirmations, Repeat: r.StaleAfter / 2}
}

// Index says how realms are followed.
type Index struct {
	// How often the realms are asked for changes.
	Every time.Duration `yaml:"every"`
	// How long the changes that were seen in pets are kept, 1h at least. Default:
	// for ever.
	KeepChanges time.Duration `yaml:"keep_changes,omitempty"`
}

// Limits bounds the costly work that strangers can ask for.
type Limits struct {
	// Pictures that are drawn at the same time.
	MaxRenders int `yaml:"max_renders"`
	// Pictures that may wait to be drawn; more are refused with 503.
	Queue int `yaml:"queue"`
	// Costly work (pictures, listings, reads through to a chain) for one address:
	// 50/s, 300/m or off. Answers from memory are never limited.
	PerIP Rate `yaml:"per_ip"`
	// Networks of proxies whose X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix `yaml:"trusted_proxies"`
}

// Collection describes the pets as a whole, for marketplaces (ERC-7572).
type Collection struct {
	// What the collection is called.
	Name string `yaml:"name"`
	// A sentence about it.
	Description string `yaml:"description"`
	// Address of a picture for it.
	Image string `yaml:"image"`
	// Its own site.
	ExternalLink string `yaml:"external_link"`
}

// TLS names the certificate files of the public listener.
type TLS struct {
	// File with the certificate chain, in PEM.
	Cert string `yaml:"cert" jsonschema:"required"`
	// File with the private key, in PEM.
	Key string `yaml:"key" jsonschema:"required"`
}

// A Webhook is an address that is told what changes, by signed requests.
type Webhook struct {
	// What it is called in logs, metrics and on the status page, and what its place
	// in the feeds is kept under: by another name it begins anew.
	Name string `yaml:"name" jsonschema:"required"`
	// Its address, https, often with a key in it: write $NAME and put it into the
	// environment.
	URL string `yaml:"url" jsonschema:"required"`
	// By which the receiver knows that a request is ours, secret: whsec_ and 24 to
	// 64 random bytes in base64, as openssl rand -base64 32 makes them.
	Secret string `yaml:"secret" jsonschema:"required"`
	// Of what it is told: pet, supply, or single events such as pet.moved and
	// supply.held. Default: of everything.
	Events []string `yaml:"events,omitempty"`
	// Whether its address may be private or the machine's own, and plain http.
	Private bool `yaml:"private,omitempty"`
}

// MaxFile bounds a file; a ledger of 10,000 entries fits.
const MaxFile = 8 << 20

// A Check looks at a configuration and says what is wrong with it.
type Check = func(*Config) []Fault

// Load reads the file's text and checks it, by more checks too if there are
// some. The error is a *Faults that lists everything that is wrong with it.
func Load(name string, text []byte, getenv func(string) string, more ...Check) (*Config, error) {
	if len(text) > MaxFile {
		return nil, &Faults{File: name, List: []Fault{{Text: "larger than 8 MB"}}}
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, &Faults{File: name, List: []Fault{notYAML(err)}, text: text}
	}
	cfg := defaults()
	d := &decoder{getenv: getenv, lines: map[string]int{}}
	switch n := len(file.Docs); {
	case n > 1:
		d.fault("", file.Docs[1].Body, "holds more than one document")
	case n == 1 && file.Docs[0].Body != nil:
		if _, empty := file.Docs[0].Body.(*ast.CommentGroupNode); !empty {
			d.value("", file.Docs[0].Body, reflect.ValueOf(cfg).Elem())
		}
	}
	cfg.complete()
	found := cfg.check()
	for _, check := range more {
		found = append(found, check(cfg)...)
	}
	if faults := d.merge(found, len(cfg.Chains) == 0); len(faults) > 0 {
		return nil, &Faults{File: name, List: faults, text: text}
	}
	return cfg, nil
}
