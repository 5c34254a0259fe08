package config

import (
	"cmp"
	"fmt"
	"net"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/yamlfile"
)

// A Chain is a network and its nodes.
type Chain struct {
	// The network's id. Answers from another network are rejected.
	ID uint64 `yaml:"id" jsonschema:"required"`
	// Its nodes, http or https. A chain with only closed realms needs none.
	RPC []Provider `yaml:"rpc" secret:"true"`
	// How many nodes must give the same answer. It must be more than half of them. Default: the
	// smallest majority.
	Quorum int `yaml:"quorum"`
	// Which block is read: finalized, safe, latest, or latest-N (N blocks before the latest).
	Finality string `yaml:"finality"`
	// How long one request to one node may take.
	Timeout time.Duration `yaml:"timeout"`
	// How old the block that `finality` selects may be. If it is older, the chain is not read.
	// Default: 10m; 30m if finality is finalized or safe.
	MaxLag time.Duration `yaml:"max_lag"`
	// When the chain makes blocks: steady (all the time) or on-demand (none while nothing happens).
	// on-demand needs `finality: latest`, and ignores `max_lag`.
	Blocks string `yaml:"blocks"`
	// Address of Multicall3, or `none`. With `none`, each call is a separate request in a JSON-RPC
	// batch.
	Multicall multicall `yaml:"multicall"`
	// Whether reads are proven, so that anyone can verify them without a node. on: if the nodes can
	// prove them. off: never. required: always; unproven figures are not published.
	Proofs supply.ProofRule `yaml:"proofs"`
	// Address of a block explorer. The site links addresses and blocks to it.
	Explorer string `yaml:"explorer"`
}

// The values of Chain.Blocks.
const (
	steady   = "steady"
	OnDemand = "on-demand"
)

// A Provider is a node. Write its URL alone, or a map with these keys.
type Provider struct {
	// Its name in logs, in metrics and on the status page. Default: the chain's name and a number.
	Name string `yaml:"name"`
	// Its address. If the address contains a key, write $NAME and set NAME in the environment.
	URL string `yaml:"url" jsonschema:"required"`
	// Set this to true if the node shares its host and port with a node above, but is another node.
	// Otherwise the address is refused, because one node under two addresses would always agree
	// with itself.
	Separate bool `yaml:"separate"`
}

// SetScalar reads a provider that is written as its URL alone.
func (p *Provider) SetScalar(s string) error {
	p.URL = s
	return nil
}

// A multicall is the address of Multicall3 on a chain, or "none".
type multicall struct {
	at   common.Address
	none bool
}

// UnmarshalText reads an address or "none".
func (m *multicall) UnmarshalText(text []byte) error {
	if string(text) == "none" {
		*m = multicall{none: true}
		return nil
	}
	*m = multicall{}
	if m.at.UnmarshalText(text) != nil {
		return fmt.Errorf("%q: want an address or \"none\"", text)
	}
	return nil
}

// MarshalText writes the text that UnmarshalText reads.
func (m multicall) MarshalText() ([]byte, error) {
	if m.none {
		return []byte("none"), nil
	}
	return m.at.MarshalText()
}

