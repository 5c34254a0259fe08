package app_test

import (
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/app"
	"petsupply/internal/demo"
	"petsupply/internal/demo/compose"
	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// newService returns a service that will listen on a free port.
func newService(t *testing.T, a *app.App) *app.Service {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	v, err := a.NewService(t.Context(), app.ServiceConfig{Public: listener})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// openDemo opens the demo at a time.
func openDemo(t *testing.T, dir string, at time.Time) *app.App {
	t.Helper()
	s, err := compose.Settings(dir, "8080", func(name string) string {
		return map[string]string{"PETSUPPLY_DEMO_TIME": at.Format(time.RFC3339)}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	a, err := compose.Open(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

var demoNow = time.Date(2027, 2, 20, 9, 30, 0, 0, time.UTC)

// TestTheDemoHasAPast: the demo shows the same kinds of data as a real service after a month.
func TestTheDemoHasAPast(t *testing.T) {
	a := openDemo(t, t.TempDir(), demoNow)
	again := openDemo(t, t.TempDir(), demoNow)
	kinds := map[string]int{}
	for _, token := range a.Settings.Tokens {
		events, err := a.Store.Events(t.Context(), token.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			kinds[token.Path+" "+e.Kind]++
		}
		points, err := a.Store.History(t.Context(), token.Path, demoNow.AddDate(0, -2, 0), demoNow, 100)
		if err != nil || len(points) < 30 || !points[len(points)-1].AsOf.After(demoNow.Add(-time.Minute)) {
			t.Fatalf("%s has %d points, %v", token.Path, len(points), err)
		}
		same, err := again.Store.History(t.Context(), token.Path, demoNow.AddDate(0, -2, 0), demoNow, 100)
		if diff := cmp.Diff(ids(points), ids(same)); err != nil || diff != "" {
			t.Errorf("the same moment gives another past of %s: %v\n%s", token.Path, err, diff)
		}
	}
	for _, want := range []string{"jade held", "jade released", "jewel corrected"} {
		if kinds[want] == 0 {
			t.Errorf("nothing of the kind %q is in its past: %v", want, kinds)
		}
	}
	changes := allChanges(t, a)
	seen := map[string]bool{}
	for _, c := range changes {
		seen[c.Kind] = true
		for _, f := range c.Fields {
			seen[f.Field] = true
		}
	}
	for _, want := range []string{"moved", "burned", "name", "hungryat", "fedby", "owner", "intransit"} {
		if !seen[want] {
			t.Errorf("no pet has %q in its past", want)
		}
	}
	if diff := cmp.Diff(changes, allChanges(t, again)); diff != "" {
		t.Errorf("the same moment gives another feed:\n%s", diff)
	}
}

func ids(points []supply.Point) (list []string) {
	for _, p := range points {
		list = append(list, p.ID)
	}
	return list
}

func allChanges(t *testing.T, a *app.App) []pet.Change {
	t.Helper()
	since := uint64(0)
	list, err := a.Store.ChangesSince(t.Context(), &since, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestTheDemoGoesOn: a later start continues from the store, reads the nodes of the demo's world,
// and ends with the current figures and pets.
func TestTheDemoGoesOn(t *testing.T) {
	dir := t.TempDir()
	later := demoNow.Add(77 * time.Hour)
	first := openDemo(t, dir, demoNow)
	before := allChanges(t, first)
	first.Close()
	a := openDemo(t, dir, later)
	v := newService(t, a)
	if won, err := a.Store.Campaign(t.Context(), "test", time.Minute); err != nil || !won {
		t.Fatalf("taking the lease: %v, %v", won, err)
	}
	if err := v.Refresher().Step(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second round finds pets that moved from one realm to another
		for _, x := range v.Indexers() {
			for more := true; more; {
				result, err := x.Step(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				more = result.More
			}
		}
	}
	for _, s := range a.Board.Now().States {
		if s.Status != supply.Demo || s.Hold != nil || later.Sub(s.Snapshot.AsOf) > time.Minute {
			t.Errorf("%s is %s as of %s, held: %v", s.Token.Path, s.Status, s.Snapshot.AsOf, s.Hold)
		}
	}
	after := allChanges(t, a)
	if len(after) < len(before)+20 {
		t.Errorf("%d changes became %d", len(before), len(after))
	}
	fresh := openDemo(t, t.TempDir(), later)
	for _, p := range demo.Pets(a.Packs.Current().Tables()) {
		had, err := a.Store.PetsByID(t.Context(), []uint64{p.ID})
		if err != nil {
			t.Fatal(err)
		}
		want, err := fresh.Store.PetsByID(t.Context(), []uint64{p.ID})
		if err != nil {
			t.Fatal(err)
		}
		got := had[p.ID]
		now := want[p.ID]
		if got.InTransit && now.InTransit {
			continue // its last place may differ, because it depends on earlier reads
		}
		if got.Name != now.Name || got.Owner != now.Owner || got.Realm != now.Realm || got.InTransit != now.InTransit ||
			got.Value != now.Value {
			t.Errorf("pet %d is\n%+v, and it should be\n%+v", p.ID, got, now)
		}
	}
}

// TestTheSpecificationsNameTheConfiguredLicence: the specifications of a service have the licence
// that its configuration names for the data.
func TestTheSpecificationsNameTheConfiguredLicence(t *testing.T) {
	a := openDemo(t, t.TempDir(), demoNow)
	a.Settings.About.Licence = "CC-BY-4.0"
	v := newService(t, a)
	for _, d := range v.Specs() {
		if !strings.Contains(string(d.JSON()), `"license": {"name": "CC-BY-4.0"}`) {
			t.Errorf("the specification does not name the licence: %.200s", d.JSON())
		}
	}
}
