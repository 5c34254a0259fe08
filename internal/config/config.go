// Package config turns a YAML file and the environment into a checked Config.
// Call Load; its error lists every fault with the line that it stands on.
package config

import (
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A Config is what the operator settled. Its fields are named as in the file.
type Config struct {
	SupplyURL  string           `yaml:"supply_url"`
	PetsURL    string           `yaml:"pets_url"`
	SiteURL    string           `yaml:"site_url"`
	Store      string           `yaml:"store,omitempty"` // empty: a file under --data
	Blobs      string           `yaml:"blobs,omitempty"`
	Packs      []string         `yaml:"packs"`
	Refresh    Refresh          `yaml:"refresh"`
	Index      Index            `yaml:"index"`
	Lease      time.Duration    `yaml:"lease"`
	Limits     Limits           `yaml:"limits"`
	Collection Collection       `yaml:"collection"`
	TLS        *TLS             `yaml:"tls,omitempty"`
	Chains     map[string]Chain `yaml:"chains"`
	Tokens     []supply.Token   `yaml:"tokens"`
	Realms     []pet.Realm      `yaml:"realms"`
}

// Refresh says how often tokens are measured and how long a figure is good.
type Refresh struct {
	Every         time.Duration `yaml:"every"`
	StaleAfter    time.Duration `yaml:"stale_after"`
	RefuseAfter   time.Duration `yaml:"refuse_after"`
	Confirmations int           `yaml:"confirmations"` // further measurements that let a held figure through, where its ledger is unchanged and release is not by-hand
}

// Index says how often the realms are asked for changes.
type Index struct {
	Every time.Duration `yaml:"every"`
}

// Limits bounds the costly work that strangers can ask for.
type Limits struct {
	MaxRenders     int            `yaml:"max_renders"`
	Queue          int            `yaml:"queue"`
	PerIP          Rate           `yaml:"per_ip"`
	TrustedProxies []netip.Prefix `yaml:"trusted_proxies"`
}

// Collection describes the pets as a whole, for marketplaces.
type Collection struct {
	Name         string `yaml:"name"`
	Description  string `yaml:"description"`
	Image        string `yaml:"image"`
	ExternalLink string `yaml:"external_link"`
}

// TLS names the certificate files of the public listener.
type TLS struct {
	Cert string `yaml:"cert"`
	Key  string `yaml:"key"`
}

// A Fault is one thing wrong with a file.
type Fault struct {
	Line int    // 0: the file as a whole
	Path string // such as tokens[1].ledger[3].chain
	Text string
}

// Faults is every fault of a file, in its order.
type Faults struct {
	File string
	List []Fault
}

func (f *Faults) Error() string {
	lines := make([]string, len(f.List))
	for i, x := range f.List {
		where := f.File
		if x.Line > 0 {
			where += fmt.Sprintf(":%d", x.Line)
		}
		if x.Path != "" {
			where += ": " + x.Path
		}
		lines[i] = where + ": " + x.Text
	}
	return strings.Join(lines, "\n")
}

// maxFile bounds a file; a ledger of 10,000 entries fits.
const maxFile = 8 << 20

// Load reads the file's text. The error is a *Faults that lists everything
// that is wrong with it.
func Load(name string, text []byte, getenv func(string) string) (*Config, error) {
	if len(text) > maxFile {
		return nil, &Faults{File: name, List: []Fault{{Text: "larger than 8 MB"}}}
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		return nil, &Faults{File: name, List: []Fault{{Text: "not YAML: " + first}}}
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
	if len(d.faults) == 0 { // what cannot be read cannot be judged
		cfg.complete()
		for _, f := range cfg.check() {
			f.Line = lineOf(d.lines, f.Path)
			d.faults = append(d.faults, f)
		}
	}
	if len(d.faults) > 0 {
		slices.SortStableFunc(d.faults, func(a, b Fault) int { return a.Line - b.Line })
		return nil, &Faults{File: name, List: d.faults}
	}
	return cfg, nil
}

// lineOf finds the line of path, or of the nearest thing around it.
func lineOf(lines map[string]int, path string) int {
	for path != "" {
		if n := lines[path]; n > 0 {
			return n
		}
		path = path[:max(strings.LastIndexAny(path, ".["), 0)]
	}
	return 0
}
