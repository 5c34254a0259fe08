//go:build !race

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/kingdom"
)

// liveTimeout is the longest time until an open page shows a change on chain. The test machine may
// be busy.
const liveTimeout = 3 * time.Minute

// A liveService is a service on nodes that a test can change. It keeps its address after a restart.
type liveService struct {
	*kingdom.Kingdom
	*running
	args []string
}

func startLive(t *testing.T) *liveService {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	v := &liveService{Kingdom: kingdom.Test(t, kingdom.Options{Pets: 6, Seed: 21})}
	dir := t.TempDir()
	file := filepath.Join(dir, "petsupply.yaml")
	if err := os.WriteFile(file, []byte(v.Config(kingdom.Settings{Refresh: "1s", Index: "200ms"})), 0o600); err != nil {
		t.Fatal(err)
	}
	v.args = []string{"--config", file, "--data", dir, "--listen", l.Addr().String()}
	v.running = start(t, v.args...)
	within(t, liveTimeout, "figures and pets", func() bool {
		for _, url := range []string{v.pets + "/token/1000000000001", v.supply + "/crystal/totalsupply",
			v.supply + "/jewel/totalsupply", v.supply + "/jade/totalsupply"} {
			if res, err := http.Get(url); err != nil || res.Body.Close() != nil || res.StatusCode != http.StatusOK {
				return false
			}
		}
		return true
	})
	return v
}

// crystal returns the address of the token crystal, from the service's own evidence.
func (v *liveService) crystal(t *testing.T) common.Address {
	t.Helper()
	_, _, body := fetch(t, v.supply+"/crystal/evidence")
	var evidence struct {
		Entries []struct {
			Contract *common.Address
			Entry    struct{ Label string }
		}
	}
	if err := json.Unmarshal(body, &evidence); err != nil {
		t.Fatal(err)
	}
	for _, e := range evidence.Entries {
		if e.Entry.Label == "Dead address" {
			return *e.Contract
		}
	}
	t.Fatalf("no dead address in %s", body)
	return common.Address{}
}

// burn sends whole tokens of crystal to the dead address.
func (v *liveService) burn(t *testing.T, tokens int64) {
	t.Helper()
	units := new(big.Int).Mul(big.NewInt(tokens), big.NewInt(1e18))
	if err := v.Chains[1].Send(t.Context(), v.crystal(t), "transfer", kingdom.Dead, units); err != nil {
		t.Fatal(err)
	}
	// A bridge joins this chain with the third one, which must reach the same time.
	var latest int64
	for _, c := range v.Chains[1:3] {
		b, err := c.Block(t.Context(), rpc.LatestBlockNumber)
		if err != nil {
			t.Fatal(err)
		}
		latest = max(latest, int64(b.Time))
	}
	must(t, v.Chains[2].MineAt(t.Context(), time.Unix(latest+1, 0)))
	must(t, v.Chains[2].Mine(t.Context(), 4)) // makes that block final there
}

// rename gives the first pet of the second realm another name.
func (v *liveService) rename(t *testing.T, name string) {
	t.Helper()
	err := v.Chains[1].Send(t.Context(), v.Realms[1].Contract, "rename", big.NewInt(1000000000001), name)
	if err != nil {
		t.Fatal(err)
	}
}

