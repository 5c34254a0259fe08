package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"petsupply/testkit/process"
)

// A service is petsupply on some towns.
type service struct {
	towns                     []*town
	bridge                    *bridge // a token that is in two of the towns; nil if there is none
	program, dir, listen, ops string
	config                    string   // its file
	env                       []string // nil means the environment of this process
	process                   *process.Process
}

// newService prepares a service with its own store. how returns further settings of a town's chain.
func (s *settings) newService(how func(*town) string, b *bridge, towns ...*town) (*service, error) {
	v := &service{towns: towns, bridge: b, program: filepath.Join(s.dir, "petsupply")}
	var err error
	if v.dir, err = os.MkdirTemp(s.dir, "service"); err != nil {
		return nil, err
	}
	if v.listen, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	if v.ops, err = process.FreeAddress(); err != nil {
		return nil, err
	}
	var chains, tokens, realms strings.Builder
	for _, t := range towns {
		fmt.Fprintf(&chains, "  %s: {id: %d, rpc: [%q], %s}\n", t.name, t.id, t.url, how(t))
		fmt.Fprintf(&tokens, "  - {path: %s, symbol: COIN, name: Coin, decimals: 18, ledger: [{label: Minted, bucket: "+
			"issued, chain: %s, erc20: %q, reason: All of it}]}\n", t.name, t.name, t.token)
		fmt.Fprintf(&realms, "  - {key: %s, name: %s, offset: %d, chain: %s, contract: %q, getter: v2, start_block: %d}\n",
			t.name, t.name, t.offset, t.name, t.pets, t.start)
	}
	if b != nil {
		tokens.WriteString(b.config())
	}
	text := "refresh: {every: 2s, stale_after: 1m, refuse_after: 10m, hold_for: 4s}\nindex: {every: " +
		"1s}\nchains:\n" + chains.String() + "tokens:\n" + tokens.String() + "realms:\n" + realms.String()
	v.config = filepath.Join(v.dir, "petsupply.yaml")
	return v, os.WriteFile(v.config, []byte(text), 0o600)
}

func (v *service) run(ctx context.Context) (err error) {
	cmd := exec.Command(v.program, "serve", "--config", v.config, "--data", filepath.Join(v.dir, "data"), "--listen",
		v.listen, "--ops", v.ops)
	cmd.Env = v.env
	if v.process, err = process.Start(cmd); err != nil {
		return err
	}
	return v.process.Until(ctx, func() error {
		r, err := http.Get("http://" + v.ops + "/livez")
		if err == nil {
			r.Body.Close()
		}
		return err
	})
}

func (v *service) stop() {
	if v.process != nil {
		v.process.Stop()
	}
}

// tellsTruth waits until figures and pets are as the chains have them now.
func (v *service) tellsTruth(ctx context.Context, limit time.Duration) error {
	want := map[string]*big.Int{}
	var err error
	for _, t := range v.towns {
		if want[t.name], err = t.totalSupply(ctx, t.token); err != nil {
			return err
		}
	}
	if v.bridge != nil {
		if want[bridgePath], err = v.bridge.total(ctx); err != nil {
			return err
		}
	}
	return within(ctx, limit, func() error {
		for path, total := range want {
			if err := v.publishes(path, total); err != nil {
				return err
			}
		}
		for _, t := range v.towns {
			for id, hero := range t.heroes {
				if err := v.shows(fmt.Sprintf("/pets/token/%d", id), hero, ""); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// publishes checks that a figure is right and fresh.
func (v *service) publishes(path string, total *big.Int) error {
	body, err := get("http://" + v.listen + "/supply/" + path)
	if err != nil {
		return err
	}
	var said struct{ Status, TotalSupply string }
	if err := json.Unmarshal(body, &said); err != nil {
		return err
	}
	if said.TotalSupply != exact(total) || said.Status != "fresh" {
		return fmt.Errorf("total supply of %s is %s with status %s, want %s and fresh", path, said.TotalSupply,
			said.Status, exact(total))
	}
	return nil
}

// shows checks that a pet has its last change.
func (v *service) shows(path string, hero int64, host string) error {
	body, err := getFrom(host, "http://"+v.listen+path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	var pet struct {
		RawData struct{ EquippedTo json.Number }
	}
	if err := json.Unmarshal(body, &pet); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if pet.RawData.EquippedTo.String() != fmt.Sprint(hero) {
		return fmt.Errorf("%s is equipped to %s, want %d", path, pet.RawData.EquippedTo, hero)
	}
	return nil
}

// lastWords returns the last warning in the service's log.
func (v *service) lastWords() string {
	if v.process == nil {
		return ""
	}
	var last string
	for _, line := range strings.Split(v.process.Output.String(), "\n") {
		if (strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR")) &&
			!strings.Contains(line, "msg=request") {
			last = line
		}
	}
	return last
}

func within(ctx context.Context, limit time.Duration, check func() error) error {
	for end := time.Now().Add(limit); ; {
		err := check()
		if err == nil || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func get(url string) ([]byte, error) { return getFrom("", url) }

// getFrom is get with a Host header.
func getFrom(host, url string) ([]byte, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Host = host
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %.200s", r.Status, body)
	}
	return body, err
}

// exact writes an amount of 18 decimals as the service does.
func exact(units *big.Int) string {
	digits := fmt.Sprintf("%019s", units)
	cut := len(digits) - 18
	return strings.TrimSuffix(strings.TrimRight(digits[:cut]+"."+digits[cut:], "0"), ".")
}
