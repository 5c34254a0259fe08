package config

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// A Chain is one network and who is asked about it.
type Chain struct {
	ID        uint64         `yaml:"id"`
	RPC       []Provider     `yaml:"rpc"`
	Quorum    int            `yaml:"quorum"`
	Finality  string         `yaml:"finality"`
	Timeout   time.Duration  `yaml:"timeout"`
	MaxLag    time.Duration  `yaml:"max_lag"`
	Multicall common.Address `yaml:"multicall"`
	Explorer  string         `yaml:"explorer"`
}

// A Provider is written as a URL, or as a name and a URL.
type Provider struct {
	Name string `yaml:"name"`
	URL  string `yaml:"url"`
}

func (p *Provider) setScalar(s string) error {
	p.URL = s
	return nil
}

// multicall3 is where Multicall3 lives on most networks.
var multicall3 = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

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
	c.Quorum = cmp.Or(c.Quorum, len(c.RPC)/2+1)
	c.Multicall = cmp.Or(c.Multicall, multicall3)
	c.RPC = slices.Clone(c.RPC)
	for i := range c.RPC {
		c.RPC[i].Name = cmp.Or(c.RPC[i].Name, fmt.Sprintf("%s-%d", name, i+1))
	}
	return c
}

// EVM is the chain in the form that package evm dials.
func (c Chain) EVM(name string) evm.Config {
	out := evm.Config{Name: name, ID: c.ID, Quorum: c.Quorum, Finality: c.Finality, Timeout: c.Timeout,
		MaxLag: c.MaxLag, Multicall: c.Multicall}
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