// multicall3 is the address of Multicall3 on most networks.
var multicall3 = multicall{at: common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")}

// finalLag is the default max_lag if finality is finalized or safe. Some chains need a quarter of
// an hour to make a block final.
const finalLag = 30 * time.Minute

// WithDefaults returns the chain with a default for every value that is left out.
func (c Chain) WithDefaults(name string) Chain {
	c.Finality = cmp.Or(c.Finality, "finalized")
	c.Timeout = cmp.Or(c.Timeout, 5*time.Second)
	if c.MaxLag == 0 {
		c.MaxLag = 10 * time.Minute
		if c.Finality == "finalized" || c.Finality == "safe" {
			c.MaxLag = finalLag
		}
	}
	c.Blocks = cmp.Or(c.Blocks, steady)
	c.Quorum = cmp.Or(c.Quorum, len(c.RPC)/2+1)
	c.Multicall = cmp.Or(c.Multicall, multicall3)
	c.Proofs = cmp.Or(c.Proofs, supply.ProofsOn)
	c.RPC = slices.Clone(c.RPC)
	for i := range c.RPC {
		c.RPC[i].Name = cmp.Or(c.RPC[i].Name, fmt.Sprintf("%s-%d", name, i+1))
	}
	return c
}

// EVM returns the chain as evm.Dial takes it.
func (c Chain) EVM(name string) evm.Config {
	out := evm.Config{Name: name, ID: c.ID, Quorum: c.Quorum, Finality: c.Finality, Timeout: c.Timeout,
		MaxLag: c.MaxLag, OnDemand: c.Blocks == OnDemand, Multicall: c.Multicall.at}
	for _, p := range c.RPC {
		out.Providers = append(out.Providers, evm.Provider{Name: p.Name, URL: p.URL})
	}
	return out
}

// check reports the faults of a chain. path is the chain's path in the file, and needed says
// whether a token or an open realm is on the chain.
func (c Chain) check(path string, needed bool, add addFault) {
	if c.ID == 0 || c.ID > ledger.MaxExact {
		add(path+".id", "%d is not the id of a network; want one such as 53935", c.ID)
	}
	if len(c.RPC) == 0 && needed {
		add(path, "wants rpc: a list of node addresses")
	}
	c.checkProviders(path, add)
	if c.Explorer != "" {
		if fault := siteFault(c.Explorer, "explorer.example.com"); fault != "" {
			add(path+".explorer", "%s", fault)
		}
	}
	if !slices.Contains(supply.ProofRules, c.Proofs) {
		add(path+".proofs", "%q: %swant on, off or required", c.Proofs,
			yamlfile.DidYouMean(string(c.Proofs), "on", "off", "required"))
	}
	if _, err := evm.ParseFinality(c.Finality); err != nil {
		add(path+".finality", "%q: %swant finalized, safe, latest or latest-N",
			c.Finality, yamlfile.DidYouMean(c.Finality, "finalized", "safe", "latest"))
	}
	if c.Blocks != steady && c.Blocks != OnDemand {
		add(path+".blocks", "%q: %swant %s, or %s for a chain that makes no blocks while nothing happens",
			c.Blocks, yamlfile.DidYouMean(c.Blocks, steady, OnDemand), steady, OnDemand)
	} else if c.Blocks == OnDemand && c.Finality != "latest" {
		add(path+".blocks", "%s needs finality: latest, but finality is %s", OnDemand, c.Finality)
	}
}

// checkProviders reports the faults of the nodes and their quorum.
func (c Chain) checkProviders(path string, add addFault) {
	names := map[string]bool{}
	urls := map[string]string{} // names of nodes, by host and by whole address
	for i, p := range c.RPC {
		at := fmt.Sprintf("%s.rpc[%d]", path, i)
		host, address := normalAddress(p.URL)
		if twin := urls[address]; twin != "" {
			add(at, "is the same node as %s: it would agree with itself", twin)
		} else if twin := urls[host]; twin != "" && !p.Separate {
			add(at, "has the host and port of %s, so it may be the same node and agree with itself; "+
				"remove one of them, or set separate: true if they are two nodes", twin)
		}
		urls[address] = p.Name
		urls[host] = cmp.Or(urls[host], p.Name)
		if err := evm.CheckURL(p.URL); err != nil {
			add(at, "%v", err)
		}
		if names[p.Name] {
			add(at, "another provider is named %s too", p.Name)
		}
		names[p.Name] = true
	}
	if c.Quorum < 0 || c.Quorum > max(1, len(c.RPC)) { // a chain without nodes has a quorum of 1
		add(path+".quorum", "%d of %d providers cannot agree; want at most %d", c.Quorum, len(c.RPC), len(c.RPC))
	} else if 2*c.Quorum <= len(c.RPC) {
		add(path+".quorum", "%d of %d providers is not more than half: two quorums could disagree; "+
			"want %d or more, or leave it out", c.Quorum, len(c.RPC), len(c.RPC)/2+1)
	}
}

// SameHost reports whether two addresses of nodes have the same host and port, so that they count as
// one provider.
func SameHost(a, b string) bool {
	hostA, _ := normalAddress(a)
	hostB, _ := normalAddress(b)
	return hostA == hostB
}

// normalAddress returns a node's host with its port, and its whole address, both normalized. It
// leaves out user and password, which do not identify the node, and the ports 80 and 443.
func normalAddress(raw string) (host, address string) {
	u, err := url.Parse(raw)
	if err != nil {
		return raw, raw // evm.CheckURL reports it
	}
	host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if port := u.Port(); port != "" && port != "80" && port != "443" {
		host = net.JoinHostPort(host, port)
	}
	return host, u.Scheme + "://" + host + path.Clean("/"+u.Path) + "?" + u.RawQuery
}
