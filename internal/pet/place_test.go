package pet

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/testkit/traits"
)

func TestPlacesOfARealmThatIsNoLongerConfiguredNeverWin(t *testing.T) {
	home, guest := uint64(0), uint64(Band)
	alice, bridge := common.Address{1}, common.Address{2}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	old := Place{Pet: Pet{ID: 7, Realm: "before", Owner: alice, ChangedAt: now}, Presence: owned, Here: true,
		Arrived: now}
	for name, test := range map[string]struct {
		owner   common.Address
		transit bool
	}{"owned": {alice, false}, "in custody": {bridge, true}} {
		realms := []Realm{{Key: "after", Offset: &home, Custody: []common.Address{bridge}},
			{Key: "other", Offset: &guest}}
		s := Observation{ID: 7, Owner: test.owner, Value: traits.V2("season", 9)}
		// The realm has a new key, and is read as if for the first time.
		places, change := (&Registry{pets, realms}).Apply([]Place{old}, s,
			ObservedAt{Realm: realms[0], Block: 5, Time: now.Add(-time.Hour), First: true})
		p := Published(places)
		if p == nil || p.Realm != "after" || traits.Number(p.Value, "season") != 9 || p.InTransit != test.transit ||
			change == nil || change.Kind != Moved {
			t.Errorf("%s: the pet is %+v, the change %+v", name, p, change)
		}
	}
}

func TestAnOpenRealmThatShowsAnOwnerBeatsAnImport(t *testing.T) {
	first, second := uint64(0), uint64(Band)
	realms := []Realm{{Key: "gone", Offset: &first, Closed: true}, {Key: "open", Offset: &second}}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	imported := Pet{ID: 7, Realm: "gone", Owner: common.Address{1}, ChangedAt: now}
	shown := Observation{ID: 7, Owner: common.Address{2}}
	at := ObservedAt{Realm: realms[1], Block: 5, Time: now.Add(-time.Hour), First: true}

	rg := &Registry{pets, realms}
	places, _ := rg.Install(nil, imported, time.Time{})
	places, _ = rg.Apply(places, shown, at)
	if p := Published(places); p.Realm != "open" || p.InTransit {
		t.Errorf("imported, then seen: %+v", p)
	}
	places, _ = rg.Apply(nil, shown, at)
	places, _ = rg.Install(places, imported, time.Time{})
	if p := Published(places); p.Realm != "open" || p.InTransit {
		t.Errorf("seen, then imported: %+v", p)
	}
	places, _ = rg.Apply(places, Observation{ID: 7}, ObservedAt{Realm: realms[1], Block: 6, Time: now})
	if p := Published(places); p.Realm != "gone" || p.InTransit {
		t.Errorf("once the open realm has it no more: %+v", p)
	}
}

func TestABlockMovesOnlyWithAChange(t *testing.T) {
	home := uint64(0)
	realm := Realm{Key: "home", Offset: &home}
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stored := Place{Pet: Pet{ID: 7, Realm: "home", Owner: common.Address{1}, Block: 50, ChangedAt: then},
		Presence: owned, Here: true, Since: 40}
	for name, test := range map[string]struct {
		at    ObservedAt
		owner byte
		block uint64
		undo  uint64 // the last block that stays, or 0
	}{
		"seen again":                      {ObservedAt{Block: 90}, 1, 50, 0},
		"read afresh":                     {ObservedAt{Block: 90, First: true}, 1, 50, 0},
		"read afresh, another's":          {ObservedAt{Block: 90, First: true}, 2, 90, 0},
		"read afresh on a shorter chain":  {ObservedAt{Block: 30, First: true}, 1, 30, 0},
		"after later blocks were undone":  {ObservedAt{Block: 61}, 1, 50, 60},
		"after its own block was undone":  {ObservedAt{Block: 46}, 1, 46, 45},
		"after its own change was undone": {ObservedAt{Block: 46}, 3, 46, 45},
	} {
		test.at.Realm, test.at.Time = realm, then.Add(time.Hour)
		rg := &Registry{pets, []Realm{realm}}
		places := []Place{stored}
		if test.undo > 0 {
			places, _ = rg.Undo(places, realm, evm.Block{Number: test.undo, Time: then})
		}
		places, change := rg.Apply(places, Observation{ID: 7, Owner: common.Address{test.owner}}, test.at)
		p := Published(places)
		if p.Block != test.block || (change != nil) != (test.block != 50) ||
			p.ChangedAt.Equal(then) != (test.block == 50) {
			t.Errorf("%s: the pet is %+v, the change %+v", name, p, change) // caches learn only of changes
		}
	}
}

