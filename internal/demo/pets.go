package demo

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/pet"
)

// petsPerRealm are numbered from 1 without gaps.
const petsPerRealm = 1200

// Realms are the three realms, none of them closed. Their contracts are invented.
func Realms() []pet.Realm {
	realms := []pet.Realm{
		{Key: "first", Name: "Greenhollow", Chain: "first", Struct: "v1"},
		{Key: "second", Name: "Emberreach", Chain: "second", Struct: "v2"},
		{Key: "third", Name: "Cloudharbour", Chain: "third", Struct: "v2"},
	}
	for i := range realms {
		offset := uint64(i) * pet.Band
		realms[i].Offset = &offset
		realms[i].Contract = address("pets/" + realms[i].Key)
	}
	return realms
}

// named are the pets that visitors meet first.
var named = map[uint64]func(*pet.Pet){
	1: func(p *pet.Pet) {
		p.Name, p.Egg, p.Appearance, p.Rarity, p.Background, p.Element, p.Shiny = "Pebblewick", 0, 3, 3, 0, 1, 0
	},
	2:  func(p *pet.Pet) { p.Name, p.Egg, p.Appearance, p.Rarity, p.Background = "Burr", 1, 5, 1, 1 },
	3:  func(p *pet.Pet) { p.Name, p.Egg, p.Appearance, p.Rarity, p.Background = "Thimble", 2, 9, 2, 9 },
	4:  func(p *pet.Pet) { p.Egg, p.Appearance, p.Rarity, p.Background = 3, 12, 0, 5 },
	5:  func(p *pet.Pet) { p.Name, p.Egg, p.Appearance, p.Rarity, p.Shiny = "Old Marrow", 4, 15, 4, 1 },
	7:  func(p *pet.Pet) { p.Egg, p.Appearance, p.Rarity = 4, 0, 4 },
	12: func(p *pet.Pet) { p.Name = "Søren ✨" },
	pet.Band + 1: func(p *pet.Pet) {
		p.Name, p.Egg, p.Appearance, p.Rarity, p.Background, p.Element = "Cinder", 4, 3, 4, 4, 0
	},
	pet.Band + 2: func(p *pet.Pet) { p.Realm = "third" },
	pet.Band + 3: func(p *pet.Pet) { p.Realm = "first"; p.Name = "Wayfarer" },
	2*pet.Band + 1: func(p *pet.Pet) {
		p.Name, p.Egg, p.Appearance, p.Rarity, p.Background, p.Element = "Gale", 3, 6, 2, 5, 3
	},
	2*pet.Band + 2: func(p *pet.Pet) { p.Realm = "second" },
	2*pet.Band + 3: func(p *pet.Pet) { p.InTransit = true; p.Name = "Between" },
}

// Pets makes every pet of the kingdom, in the order of their ids. The
// dictionary says which appearances and bonuses there are; all of them occur.
func Pets(d *pet.Dictionary) []pet.Pet { return first(d, petsPerRealm) }

// Sample returns a few of them, by which one kingdom is told from another.
func Sample(d *pet.Dictionary) []pet.Pet { return first(d, 20) }

// first returns so many pets of each realm.
func first(d *pet.Dictionary, count uint64) []pet.Pet {
	k := kinds(d)
	var out []pet.Pet
	for r, realm := range Realms() {
		seen := map[uint8]int{} // pets of an egg type so far, to walk through all its appearances
		for n := uint64(1); n <= count; n++ {
			out = append(out, k.pet(realm, uint64(r), n, seen))
		}
	}
	return out
}

// choices are the values that the dictionary names, in order.
type choices struct {
	appearances                 [5]int
	gathering, crafting, combat []uint8
	backgrounds                 int
}

func kinds(d *pet.Dictionary) choices {
	k := choices{
		gathering:   slices.Sorted(maps.Keys(d.Gathering)),
		crafting:    slices.Sorted(maps.Keys(d.Crafting)),
		combat:      slices.Sorted(maps.Keys(d.Combat)),
		backgrounds: max(len(d.Backgrounds), 1),
	}
	for egg := range k.appearances {
		k.appearances[egg] = len(d.Appearances[uint8(egg)])
	}
	return k
}

func (k choices) pet(realm pet.Realm, r, n uint64, seen map[uint8]int) pet.Pet {
	at := func(topic string) uint64 { return toss(topic, r, n) }
	p := pet.Pet{ID: *realm.Offset + n, Realm: realm.Key, Owner: owner(at("owner"))}
	if p.Origin = uint8(r); realm.Struct == "v1" {
		p.Struct = pet.V1
	}
	p.Season = uint8(1 + n*4/(petsPerRealm+1))
	p.Egg = uint8(weighted(at("egg"), 6, 5, 5, 5, 2))
	p.Rarity = uint8(weighted(at("rarity"), 50, 25, 14, 7, 4))
	p.Element = uint8(at("element") % 8)
	p.Background = uint8(at("background") % uint64(k.backgrounds))
	if at("shiny")%20 == 0 {
		p.Shiny = 1
	}
	looks := k.appearances[p.Egg] + 1 // and the egg itself
	p.Appearance = uint16((seen[p.Egg]*7 + 1) % looks)
	seen[p.Egg]++
	k.bonuses(&p, n, at)
	hatched := Start.Add(time.Duration(at("hatched") % uint64(End.Sub(Start))))
	p.HungryAt = uint64(hatched.Add(time.Duration(at("hungry")%240) * time.Hour).Unix())
	p.EquippableAt = uint64(hatched.Unix())
	if at("equipped")%6 == 0 {
		p.EquippedTo = *uint256.NewInt(r*pet.Band + 1 + at("hero")%90_000)
	}
	if p.Struct != pet.V1 && at("fed")%3 == 0 {
		p.FedBy, p.FoodType = owner(at("feeder")), uint8(1+at("food")%3)
	}
	if adjust := named[p.ID]; adjust != nil {
		adjust(&p)
	}
	block := chains[realm.Chain].at(hatched)
	p.Block, p.ChangedAt = block.Number, block.Time
	return p
}

// bonuses gives a pet more and stronger bonuses the rarer it is. The number n
// walks through the lists, so that every bonus occurs.
func (k choices) bonuses(p *pet.Pet, n uint64, at func(string) uint64) {
	p.BonusCount = uint8(min(3, 1+at("bonuses")%2+uint64(p.Rarity)/2))
	one := func(topic string, from []uint8) (id, scalar uint8) {
		if len(from) == 0 {
			return 0, 0
		}
		return from[(n+at(topic)%3)%uint64(len(from))], uint8(5 + at(topic+"/scalar")%20)
	}
	p.Gathering, p.GatheringScalar = one("gathering", k.gathering)
	if p.BonusCount > 1 {
		p.Crafting, p.CraftingScalar = one("crafting", k.crafting)
	}
	if p.BonusCount > 2 {
		p.Combat, p.CombatScalar = one("combat", k.combat)
	}
}

// owner is one of the kingdom's keepers.
func owner(n uint64) common.Address {
	return address("keeper/" + strconv.FormatUint(n%97, 10))
}
