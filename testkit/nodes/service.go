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

// A service is petsupply on one town.
type service struct {
	*town
	program, dir, listen, ops string
	process                   *process.Process
}

// newService prepares one with a store of its own. how is what its chain is
// configured with besides.
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
	file := fmt.Sprintf(`refresh: {every: 2s, stale_after: 1m, refuse_after: 10m, confirmations: 2}
index: {every: 1s}
chains:
  home: {id: %d, rpc: ["%s"], %s}
tokens:
  - {path: coin, symbol: COIN, name: Coin, decimals: 18, ledger: [{label: Minted, bucket: issued, chain: home, erc20: "%s", reason: All of it}]}
realms:
  - {key: home, name: Home, offset: 0, chain: home, contract: "%s", struct: v2, start_block: %d}
`, t.id, t.url, how, t.token, t.pets, t.start)
	return v, os.WriteFile(filepath.Join(v.dir, "petsupply.yaml"), []byte(file), 0o600)
}

func (v *service) run(ctx context.Context) (err error) {
	// The node may have been started anew, elsewhere.
	file := filepath.Join(v.dir, "petsupply.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, _ := strings.Cut(string(text), `rpc: ["`)
	_, after, _ := strings.Cut(rest, `"]`)
	if err := os.WriteFile(file, []byte(before+`rpc: ["`+v.url+`"]`+after), 0o600); err != nil {
		return err
	}
	v.process, err = process.Start(exec.Command(v.program, "serve", "--config", file, "--data", filepath.Join(v.dir, "data"), "--listen", v.listen, "--ops", v.ops))
	if err != nil {
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

// tellsTruth waits until the figure and every pet are as the chain has them.
func (v *service) tellsTruth(ctx context.Context, limit time.Duration) error {
	want, err := v.totalSupply(ctx, v.token)
	if err != nil {
		return err
	}
	return within(ctx, limit, func() error {
		body, err := get("http://" + v.listen + "/supply/coin/totalsupply")
		if err != nil {
			return err
		}
		if string(body) != exact(want) {
			return fmt.Errorf("total supply is %s, want %s", body, exact(want))
		}
		for id, hero := range v.heroes {
			body, err := get(fmt.Sprintf("http://%s/pets/token/%d", v.listen, id))
			if err != nil {
				return fmt.Errorf("pet %d: %w", id, err)
			}
			var pet struct {
				RawData struct{ EquippedTo json.Number }
			}
			if err := json.Unmarshal(body, &pet); err != nil {
				return fmt.Errorf("pet %d: %w", id, err)
			}
			if pet.RawData.EquippedTo.String() != fmt.Sprint(hero) {
				return fmt.Errorf("pet %d is equipped to %s, want %d", id, pet.RawData.EquippedTo, hero)
			}
		}
		return nil
	})
}

// lastWords is what the service complained of last.
func (v *service) lastWords() string {
	if v.process == nil {
		return ""
	}
	var last string
	for _, line := range strings.Split(v.process.Output.String(), "\n") {
		if (strings.Contains(line, "level=WARN") || strings.Contains(line, "level=ERROR")) && !strings.Contains(line, "msg=request") {
			last = line
		}
	}
	return last
}

// verify has petsupply verify recompute the published figure on the node.
func (v *service) verify(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, v.program, "verify", "http://"+v.listen+"/supply/coin/evidence", "--rpc", fmt.Sprintf("%d=%s", v.id, v.url)).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
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

func get(url string) ([]byte, error) {
	r, err := http.Get(url)
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

// exact is an amount of 18 decimals as the service writes it.
func exact(units *big.Int) string {
	digits := fmt.Sprintf("%019s", units)
	cut := len(digits) - 18
	return strings.TrimSuffix(strings.TrimRight(digits[:cut]+"."+digits[cut:], "0"), ".")
}