// A chain that lags behind may show a guest that has returned home and was burned there since.
func TestAGuestThatWasBurnedAtHomeStaysBurned(t *testing.T) {
	first, second := uint64(0), uint64(Band)
	alice, bridge := common.Address{1}, common.Address{2}
	home := Realm{Key: "home", Offset: &first, Custody: []common.Address{bridge}}
	host := Realm{Key: "host", Offset: &second}
	rg := &Registry{pets, []Realm{home, host}}
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	at := func(realm Realm, minutes int) ObservedAt {
		return ObservedAt{Realm: realm, Block: uint64(minutes), Event: true,
			Time: then.Add(time.Duration(minutes) * time.Minute)}
	}
	places, _ := rg.Apply(nil, Observation{ID: 7, Owner: alice}, at(home, 0))
	places, _ = rg.Apply(places, Observation{ID: 7, Owner: bridge}, at(home, 10))
	places, _ = rg.Apply(places, Observation{ID: 7}, at(home, 30)) // returned and burned since
	if places, _ = rg.Apply(places, Observation{ID: 7, Owner: alice}, at(host, 20)); Published(places) != nil {
		t.Errorf("the burned pet is back: %+v", places)
	}
}

// A pet that no realm has any more is burned, regardless of realms that cannot be asked. It stays
// burned when its realm is read again.
func TestBurnedIsAStateThatStays(t *testing.T) {
	first, second := uint64(0), uint64(Band)
	alice, bridge := common.Address{1}, common.Address{2}
	home := Realm{Key: "home", Offset: &first, Custody: []common.Address{bridge}}
	host := Realm{Key: "host", Offset: &second, Custody: []common.Address{bridge}}
	closed := Realm{Key: "home", Offset: &first, Closed: true}
	place := func(realm string, presence Presence) Place {
		return Place{Pet: Pet{ID: 7, Realm: realm}, Presence: presence, Here: presence != absent, Since: 40}
	}
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	left := Place{Pet: Pet{ID: 7, Realm: "host", ChangedAt: then, InTransit: true}, Here: true, Since: 40}
	afresh := ObservedAt{Realm: home, Block: 90, First: true, Next: 9}
	unhatched := afresh
	unhatched.Next = 7
	hosted := afresh
	hosted.Realm = host
	for name, test := range map[string]struct {
		realms []Realm
		places []Place
		at     ObservedAt
		owner  common.Address
		want   string
	}{
		"at home": {[]Realm{home, host}, []Place{place("home", owned)},
			ObservedAt{Realm: home, Block: 90}, common.Address{}, "burned"},
		"its realm had another key": {[]Realm{home, host},
			[]Place{place("before", owned), place("home", owned)}, ObservedAt{Realm: home, Block: 90},
			common.Address{}, "burned"},
		"elsewhere, its home is closed": {[]Realm{closed, host},
			[]Place{place("home", InCustody), place("host", owned)}, ObservedAt{Realm: host, Block: 90},
			common.Address{}, "burned"},
		"elsewhere, home never showed it": {[]Realm{home, host}, []Place{place("host", owned)},
			ObservedAt{Realm: host, Block: 90}, common.Address{}, "in transit"},
		"its home does not have it": {[]Realm{home, host}, []Place{left},
			ObservedAt{Realm: home, Block: 90, Time: then},
			common.Address{}, "burned"},
		"its home lags behind": {[]Realm{home, host}, []Place{left}, ObservedAt{Realm: home, Block: 90},
			common.Address{}, "in transit"},
		"elsewhere, home has custody": {[]Realm{home, host},
			[]Place{place("home", InCustody), place("host", owned)}, ObservedAt{Realm: host, Block: 90},
			common.Address{}, "in transit"},
		"read again": {[]Realm{home, host}, []Place{place("home", absent)}, afresh,
			common.Address{}, "burned"},
		"found burned by a reading": {[]Realm{home, host}, []Place{place("home", owned)}, afresh,
			common.Address{}, "burned"},
		"its hatching was undone": {[]Realm{home, host}, []Place{place("home", owned)}, unhatched,
			common.Address{}, "unknown"},
		"its host is read again": {[]Realm{home, host},
			[]Place{place("home", absent), place("host", absent)}, hosted, common.Address{}, "burned"},
		"its home shows an owner after all": {[]Realm{home, host}, []Place{place("home", absent)},
			ObservedAt{Realm: home, Block: 50}, alice, "lives"},
		"a realm shows an owner again": {[]Realm{home, host}, []Place{place("home", absent)},
			ObservedAt{Realm: host, Block: 90}, alice, "lives"},
		"another realm keeps what its guest left": {[]Realm{home, host}, []Place{place("home", absent)},
			ObservedAt{Realm: host, Block: 90}, bridge, "burned"},
		"its home turns out to have it in custody": {[]Realm{home, host}, []Place{place("host", absent)},
			ObservedAt{Realm: home, Block: 90}, bridge, "in transit"},
		"after one renaming, before the next": {[]Realm{home, host},
			[]Place{{Pet: Pet{ID: 7, Realm: "before"}, Presence: owned}, place("home", absent)},
			ObservedAt{Realm: host, Block: 90}, common.Address{}, "burned"},
		"imported into a closed realm": {[]Realm{closed, host}, []Place{place("home", InCustody)},
			ObservedAt{Realm: host, Block: 90}, common.Address{}, "in transit"},
	} {
		t.Run(name, func(t *testing.T) {
			seen := Observation{ID: 7, Owner: test.owner}
			places, change := (&Registry{pets, test.realms}).Apply(test.places, seen, test.at)
			got := "lives"
			switch p := Published(places); {
			case p == nil && len(places) == 0:
				got = "unknown"
			case p == nil:
				got = "burned"
			case p.InTransit:
				got = "in transit"
			}
			if got != test.want {
				t.Errorf("it is %s, not %s: %+v", got, test.want, places)
			}
			if got == "unknown" && (change == nil || change.Kind != Gone) {
				t.Errorf("the change is %+v", change)
			}
		})
	}
}

