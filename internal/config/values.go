package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// A Chain is one network and who is asked about it.
type Chain struct {
	// The network's own id; an answer of another network is refused.
	ID uint64 `yaml:"id" jsonschema:"required"`
	// Nodes to ask, http or https. May be empty for a chain that only closed
	// realms are on.
	RPC []Provider `yaml:"rpc"`
	// How many of them must agree to the byte; more than half. Default: the
	// smallest such number.
	Quorum int `yaml:"quorum"`
	// Which block is read: finalized, safe, latest or latest-N.
	Finality string `yaml:"finality"`
	// How long one conversation with one node may take.
	Timeout time.Duration `yaml:"timeout"`
	// A newest block older than this is an error. Default: 10m; 30m where
	// finality is finalized or safe.
	MaxLag time.Duration `yaml:"max_lag"`
	// When it makes blocks: steady, or on-demand for a chain that makes none while
	// it is quiet. That wants finality latest, and has no max_lag.
	Blocks Blocks `yaml:"blocks"`
	// Where Multicall3 is; none makes every call a request of its own, in a
	// JSON-RPC batch.
	Multicall Multicall `yaml:"multicall"`
	// Whether what is read is proven, so that it can be verified without a node:
	// on, where its nodes can; off; required, and what is not proven is not
	// published.
	Proofs supply.ProofRule `yaml:"proofs"`
	// Site to which addresses and blocks of this chain are linked.
	Explorer string `yaml:"explorer"`
}

// Blocks says when a chain makes blocks.
type Blocks string

const (
	Steady   Blocks = "steady"    // all the time: a newest block older than max_lag means that something is wrong
	OnDemand Blocks = "on-demand" // only when there is something to put into them
)

// A Provider is written as a URL, or as a name and a URL.
type Provider struct {
	// What it is called in logs, metrics and on the status page. Default: the
	// chain's name and a number.
	Name string `yaml:"name"`
	// Its address, often with a key in it: write $NAME and put it into the
	// environment.
	URL string `yaml:"url" jsonschema:"required"`
}

func (p *Provider) setScalar(s string) error {
	p.URL = s
	return nil
}

// A Multicall is where Multicall3 is on a chain, or "none": every call is then a
// request of its own.
type Multicall struct {
	at   common.Address
	none bool
}

// UnmarshalText reads an address or "none".
func (m *Multicall) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*m = Multicall{none: true}
		return nil
	}
	*m = Multicall{}
	if m.at.UnmarshalText(text) != nil {
		return errors.New("want an address, or none")
	}
	return nil
}

// MarshalText writes it as it is read.
func (m Multicall) MarshalText() ([]byte, error) {
	if m.none {
		return []byte("none"), nil
	}
	return m.at.MarshalText()
}

// multicall3 is where Multicall3 lives on most networks.
var multicall3 = Multicall{at: common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")}

// finalLag is the default max_lag of chains whose final blocks are read: some
// make a block final only a quarter of an hour after it was made.
const finalLag = 30 * time.Minute

// WithDefaults is the chain with every value that was left out.
func (c Chain) WithDefaults(name string) Chain {
	c.Finality = cmp.Or(c.Finality, "finalized")
	c.Timeout = cmp.Or(c.Timeout, 5*time.Second)
	if c.MaxLag == 0 {
		c.MaxLag = 10 * time.Minute
		if c.Finality == "finalized" || c.Finality == "safe" {
			c.MaxLag = finalLag
		}
	}
	c.Blocks = cmp.Or(c.Blocks, Steady)
	c.Quorum = cmp.Or(c.Quorum, len(c.RPC)/2+1)
	c.Multicall = cmp.Or(c.Multicall, multicall3)
	c.Proofs = cmp.Or(c.Proofs, supply.ProofsOn)
	c.RPC = slices.Clone(c.RPC)
	for i := range c.RPC {
		c.RPC[i].Name = cmp.Or(c.RPC[i].Name, fmt.Sprintf("%s-%d", name, i+1))
	}
	return c
}

// EVM is the chain in the form that package evm dials.
func (c Chain) EVM(name string) evm.Config {
	out := evm.Config{Name: name, ID: c.ID, Quorum: c.Quorum, Finality: c.Finality, Timeout: c.Timeout,
		MaxLag: c.MaxLag, OnDemand: c.Blocks == OnDemand, Multicall: c.Multicall.at}
	for _, p := range c.RPC {
		out.Providers = append(out.Providers, evm.Provider{Name: p.Name, URL: p.URL})
	}
	return out
}

// A Rate is a number of events in a time, written "50/s"; zero is no limit.
type Rate struct {
	Events int
	Per    time.Duration
}

var units = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// UnmarshalText reads "50/s", "300/m" or "off".
func (r *Rate) UnmarshalText(text []byte) error {
	if s := string(text); s == "off" || s == "" {
		*r = Rate{}
		return nil
	}
	n, unit, ok := strings.Cut(string(text), "/")
	events, err := strconv.Atoi(n)
	per := units[unit]
	if !ok || err != nil || events < 1 || events > 1_000_000 || per == 0 {
		return fmt.Errorf("%q is not a rate; write it like 50/s, 300/m or off", text)
	}
	*r = Rate{events, per}
	return nil
}

func (r Rate) String() string {
	for unit, per := range units {
		if per == r.Per && r.Events > 0 {
			return strconv.Itoa(r.Events) + "/" + unit
		}
	}
	return "off"
}

// MarshalText writes the rate as it is read.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func hasScheme(url string, schemes ...string) bool {
	return slices.ContainsFunc(schemes, func(s string) bool { return strings.HasPrefix(url, s) })
}
