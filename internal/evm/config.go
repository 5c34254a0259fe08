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

// A Provider is one node of a chain, or a service in front of some.
type Provider struct {
	Name string
	URL  string // secret: every way of printing a Provider shows its Name alone
}

// Format prints the name, whatever the verb.
func (p Provider) Format(s fmt.State, _ rune) { io.WriteString(s, p.Name) }

// MarshalText is the name: in logs, JSON and YAML.
func (p Provider) MarshalText() ([]byte, error) { return []byte(p.Name), nil }

// A Config says how to reach one chain and how far to trust its nodes. Dial
// wants all of it but Multicall: package config has the defaults.
type Config struct {
	Name      string
	ID        uint64
	Providers []Provider
	Quorum    int            // providers that must agree
	Finality  string         // as ParseFinality reads it
	Timeout   time.Duration  // of one conversation with one provider
	MaxLag    time.Duration  // a newest block older than this is errLag, unless OnDemand
	OnDemand  bool           // blocks are made only when there is something to put into them
	Multicall common.Address // where Multicall3 is; zero: every call is a request of its own

	// For tests. The zero values are those of production: a transport for each
	// provider, time.Now, and rand.N.
	Transport http.RoundTripper
	Now       func() time.Time                  // block times are compared with it
	Jitter    func(time.Duration) time.Duration // a pause in [0, d), added to backoffs
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
	return Finality{}, fmt.Errorf("finality %q is none of finalized, safe, latest, latest-N", s)
}

func (f Finality) String() string {
	if f.back == 0 {
		return f.tag
	}
	return fmt.Sprintf("%s-%d", f.tag, f.back)
}

// check reads the finality, and refuses what would make answers wrong or unsafe. The
// configuration was checked before, with words for who writes it. No error quotes a
// URL.
func (cfg Config) check() (Finality, error) {
	if cfg.Quorum < 1 || cfg.Quorum > len(cfg.Providers) {
		return Finality{}, fmt.Errorf("chain %s: quorum %d is not between 1 and the %d providers",
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

// CheckURL says what is wrong with the address of a provider, without quoting it.
func CheckURL(raw string) error {
	u, err := url.Parse(raw)
	switch {
	case err == nil && (u.Scheme == "ws" || u.Scheme == "wss"):
		return errors.New("WebSockets are not spoken; use the provider's http or https address")
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("want a node's http or https address")
	}
	return nil
}
