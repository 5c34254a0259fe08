package demo

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// petsPerRealm is how many pets each realm has, numbered from 1 without gaps.
const petsPerRealm = 1200

// Realms returns the three realms. None of them is closed, and their contracts are invented.
func Realms() []pet.Realm {
	realms := []pet.Realm{
		{Key: "first", Name: "Greenhollow", Chain: "first", Getter: "v1"},
		{Key: "second", Name: "Emberreach", Chain: "second", Getter: "v2"},
		{Key: "third", Name: "Cloudharbour", Chain: "third", Getter: "v2"},
	}
	for i := range realms {
		offset := uint64(i) * pet.Band
		realms[i].Offset = &offset
		realms[i].Contract = petContract(i)
		realms[i].Custody = []common.Address{custody(i)}
	}
	return realms
}

// petContract and custody are the addresses of a realm's contract and bridge.
func petContract(realm int) common.Address { return address("pets/" + networks[realm].Name) }
func custody(realm int) common.Address     { return address("bridge/" + networks[realm].Name) }

// A fate is a pet and the values of its fields, which are not yet encoded.
type fate struct {
	pet.Pet
	traits map[string]uint64 // by the field's name
	fedBy  common.Address
}

// named has the pets that visitors see first, by id. Each function sets the properties of one pet.
var named = map[uint64]func(*fate){
	1: func(f *fate) {
		f.Name = "Pebblewick"
		f.looks(0, 3, 3)
		f.place(0)
		f.traits["element"] = 1
		f.traits["shiny"] = 0
	},
	2:              func(f *fate) { f.Name = "Burr"; f.looks(1, 5, 1); f.place(1) },
	3:              func(f *fate) { f.Name = "Thimble"; f.looks(2, 9, 2); f.place(9) },
	4:              func(f *fate) { f.looks(3, 12, 0); f.place(5) },
	5:              func(f *fate) { f.Name = "Old Marrow"; f.looks(4, 15, 4); f.traits["shiny"] = 1 },
	7:              func(f *fate) { f.looks(4, 0, 4) },
	12:             func(f *fate) { f.Name = "Søren ✨" },
	pet.Band + 1:   func(f *fate) { f.Name = "Cinder"; f.looks(4, 3, 4); f.place(4); f.traits["element"] = 0 },
	pet.Band + 2:   func(f *fate) { f.Realm = "third" },
	pet.Band + 3:   func(f *fate) { f.Realm = "first"; f.Name = "Wayfarer" },
	2*pet.Band + 1: func(f *fate) { f.Name = "Gale"; f.looks(3, 6, 2); f.place(5); f.traits["element"] = 3 },
	2*pet.Band + 2: func(f *fate) { f.Realm = "second" },
	2*pet.Band + 3: func(f *fate) { f.InTransit = true; f.Name = "Between" },
}

func (f *fate) looks(egg, appearance, rarity uint64) {
	f.traits["eggType"] = egg
	f.traits["appearance"] = appearance
	f.traits["rarity"] = rarity
}

func (f *fate) place(background uint64) { f.traits["background"] = background }

// Pets makes every pet of the kingdom as it was at End, in the order of their ids, as values of the
// default collection. The pack's tables say which appearances and bonuses there are; all of them occur.
func Pets(words map[string]collection.Table) []pet.Pet { return first(words, petsPerRealm) }

// Sample returns the first pets of each realm. If another version of the program makes other pets,
// its sample differs.
func Sample(words map[string]collection.Table) []pet.Pet { return first(words, 20) }

// first returns pets of each realm, with the numbers 1 to count.
func first(words map[string]collection.Table, count uint64) []pet.Pet {
	w := newPetWorld(words)
	c := collection.Pets()
	var out []pet.Pet
	for r, realm := range Realms() {
		for n := uint64(1); n <= count; n++ {
			out = append(out, w.fate(r, n).pet(c, realm.Getter == "v2"))
		}
	}
	return out
}

// pet encodes the values of f's fields and returns the pet. remembers is true for getPetV2, which
// says who fed the pet.
func (f *fate) pet(c *collection.Collection, remembers bool) pet.Pet {
	texts := map[string]string{}
	for name, n := range f.traits {
		texts[name] = strconv.FormatUint(n, 10)
	}
	if remembers {
		texts["fedBy"] = f.fedBy.Hex()
	} else {
		delete(texts, "foodType")
	}
	var err error
	f.Value, _, err = c.FromTexts(texts)
	if err != nil {
		panic(err) // cannot happen: these are fields of the default collection
	}
	return f.Pet
}

// choices has what the pack's tables allow: the values of the bonuses, the number of appearances of
// each egg, and the number of backgrounds.
type choices struct {
	appearances                 [5]int
	gathering, crafting, combat []uint64
	backgrounds                 int
}

