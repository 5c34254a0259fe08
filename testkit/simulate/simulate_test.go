package simulate

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	seconds = flag.Int("seconds", 0, "how long to draw new seeds")
	first   = flag.Uint64("seed", 0, "the first new seed; 0 for one by the clock")
	kinds   = flag.String("kinds", "", "only these kinds of faults, such as claim,flaky")
	keep    = flag.Bool("keep", false, "shorten failing runs of new seeds and save them in testdata")
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // time matters more than memory here
	os.Exit(m.Run())
}

// A kept failure is a scenario that once broke a rule.
type kept struct {
	Broke    string   `json:"broke"` // what it broke before the fix
	Scenario Scenario `json:"scenario"`
}

// TestKeptFailures replays every scenario that once broke a rule.
func TestKeptFailures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no kept failures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var k kept
			if err := json.Unmarshal(text, &k); err != nil {
				t.Fatal(err)
			}
			if f := Run(t, k.Scenario).Failure; f != nil {
				t.Errorf("it breaks again: %s\nbefore it broke: %s", f, k.Broke)
			}
		})
	}
}

// TestFixedSeeds plays four worlds with tokens and two with pets, the first of each kind twice.
// make simulate plays new ones.
func TestFixedSeeds(t *testing.T) {
	for _, seed := range []uint64{2, 3, 4003, 4017} {
		fixed(t, Draw(seed), seed == 2)
	}
	for _, seed := range []uint64{1002, 5003} {
		fixed(t, DrawPets(seed), seed == 1002)
	}
}

// fixed plays a scenario in which no rule is broken. If twice is set, it must give the same trace
// again, on one processor: on several, requests of the same moment can begin in any order.
func fixed(t *testing.T, s Scenario, twice bool) {
	t.Helper()
	if twice {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	}
	result := Run(t, s)
	if f := result.Failure; f != nil {
		t.Errorf("seed %d: %s", s.Seed, f)
	}
	if twice && Run(t, s).Trace != result.Trace {
		t.Errorf("seed %d gave two different traces", s.Seed)
	}
}

// TestNewSeeds draws new seeds for as long as the flag says, half of them worlds with pets. It logs
// how often each fault and each outcome occurred.
func TestNewSeeds(t *testing.T) {
	seed := *first
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	mix := strings.FieldsFunc(*kinds, func(r rune) bool { return r == ',' })
	for name, draw := range map[string]func(uint64, ...string) Scenario{"figures": Draw, "pets": DrawPets} {
		t.Run(name, func(t *testing.T) {
			until := time.Now().Add(time.Duration(*seconds) * time.Second / 2)
			newSeeds(t, until, seed, func(seed uint64) Scenario { return draw(seed, mix...) })
		})
	}
}

func newSeeds(t *testing.T, until time.Time, seed uint64, draw func(uint64) Scenario) {
	found := map[string]bool{}
	seen := map[string]int{}
	for ; time.Now().Before(until); seed++ {
		s := draw(seed)
		result := Run(t, s)
		seen["runs"]++
		seen["steps"] += result.Steps
		seen["simulated minutes"] += s.Minutes
		for what, n := range result.Seen {
			seen[what] += n
		}
		for _, f := range s.Faults {
			seen["fault "+f.Kind]++
		}
		f := result.Failure
		if f == nil || found[f.Kind+f.Cause] {
			continue
		}
		found[f.Kind+f.Cause] = true
		t.Errorf("seed %d: %s", seed, f)
		if *keep {
			save(t, Shorten(t, s, f, 40), f)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(seen)) {
		t.Logf("%9d %s", seen[what], what)
	}
}

var notWord = regexp.MustCompile(`[^a-z]+`)

// save keeps a failing scenario.
func save(t *testing.T, s Scenario, f *Failure) {
	t.Helper()
	text, err := json.MarshalIndent(kept{Broke: f.String(), Scenario: s}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	name := notWord.ReplaceAllString(strings.ToLower(f.Kind+" "+f.Cause), "-")
	name = filepath.Join("testdata", fmt.Sprintf("%s-%d.json", name[:min(60, len(name))], s.Seed))
	if err := os.WriteFile(name, append(text, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Logf("saved %s: %v", name, s.Faults)
}
