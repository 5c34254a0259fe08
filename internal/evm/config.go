package evm

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Provider is one node of a chain, or a service in front of several.
type Provider struct {
	Name string
	URL  string // secret; a printed Provider shows only its Name
}

// Format prints the name for every verb.
func (p Provider) Format(s fmt.State, _ rune) { io.WriteString(s, p.Name) }

// MarshalText returns the name, for logs, JSON and YAML.
func (p Provider) MarshalText() ([]byte, error) { return []byte(p.Name), nil }

// A Config says how to reach one chain and how many providers must agree. The fields up to MaxLag
// are required. Package config has the defaults.
type Config struct {
	Name      string
	ID        uint64
	Providers []Provider
	Quorum    int            // providers that must agree
	Finality  string         // as ParseFinality reads it
	Timeout   time.Duration  // for one HTTP request to a provider and its retry
	MaxLag    time.Duration  // a newest block older than this is an error, unless OnDemand
	OnDemand  bool           // blocks are made only when there are transactions
	Multicall common.Address // address of Multicall3; zero means one request for each call

	// For tests and the demo. If nil, each provider has its own transport, Now is time.Now, and
	// Jitter is rand.N.
	Transport http.RoundTripper
	Now       func() time.Time                  // the clock that block times are compared with
	Jitter    func(time.Duration) time.Duration // a random duration from 0 up to its argument, added to pauses
}

// A Finality says how settled a block must be to be pinned.
type Finality struct {
	tag  string
	back uint64
}

// ParseFinality reads finalized, safe, latest and latest-N.
func ParseFinality(s string) (Finality, error) {
	switch s {
	case "finalized", "safe", "latest":
		return Finality{tag: s}, nil
	}
	if n, ok := strings.CutPrefix(s, "latest-"); ok {
		back, err := strconv.ParseUint(n, 10, 32)
		if err == nil && strconv.FormatUint(back, 10) == n {
			return Finality{tag: "latest", back: back}, nil
		}
	}
	return Finality{}, fmt.Errorf("finality %q is not finalized, safe, latest or latest-N", s)
}

func (f Finality) String() string {
	if f.back == 0 {
		return f.tag
	}
	return fmt.Sprintf("%s-%d", f.tag, f.back)
}

// check parses the finality and rejects settings that would make answers wrong or unsafe. Package
// config has already checked the file, with messages for operators. No error quotes a URL.
func (cfg Config) check() (Finality, error) {
	if cfg.Quorum < 1 || cfg.Quorum > len(cfg.Providers) {
		return Finality{}, fmt.Errorf("chain %s: quorum %d must be from 1 to %d, the number of providers",
			cfg.Name, cfg.Quorum, len(cfg.Providers))
	}
	for _, p := range cfg.Providers {
		if err := CheckURL(p.URL); err != nil {
			return Finality{}, fmt.Errorf("chain %s: the address of provider %s: %w", cfg.Name, p.Name, err)
		}
	}
	finality, err := ParseFinality(cfg.Finality)
	if err != nil {
		return Finality{}, fmt.Errorf("chain %s: %w", cfg.Name, err)
	}
	return finality, nil
}

// CheckURL returns an error if a provider's address cannot be used. The error does not quote the
// address.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err == nil && (u.Scheme == "ws" || u.Scheme == "wss"):
		return errors.New("WebSockets are not supported; use the provider's http or https address")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("want a node's http or https address")
	}
	return nil
}
