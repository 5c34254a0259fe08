package site

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/pet"
)

func TestPetEvents(t *testing.T) {
	s := bare(t)
	s.Realms[1].Custody = []common.Address{common.HexToAddress("0xb1")}
	at := time.Unix(1700000000, 0)
	got := s.petEvents([]pet.Change{
		{At: at, Realm: "first", Block: 1, Kind: pet.Appeared, Fields: []pet.Delta{{Field: "rarity", To: "1"}}},
		{At: at, Realm: "first", Block: 2, Kind: pet.Changed, Fields: []pet.Delta{
			{Field: "name", From: "", To: "\u202eevil"}, {Field: "rarity", From: "0", To: "4"},
			{Field: "shiny", From: "0", To: "1"},
			{Field: "hungryat", From: "0", To: "1700000000"}, {Field: "hungryat", From: "18446744073709551615", To: "x"},
			{Field: "owner", From: "0x0000000000000000000000000000000000000001",
				To: "0x0000000000000000000000000000000000000002"},
			{Field: "appearance", From: "0", To: "7"}, {Field: "unheard", From: "a", To: "b"}, {Field: "profbonus", From: "0",
				To: "251"},
		}},
		{At: at, Realm: "second", Block: 3, Kind: pet.Moved,
			Fields: []pet.Delta{{Field: "realm", From: "first", To: "elsewhere"},
				{Field: "intransit", From: "true", To: "false"}, {Field: "rarity", From: "0", To: "4"},
				{Field: "fedby", From: "", To: "0x0000000000000000000000000000000000000000"}}},
		{At: at, Realm: "second", Block: 4, Kind: pet.Gone},
		{At: at, Realm: "second", Block: 5, Kind: pet.Changed,
			Fields: []pet.Delta{{Field: "hungryat", From: "0", To: "1"}, {Field: "foodtype", From: "0", To: "1"},
				{Field: "fedby", From: "0x0000000000000000000000000000000000000000",
					To: "0x0000000000000000000000000000000000000001"}}},
		{At: at, Realm: "first", Block: 6, Kind: pet.Moved,
			Fields: []pet.Delta{{Field: "intransit", From: "false", To: "true"},
				{Field: "owner", From: "0x0000000000000000000000000000000000000001",
					To: "0x00000000000000000000000000000000000000b1"}}},
		{At: at, Realm: "second", Block: 7, Kind: pet.Moved,
			Fields: []pet.Delta{{Field: "realm", From: "first", To: "second"}}},
		{At: at, Realm: "second", Block: 8, Kind: pet.Changed,
			Fields: []pet.Delta{{Field: "foodtype", From: "0", To: "1"}}},
		{At: at, Realm: "second", Block: 9, Kind: pet.Changed, // the kinds of food have no words, so it is left out
			Fields: []pet.Delta{{Field: "season"}, {Field: "foodtype"}, {Field: "bonuscount"}, {Field: "equippableat"},
				{Field: "fedby"}}},
	})
	want := []petEvent{
		{At: at, Block: 9, Title: "Season, Bonus count and 2 more traits changed in Second", Fields: []fieldChange{
			{Field: "Season", From: "–", To: "–"}, {Field: "Bonus count", From: "–", To: "–"},
			{Field: "Equippable from", From: "–", To: "–"}, {Field: "Fed by", From: "–", To: "–"}}},
		{At: at, Block: 8, Title: "Food type changed in Second", Fields: []fieldChange{
			{Field: "Food type", From: "0", To: "1"}}},
		{At: at, Block: 7, Title: "Travelled", Fields: []fieldChange{{Field: "Realm", From: "First", To: "Second"}}},
		{At: at, Block: 6, Title: "Left First", Fields: []fieldChange{{Field: "Owner", From: "0x000000…0001",
			FromLink: "/gallery?owner=0x0000000000000000000000000000000000000001", To: "the bridge of Second"}}},
		{At: at, Block: 5, Title: "Fed in Second",
			Fields: []fieldChange{{Field: "Hungry from", From: "0", To: "1 Jan 1970, 00:00 UTC"},
				{Field: "Fed by", From: "none", To: "0x000000…0001",
					ToLink: "/gallery?owner=0x0000000000000000000000000000000000000001"}}},
		{At: at, Block: 4, Title: "Reverted by the chain"},
		{At: at, Block: 3, Title: "Arrived in elsewhere", Fields: []fieldChange{
			{Field: "Realm", From: "First", To: "elsewhere"}, {Field: "Rarity", From: "Common", To: "Mythic"}}},
		{At: at, Block: 2, Title: "New look in First", Fields: []fieldChange{
			{Field: "Name", From: "–", To: "evil"}, {Field: "Rarity", From: "Common", To: "Mythic"},
			{Field: "Shiny", From: "No", To: "Yes"}, {Field: "Hungry from", From: "0", To: "14 Nov 2023, 22:13 UTC"},
			{Field: "Hungry from", From: "18446744073709551615", To: "x"},
			{Field: "Owner", From: "0x000000…0001", To: "0x000000…0002",
				FromLink: "/gallery?owner=0x0000000000000000000000000000000000000001",
				ToLink:   "/gallery?owner=0x0000000000000000000000000000000000000002"},
			{Field: "unheard", From: "a", To: "b"},
			{Field: "Gathering bonus", From: "None", To: s.Words.FieldWord(s.Words.Collection.FieldNamed("profbonus"), 251)},
		}},
		{At: at, Block: 1, Title: "First seen in First"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStatusInWords(t *testing.T) {
	c := ChainStatus{Quorum: 2, Providers: []ProviderStatus{{Name: "a", State: "ok", Height: 10},
		{Name: "b", State: "backoff", Height: 7}, {Name: "c", State: "ok"}}}
	if c.Top().Name != "a" || c.Behind(c.Providers[1]) != 3 || c.Healthy() != 2 || !c.Enough() {
		t.Errorf("top %v, behind %v, healthy %v, enough %v", c.Top(), c.Behind(c.Providers[1]), c.Healthy(), c.Enough())
	}
	c.Providers[2].State = "open"
	if c.Enough() {
		t.Error("one of three answers, and two must agree")
	}
	if r := (RealmStatus{Block: 5, Head: 9}); r.Behind() != 4 || (RealmStatus{Block: 9, Head: 5}).Behind() != 0 {
		t.Error("a realm at block 5 of 9 is not 4 behind, or one at 9 of 5 is behind")
	}
	d := statusPage{Status: Status{Chains: []ChainStatus{c}, Realms: []RealmStatus{{Name: "First", Failing: true},
		{Name: "Second", Failing: true, Still: time.Hour}}}}
	if got := d.problems(nil, func(chain string) string { return chain }, "pets"); len(got) != 3 ||
		got[2] != "Second has not been read for 1 hour. Its pets are shown as they were before." {
		t.Errorf("the problems are %q", got)
	}
}