// A reorg removes the block in which a pet hatched, or the one in which it was last seen. The feed
// does not show the block 0 of a state that was undone.
func TestUndoneBlocks(t *testing.T) {
	first := uint64(0)
	home := Realm{Key: "home", Offset: &first}
	rg := &Registry{pets, []Realm{home}}
	at := func(n uint64) evm.Block { return evm.Block{Number: n, Time: time.Unix(int64(n), 0)} }
	seen := func(n uint64) ObservedAt { return ObservedAt{Realm: home, Block: n, Time: at(n).Time, Event: true} }
	hatched, _ := rg.Apply(nil, Observation{ID: 7, Owner: common.Address{1}}, seen(40))
	moved, _ := rg.Apply(hatched, Observation{ID: 7, Owner: common.Address{2}}, seen(50))
	if after, change := rg.Undo(moved, home, at(39)); len(after) > 0 || change == nil || change.Kind != Gone {
		t.Errorf("its hatching was undone: %+v, %+v", after, change)
	}
	after, change := rg.Undo(moved, home, at(45))
	if len(after) != 1 || after[0].Block != 0 || change == nil || change.Kind != Changed || len(change.Fields) > 0 {
		t.Errorf("its last block was undone: %+v, %+v", after, change)
	}
	again, change := rg.Apply(after, Observation{ID: 7, Owner: common.Address{2}}, seen(46))
	want := Delta{Field: "block", To: "46"}
	if again[0].Block != 46 || change == nil || len(change.Fields) != 1 || change.Fields[0] != want {
		t.Errorf("it was read again: %+v, %+v", again, change)
	}
	if after, change := rg.Undo(moved, home, at(50)); change != nil || after[0].Block != 50 {
		t.Errorf("nothing of it was undone: %+v, %+v", after, change)
	}
}
