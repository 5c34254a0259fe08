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
	old := Place{Pet: Pet{ID: 7, Realm: "before", Owner: alice, ChangedAt: now}, Presence: owned, Here: true, Arrived: now}
	for name, test := range map[string]struct {
		owner   common.Address
		transit bool
	}{"owned": {alice, false}, "in custody": {bridge, true}} {
		realms := []Realm{{Key: "after", Offset: &home, Custody: []common.Address{bridge}}, {Key: "other", Offset: &guest}}
		s := Observation{ID: 7, Owner: test.owner, Value: traits.V2("season", 9)}
		// The realm has another key now, and is read as if for the first time.
		places, change := (&Kingdom{pets, realms}).Settle([]Place{old}, s, ObservedAt{Realm: realms[0], Block: 5, Time: now.Add(-time.Hour), Afresh: true})
		p := Published(places)
		if p == nil || p.Realm != "after" || traits.Number(p.Value, "season") != 9 || p.InTransit != test.transit || change == nil || change.Kind != Moved {
			t.Errorf("%s: %+v, %+v", name, p, change)
		}
	}
}

func TestAnOpenRealmThatShowsAnOwnerBeatsAnImport(t *testing.T) {
	first, second := uint64(0), uint64(Band)
	realms := []Realm{{Key: "gone", Offset: &first, Closed: true}, {Key: "open", Offset: &second}}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	imported := Pet{ID: 7, Realm: "gone", Owner: common.Address{1}, ChangedAt: now}
	shown := Observation{ID: 7, Owner: common.Address{2}}
	at := ObservedAt{Realm: realms[1], Block: 5, Time: now.Add(-time.Hour), Afresh: true}

	k := &Kingdom{pets, realms}
	places, _ := k.Install(nil, imported, time.Time{})
	places, _ = k.Settle(places, shown, at)
	if p := Published(places); p.Realm != "open" || p.InTransit {
		t.Errorf("imported, then seen: %+v", p)
	}
	places, _ = k.Settle(nil, shown, at)
	places, _ = k.Install(places, imported, time.Time{})
	if p := Published(places); p.Realm != "open" || p.InTransit {
		t.Errorf("seen, then imported: %+v", p)
	}
	places, _ = k.Settle(places, Observation{ID: 7}, ObservedAt{Realm: realms[1], Block: 6, Time: now})
	if p := Published(places); p.Realm != "gone" || p.InTransit {
		t.Errorf("once the open realm has it no more: %+v", p)
	}
}

func TestABlockMovesOnlyWithAChange(t *testing.T) {
	home := uint64(0)
	realm := Realm{Key: "home", Offset: &home}
	then := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	stored := Place{Pet: Pet{ID: 7, Realm: "home", Owner: common.Address{1}, Block: 50, ChangedAt: then}, Presence: owned, Here: true, Since: 40}
	for name, test := range map[string]struct {
		at    ObservedAt
		owner byte
		block uint64
	}{
		"seen again":                        {ObservedAt{Block: 90}, 1, 50},
		"read afresh":                       {ObservedAt{Block: 90, Afresh: true}, 1, 50},
		"read afresh, another's":            {ObservedAt{Block: 90, Afresh: true}, 2, 90},
		"read afresh on a shorter chain":    {ObservedAt{Block: 30, Afresh: true}, 1, 30},
		"after later blocks were undone":    {ObservedAt{Block: 60, Undo: &evm.Block{Number: 60}}, 1, 50},
		"after its own block was undone":    {ObservedAt{Block: 45, Undo: &evm.Block{Number: 45}}, 1, 45},
		"undone with what it said, as well": {ObservedAt{Block: 45, Undo: &evm.Block{Number: 45}}, 3, 45},
	} {
		test.at.Realm, test.at.Time = realm, then.Add(time.Hour)
		places, change := (&Kingdom{pets, []Realm{realm}}).Settle([]Place{stored}, Observation{ID: 7, Owner: common.Address{test.owner}}, test.at)
		p := Published(places)
		if p.Block != test.block || (change != nil) != (test.block != 50) || p.ChangedAt.Equal(then) != (test.block == 50) {
			t.Errorf("%s: %+v, %+v", name, p, change) // memory elsewhere only hears of changes
		}
	}
}
