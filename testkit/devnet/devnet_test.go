package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/testkit/kingdom"
	"petsupply/testkit/tools"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// patience is how long anything may take on a busy machine.
const patience = 3 * time.Minute

// within waits until check returns nil, and fails with its last error.
func within(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func get(url string) (int, []byte, error) {
	response, err := http.Get(url)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, body, err
}

// buildDir is the directory for programs that are built.
var buildDir string

// program builds the service once for all tests.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(buildDir, "petsupply")
	return file, tools.Program(context.Background(), file, "devnet")
})

func TestMain(m *testing.M) {
	var err error
	if buildDir, err = os.MkdirTemp("", "devnet-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(buildDir)
	os.Exit(code)
}

// exact writes an amount of 18 decimals as the service does.
func exact(units *big.Int) string {
	digits := fmt.Sprintf("%019s", units)
	cut := len(digits) - 18
	return strings.TrimSuffix(strings.TrimRight(digits[:cut]+"."+digits[cut:], "0"), ".")
}

// figures waits until the service publishes exactly what the chains say.
func figures(t *testing.T, ctx context.Context, k *kingdom.Kingdom, base string) {
	t.Helper()
	books, err := k.Books(ctx)
	must(t, err)
	for path, b := range books {
		for figure, want := range map[string]*big.Int{"totalsupply": b.Total, "circulatingsupply": b.Circulating,
			"burnedsupply": b.Burned, "lockedsupply": b.Locked} {
			within(t, func() error {
				status, body, err := get(base + path + "/" + figure)
				if err != nil || status != http.StatusOK || string(body) != exact(want) {
					return fmt.Errorf("%s of %s is %d %q, want %s (%v)", figure, path, status, body, exact(want), err)
				}
				return nil
			})
		}
	}
}

// agrees compares a pet's metadata with the contract where the pet is.
func agrees(ctx context.Context, k *kingdom.Kingdom, base string, id uint64, place kingdom.Place) error {
	status, body, err := get(fmt.Sprintf("%s/pets/token/%d", base, id))
	if err != nil || status != http.StatusOK {
		return fmt.Errorf("pet %d: %d %.300s (%v)", id, status, body, err)
	}
	if place.Transit {
		return nil // its traits are in transit
	}
	want, err := k.Read(ctx, place.Realm, id)
	if err != nil {
		return err
	}
	var got struct {
		RawData map[string]any `json:"rawData"`
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return fmt.Errorf("pet %d: %w", id, err)
	}
	for key, value := range map[string]any{
		"id": id, "rarity": want.Rarity, "eggtype": want.EggType, "appearance": want.Appearance, "shiny": want.Shiny,
		"hungryat": want.HungryAt, "equippedto": want.EquippedTo, "bonuscount": want.BonusCount,
		"combatbonus": want.CombatBonus,
	} {
		if number(got.RawData[key]) != fmt.Sprint(value) {
			return fmt.Errorf("pet %d in %s: %s is %v, want %v", id, place.Realm.Name, key, got.RawData[key], value)
		}
	}
	return nil
}

// number writes a JSON number and a string of digits alike.
func number(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.0f", f)
	}
	return fmt.Sprint(v)
}

// The kingdom changes at each tick, and the output says what happened.
func TestLive(t *testing.T) {
	k := kingdom.Test(t, kingdom.Options{Pets: 2, Seed: 1})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lines, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- live(ctx, k, 20*time.Millisecond, nil, out) }()
	said := bufio.NewScanner(lines)
	for said.Scan() && !strings.Contains(said.Text(), "pet ") {
	}
	cancel()
	go io.Copy(io.Discard, lines)
	if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := live(t.Context(), k, time.Hour, ctx.Done(), out); err == nil {
		t.Error("the end of the service is no error")
	}
}