func kinds(words map[string]collection.Table) choices {
	k := choices{
		gathering:   numbers(words["gathering"], ""),
		crafting:    numbers(words["crafting"], ""),
		combat:      numbers(words["combat"], ""),
		backgrounds: max(len(words["backgrounds"]), 1),
	}
	for egg := range k.appearances {
		k.appearances[egg] = len(numbers(words["appearances"], strconv.Itoa(egg)))
	}
	return k
}

// numbers returns the numbers that keys of t begin with, ascending. A key has one or more parts,
// separated by a zero byte. If within is not empty, numbers takes only keys whose first part equals
// within, and returns their second parts.
func numbers(t collection.Table, within string) []uint64 {
	found := map[uint64]bool{}
	for key := range t {
		parts := strings.Split(key, "\x00")
		if within != "" {
			if parts[0] != within || len(parts) < 2 {
				continue
			}
			parts = parts[1:]
		}
		if n, err := strconv.ParseUint(parts[0], 10, 64); err == nil {
			found[n] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// fate makes a pet as it was at End.
func (w *petWorld) fate(realm int, n uint64) *fate {
	r := uint64(realm)
	at := func(topic string) uint64 { return toss(topic, r, n) }
	f := &fate{Pet: pet.Pet{ID: r*pet.Band + n, Realm: networks[realm].Name, Owner: owner(at("owner"))}}
	egg := eggOf(r, n)
	hatched := Start.Add(time.Duration(at("hatched") % uint64(End.Sub(Start))))
	looks := uint64(w.choices.appearances[egg] + 1) // with appearance 0, the egg itself
	f.traits = map[string]uint64{
		"originId": r, "season": 1 + n*4/(petsPerRealm+1), "eggType": egg,
		"rarity":  uint64(weighted(at("rarity"), 50, 25, 14, 7, 4)),
		"element": at("element") % 8, "background": at("background") % uint64(w.choices.backgrounds), "shiny": 0,
		"appearance":   (w.siblings()[realm][n]*7 + 1) % looks,
		"hungryAt":     uint64(hatched.Add(time.Duration(at("hungry")%240) * time.Hour).Unix()),
		"equippableAt": uint64(hatched.Unix()), "equippedTo": 0, "foodType": 0,
	}
	if at("shiny")%20 == 0 {
		f.traits["shiny"] = 1
	}
	w.choices.bonuses(f, n, at)
	if at("equipped")%6 == 0 {
		f.traits["equippedTo"] = r*pet.Band + 1 + at("hero")%90_000
	}
	if at("fed")%3 == 0 {
		f.fedBy = owner(at("feeder"))
		f.traits["foodType"] = 1 + at("food")%3
	}
	if adjust := named[f.ID]; adjust != nil {
		adjust(f)
	}
	f.ChangedAt = networks[realm].Blocks.Time(networks[realm].Blocks.Newest(hatched))
	f.Block = networks[realm].Blocks.Newest(hatched)
	return f
}

func eggOf(r, n uint64) uint64 { return uint64(weighted(toss("egg", r, n), 6, 5, 5, 5, 2)) }

// countSiblings returns, for each pet of each realm, how many earlier pets of that realm have
// the same egg type. A pet's appearance depends on this number, so that every appearance of each
// egg type occurs.
func countSiblings() *[3][petsPerRealm + 1]uint64 {
	out := new([3][petsPerRealm + 1]uint64)
	for r := range out {
		var seen [5]uint64
		for n := 1; n <= petsPerRealm; n++ {
			egg := eggOf(uint64(r), uint64(n))
			out[r][n] = seen[egg]
			seen[egg]++
		}
	}
	return out
}

// bonuses gives a rarer pet more bonuses. The pet's number n selects them from the lists, so that
// every bonus occurs.
func (k choices) bonuses(f *fate, n uint64, at func(string) uint64) {
	count := min(3, 1+at("bonuses")%2+f.traits["rarity"]/2)
	f.traits["bonusCount"] = count
	for i, one := range []struct {
		topic, field string
		from         []uint64
	}{{"gathering", "profBonus", k.gathering}, {"crafting", "craftBonus", k.crafting},
		{"combat", "combatBonus", k.combat}} {
		f.traits[one.field] = 0
		f.traits[one.field+"Scalar"] = 0
		if uint64(i) < count && len(one.from) > 0 {
			f.traits[one.field] = one.from[(n+at(one.topic)%3)%uint64(len(one.from))]
			f.traits[one.field+"Scalar"] = 5 + at(one.topic+"/scalar")%20
		}
	}
}

// owner returns one of the 97 owners of pets. The number n selects the owner.
func owner(n uint64) common.Address {
	return address("keeper/" + strconv.FormatUint(n%97, 10))
}
