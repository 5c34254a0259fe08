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

// A service is petsupply on a town.
type service struct {
	town                      *town
	program, dir, listen, ops string
	config                    string // its file
	process                   *process.Process
}

// newService prepares a service with its own store. how has further settings of the town's chain.
func (s *settings) newService(t *town, how string) (*service, error) {
	v := &service{town: t, program: filepath.Join(s.dir, "petsupply")}
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
	text := fmt.Sprintf(`refresh: {every: 2s, stale_after: 1m, refuse_after: 10m, hold_for: 4s}
index: {every: 1s}
chains:
  %[1]s: {id: %d, rpc: [%q], %s}
tokens:
  - {path: %[1]s, symbol: COIN, name: Coin, decimals: 18, ledger: [
      {label: Minted, bucket: issued, chain: %[1]s, erc20: %[5]q, reason: All of it}]}
realms:
  - {key: %[1]s, name: %[1]s, offset: 0, chain: %[1]s, contract: %[6]q, getter: v2, start_block: %[7]d}
`, t.name, t.id, t.url, how, t.token, t.pets, t.start)
	v.config = filepath.Join(v.dir, "petsupply.yaml")
	return v, os.WriteFile(v.config, []byte(text), 0o600)
}

func (v *service) run(ctx context.Context) (err error) {
	cmd := exec.Command(v.program, "serve", "--config", v.config, "--data", filepath.Join(v.dir, "data"), "--listen",
		v.listen, "--ops", v.ops)
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

// tellsTruth waits until figures and pets are as the chain has them now.
func (v *service) tellsTruth(ctx context.Context, limit time.Duration) error {
	total, err := v.town.totalSupply(ctx, v.town.token)
	if err != nil {
		return err
	}
	return within(ctx, limit, func() error {
		var figure struct{ Status, TotalSupply string }
		if err := getJSON(v.address(), &figure); err != nil {
			return err
		}
		if figure.TotalSupply != exact(total) || figure.Status != "fresh" {
			return fmt.Errorf("the total supply is %s with status %s, want %s and fresh", figure.TotalSupply,
				figure.Status, exact(total))
		}
		for id, hero := range v.town.heroes {
			var pet struct {
				RawData struct{ EquippedTo json.Number }
			}
			if err := getJSON(fmt.Sprintf("http://%s/pets/token/%d", v.listen, id), &pet); err != nil {
				return err
			}
			if pet.RawData.EquippedTo.String() != fmt.Sprint(hero) {
				return fmt.Errorf("pet %d is equipped to %s, want %d", id, pet.RawData.EquippedTo, hero)
			}
		}
		return nil
	})
}

// address returns the address of the figure.
func (v *service) address() string { return "http://" + v.listen + "/supply/" + v.town.name }

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

func getJSON(url string, document any) error {
	body, err := get(url)
	if err != nil {
		return err
	}
	return json.Unmarshal(body, document)
}

func get(url string) ([]byte, error) {
	r, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s: %.200s", url, r.Status, body)
	}
	return body, err
}

// exact writes an amount of 18 decimals as the service does.
func exact(units *big.Int) string {
	digits := fmt.Sprintf("%019s", units)
	cut := len(digits) - 18
	return strings.TrimSuffix(strings.TrimRight(digits[:cut]+"."+digits[cut:], "0"), ".")
}
