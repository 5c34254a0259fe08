package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// DefaultMulticall is where Multicall3 lives on most networks.
var DefaultMulticall = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

// What a Config leaves at zero.
const (
	DefaultTimeout = 5 * time.Second
	DefaultMaxLag  = 10 * time.Minute
)

// A Provider is one node of a chain, or a service in front of some.
type Provider struct {
	Name string
	URL  string // secret: every way of printing a Provider shows its Name alone
}

func (p Provider) String() string { return p.Name }

// Format prints the name, whatever the verb.
func (p Provider) Format(s fmt.State, _ rune) { io.WriteString(s, p.Name) }

// LogValue is the name.
func (p Provider) LogValue() slog.Value { return slog.StringValue(p.Name) }

// MarshalJSON writes the name.
func (p Provider) MarshalJSON() ([]byte, error) { return json.Marshal(p.Name) }

// MarshalYAML writes the name.
func (p Provider) MarshalYAML() (any, error) { return p.Name, nil }

// A Config says how to reach one chain and how far to trust its nodes.
type Config struct {
	Name      string
	ID        uint64
	Providers []Provider
	Quorum    int           // providers that must agree; 0: a majority
	Finality  string        // as ParseFinality reads it; "": latest
	Timeout   time.Duration // of one conversation with one provider
	MaxLag    time.Duration // a newest block older than this is ErrLag
	Multicall common.Address
	Explorer  string
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

// complete fills in what was left at zero and reports every fault at once. No
// error of it quotes a URL.
func (cfg Config) complete() (Config, Finality, error) {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	if cfg.ID == 0 {
		fault("id is missing")
	}
	if len(cfg.Providers) == 0 {
		fault("no provider")
	}
	if cfg.Quorum == 0 {
		cfg.Quorum = len(cfg.Providers)/2 + 1
	}
	if cfg.Quorum < 1 || cfg.Quorum > max(1, len(cfg.Providers)) {
		fault("quorum %d is not between 1 and the %d providers", cfg.Quorum, len(cfg.Providers))
	}
	if cfg.Finality == "" {
		cfg.Finality = "latest"
	}
	finality, err := ParseFinality(cfg.Finality)
	if err != nil {
		faults = append(faults, err)
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = DefaultTimeout
	}
	if cfg.MaxLag <= 0 {
		cfg.MaxLag = DefaultMaxLag
	}
	if cfg.Multicall == (common.Address{}) {
		cfg.Multicall = DefaultMulticall
	}
	cfg.Providers = append([]Provider(nil), cfg.Providers...)
	seen := map[string]bool{}
	for i := range cfg.Providers {
		p := &cfg.Providers[i]
		if p.Name == "" {
			p.Name = "rpc" + strconv.Itoa(i+1)
		}
		if seen[p.Name] {
			fault("two providers are called %s", p.Name)
		}
		seen[p.Name] = true
		if !reachable(p.URL) {
			fault("the address of provider %s is not an http, https, ws or wss URL", p.Name)
		}
	}
	if len(faults) > 0 {
		return cfg, finality, fmt.Errorf("chain %s: %w", cfg.Name, errors.Join(faults...))
	}
	return cfg, finality, nil
}

func reachable(raw string) bool {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return false
	}
	switch u.Scheme {
	case "http", "https", "ws", "wss":
		return true
	}
	return false
}