// change makes the first pet of the second realm look different.
func (v *liveService) change(t *testing.T, from string) {
	t.Helper()
	id := big.NewInt(1000000000001)
	for seed := int64(1); ; seed++ {
		for _, deed := range [][]any{{"reroll", id}, {"reveal", id, big.NewInt(seed)}} {
			if err := v.Chains[1].Send(t.Context(), v.Realms[1].Contract, deed[0].(string), deed[1:]...); err != nil {
				t.Fatal(err)
			}
		}
		height, err := v.Chains[1].Height(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var pet struct {
			Image string
			Data  struct{ Block uint64 }
		}
		within(t, liveTimeout, "the pet as it is now", func() bool {
			_, _, body := fetch(t, v.pets+"/token/1000000000001")
			return json.Unmarshal(body, &pet) == nil && pet.Data.Block >= height
		})
		if pet.Image != from {
			return
		}
	}
}

// Changes on chain show on open pages, also after the service was away.
func TestSiteLive(t *testing.T) {
	browser := chrome(t)
	barriers := axe(t)
	v := startLive(t)
	before, err := v.Books(t.Context())
	must(t, err)
	home := open(t, browser, desktop)
	pet := open(t, browser, desktop)
	home.visit(v.site + "/")
	pet.visit(v.site + "/pet/1000000000001")
	for _, x := range []*tab{home, pet} {
		js[bool](x, `(window.same = true)`)
	}
	t.Run("pet", func(t *testing.T) { pet.t, home.t = t, t; livePet(t, v, home, pet, barriers) })
	t.Run("figure", func(t *testing.T) { home.t = t; liveFigure(t, v, home) })
	t.Run("held", func(t *testing.T) { home.t = t; liveHold(t, browser, v, home, barriers) })
	t.Run("why", func(t *testing.T) { liveWhy(t, browser, v, before) })
	t.Run("service away", func(t *testing.T) { pet.t, home.t = t, t; liveAgain(t, v, home, pet) })
	for _, x := range []*tab{home, pet} {
		if !js[bool](x, "window.same === true") {
			t.Error("a page was loaded again")
		}
	}
}

func livePet(t *testing.T, v *liveService, home, pet *tab, barriers string) {
	v.rename(t, "<i>Zed</i> \u202e\u2066the First")
	pet.wait(`document.querySelector("h1 bdi").textContent === "<i>Zed</i> the First" &&
		!document.querySelector("h1 i") && document.title.includes("Zed")`)
	pet.wait(`document.querySelector(".history li").textContent.includes("Zed")`)
	_, _, body := fetch(t, v.pets+"/token/1000000000001")
	var was struct{ Image string }
	must(t, json.Unmarshal(body, &was))
	before := js[string](pet, `document.querySelector(".still").src`)
	v.change(t, was.Image)
	pet.wait(fmt.Sprintf(`document.querySelector(".still").src !== %q`, before))
	checkAccessible(t, pet, barriers)
	pet.screenshot("live-pet-desktop")
}

const total = `document.querySelector("[data-key=crystal] .two div:nth-child(2) dd").textContent.replaceAll(",", "")`

func liveFigure(t *testing.T, v *liveService, home *tab) {
	before := js[string](home, total)
	v.burn(t, 1234)
	home.wait(fmt.Sprintf("%s !== %q", total, before))
	_, _, figure := fetch(t, v.supply+"/crystal/totalsupply")
	if want, _, _ := strings.Cut(string(figure), "."); js[string](home, total) != want {
		t.Errorf("the page says %s, the interface %s", js[string](home, total), want)
	}
}

// A sudden change is shown as held, with its reason, until it is confirmed.
func liveHold(t *testing.T, browser context.Context, v *liveService, home *tab, barriers string) {
	before := js[string](home, total)
	v.burn(t, 30_000_000)
	home.wait(`document.querySelector("[data-key=crystal] .badge")?.textContent === "held"`)
	if now := js[string](home, total); now != before {
		t.Errorf("the page shows a total of %s before it is confirmed", now)
	}
	token := open(t, browser, phone)
	status := open(t, browser, desktop)
	token.visit(v.site + "/token/crystal")
	token.wait(`document.querySelector(".note")?.innerText.includes("held since")`)
	checkPage(t, token, sitePage{}, phone, v.site)
	checkAccessible(t, token, barriers)
	token.screenshot("live-held-phone")
	status.visit(v.site + "/status")
	status.wait(`document.querySelector("#incidents").parentElement.innerText.includes("not over yet")`)
	checkPage(t, status, sitePage{}, desktop, v.site)
	checkAccessible(t, status, barriers)
	status.screenshot("live-status-desktop")
	text := js[string](status, "document.documentElement.outerHTML")
	for _, c := range v.Chains {
		if !strings.Contains(text, c.Name) || strings.Contains(text, strings.TrimPrefix(c.URL, "http://")) {
			t.Errorf("the status page lacks the chain %s, or shows where its node is", c.Name)
		}
	}
	within(t, liveTimeout, "confirmation", func() bool { // each further block is one confirmation
		for _, c := range v.Chains[1:3] {
			if err := c.Mine(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(300 * time.Millisecond)
		_, _, body := fetch(t, v.supply+"/crystal")
		return strings.Contains(string(body), `"status":"fresh"`)
	})
	home.wait(fmt.Sprintf(`%s !== %q && !document.querySelector("[data-key=crystal] .badge")`,
		total, before))
	status.wait(`document.querySelector("#incidents").parentElement.innerText.includes("over after")`)
}

// liveWhy lets the kingdom change, and reads every reason for the change of its figures. The
// reasons add up to the change in its books, in whole tokens.
func liveWhy(t *testing.T, browser context.Context, v *liveService, before map[string]kingdom.Book) {
	for range 6 {
		_, err := v.Step(t.Context(), 8)
		must(t, err)
	}
	must(t, v.Settle(t.Context()))
	after, err := v.Books(t.Context())
	must(t, err)
	x := open(t, browser, desktop)
	parts := 0
	for path, is := range after {
		within(t, liveTimeout, path+" as its books are", func() bool {
			for _, c := range v.Chains {
				must(t, c.Mine(t.Context(), 1)) // confirms the held figure
			}
			_, _, total := fetch(t, v.supply+"/"+path+"/totalsupply")
			_, _, circulating := fetch(t, v.supply+"/"+path+"/circulatingsupply")
			return string(total) == ledger.Amount{Units: is.Total, Decimals: 18}.String() &&
				string(circulating) == ledger.Amount{Units: is.Circulating, Decimals: 18}.String()
		})
		was := before[path]
		x.visit(v.site + "/token/" + path + "?days=all")
		sums := [2]ledger.Amount{ledger.Zero(18), ledger.Zero(18)}
		rows := js[[][]string](x, `[...document.querySelectorAll("details.why tbody tr:not(.sum)")]
			.map(r => [...r.querySelectorAll("td.n")]
				.map(c => c.textContent.replaceAll(",", "").replace("−", "-").replace(/^[+±]/, "")))`)
		for _, row := range rows {
			for i, text := range row {
				a, err := ledger.ParseAmount(strings.TrimPrefix(text, "-"))
				must(t, err)
				if strings.HasPrefix(text, "-") {
					a = ledger.Zero(18).Sub(a)
				}
				sums[i] = sums[i].Add(a)
			}
		}
		parts += len(rows)
		tokens := func(units *big.Int) *big.Int { return new(big.Int).Div(units, big.NewInt(1e18)) }
		for i, change := range []*big.Int{new(big.Int).Sub(tokens(is.Circulating), tokens(was.Circulating)),
			new(big.Int).Sub(tokens(is.Total), tokens(was.Total))} {
			if want := (ledger.Amount{Units: change}); sums[i].Cmp(want) != 0 {
				t.Errorf("%s: the reasons add up to %s, the books changed by %s: %q", path, sums[i], want, rows)
			}
		}
	}
	if parts < 4 {
		t.Errorf("only %d reasons in all", parts)
	}
}

// When a service comes back, open pages show the changes since then.
func liveAgain(t *testing.T, v *liveService, home, pet *tab) {
	if code := v.stop(); code != exitOK {
		t.Errorf("it ended with %d, though pages were open:\n%s", code, v.out)
	}
	v.rename(t, "Homecomer")
	v.running = start(t, v.args...)
	pet.wait(`document.querySelector("h1 bdi").textContent === "Homecomer"`)
}
