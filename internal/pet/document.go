package pet

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
)

// A Prepared is a pet in memory, with what is dear to make of it done already.
type Prepared struct {
	Pet
	called string // the name that its owner gave it, fit to be shown, between JSON's quotes; "": none
	said   string // the same as rawData has it, with its quotes
	owner  casing
	fedBy  casing
}

// Keep prepares a pet.
func Prepare(p Pet) *Prepared {
	k := &Prepared{Pet: p, said: `""`, owner: casingOf(p.Owner), fedBy: casingOf(p.FedBy)}
	if p.Name != "" {
		said, _ := Words(clip(p.Name, maxRawName)).MarshalJSON() // a string always has a JSON form
		k.called, k.said = inner(Clean(p.Name)), string(said)
	}
	return k
}

// A DocumentWriter writes the documents of pets. What is not a pet's own it holds as it
// stands between JSON's quotes. It is safe for concurrent use.
type DocumentWriter struct {
	words  *Dictionary
	realms []Realm
	links  Links
}

// NewDocumentWriter makes a scribe of what Metadata is made of.
func NewDocumentWriter(d *Dictionary, l Links, realms []Realm) *DocumentWriter {
	s := &DocumentWriter{words: d.each(inner), links: Links{Pets: inner(l.Pets), Site: inner(l.Site)}}
	for _, r := range realms {
		r.Name = inner(r.Name)
		s.realms = append(s.realms, r)
	}
	return s
}

// Append appends the JSON form of the pet's Metadata to dst, byte for byte as
// encoding/json writes it without HTML escapes, at a small part of the cost: it
// is what most callers ask for, and too much to be kept ready for every pet.
func (s *DocumentWriter) Append(dst []byte, k *Prepared, v string) []byte {
	var data Data
	family := k.read(&data, s.words, s.realms)
	b := buffer(dst)
	b = k.appendName(b.raw(`{"name":"`), &data)
	b = b.text(`","description":"`, k.lore(family))
	if before, after := k.whereabouts(&data); after != "" {
		b = b.text(before, data.Realm).raw(after)
	}
	b = b.text(`","image":"`, s.links.Pets).number(`/image/`, k.ID).text(`?v=`, v)
	b = b.text(`","external_url":"`, s.links.Site).number(`/pet/`, k.ID)
	b = k.appendAttributes(b.raw(`","attributes":[`), &data)
	b = k.appendData(b.raw(`],"data":{`), &data)
	b = k.appendRaw(b.raw(`},"rawData":{`))
	return b.raw(`}}`)
}

// appendName appends what DisplayName returns.
func (k *Prepared) appendName(b buffer, data *Data) buffer {
	if k.called != "" {
		return b.raw(k.called)
	}
	return b.raw(data.Creature).number(` #`, data.Number)
}

func (k *Prepared) appendAttributes(b buffer, data *Data) buffer {
	b = b.text(`{"trait_type":"Creature","value":"`, data.Creature)
	b = b.trait("Family", data.Family)
	b = b.trait("Egg Type", data.EggType)
	b = b.count("Season", k.Season)
	b = b.text(`},{"trait_type":"Rarity","value":"`, data.Rarity)
	b = b.trait("Element", data.Element)
	b = b.trait("Background", data.Background)
	b = b.trait("Shiny", yes(data.Shiny))
	b = b.count("Bonus Count", k.BonusCount)
	b = b.text(`},{"trait_type":"Gathering Bonus Type","value":"`, data.GatheringBonusType)
	b = b.trait("Gathering Bonus", data.GatheringBonus)
	b = b.trait("Gathering Bonus Rarity", data.GatheringBonusRarity)
	b = b.count("Gathering Bonus Scalar", k.GatheringScalar)
	b = b.text(`},{"trait_type":"Crafting Bonus Type","value":"`, data.CraftingBonusType)
	b = b.trait("Crafting Bonus", data.CraftingBonus)
	b = b.trait("Crafting Bonus Rarity", data.CraftingBonusRarity)
	b = b.count("Crafting Bonus Scalar", k.CraftingScalar)
	b = b.text(`},{"trait_type":"Combat Bonus","value":"`, data.CombatBonus)
	b = b.trait("Combat Bonus Rarity", data.CombatBonusRarity)
	b = b.count("Combat Bonus Scalar", k.CombatScalar)
	b = b.text(`},{"trait_type":"Realm","value":"`, data.Realm)
	b = b.trait("Native Realm", data.NativeRealm)
	b = b.trait("In Transit", yes(k.InTransit))
	b = b.raw(`"`)
	if dated(k.HungryAt) {
		b = b.number(`},{"trait_type":"Hungry At","value":`, k.HungryAt).raw(`,"display_type":"date"`)
	}
	if dated(k.EquippableAt) {
		b = b.number(`},{"trait_type":"Equippable At","value":`, k.EquippableAt).raw(`,"display_type":"date"`)
	}
	return b.raw(`}`)
}

func (k *Prepared) appendData(b buffer, data *Data) buffer {
	b = k.appendName(b.raw(`"name":"`), data)
	b = b.text(`","creature":"`, data.Creature)
	b = b.text(`","family":"`, data.Family)
	b = b.text(`","eggtype":"`, data.EggType)
	b = b.number(`","season":`, uint64(data.Season))
	b = b.text(`,"background":"`, data.Background)
	b = b.text(`","pool":"`, data.EggType)
	b = b.text(poolOf+`","rarity":"`, data.Rarity)
	b = b.text(`","element":"`, data.Element)
	b = b.truth(`","shiny":`, data.Shiny)
	b = b.number(`,"bonuscount":`, uint64(data.BonusCount))
	b = b.text(`,"gatheringbonus":"`, data.GatheringBonus)
	b = b.text(`","gatheringbonustype":"`, data.GatheringBonusType)
	b = b.text(`","gatheringbonusrarity":"`, data.GatheringBonusRarity)
	b = b.number(`","gatheringbonusscalar":`, uint64(data.GatheringBonusScalar))
	b = b.text(`,"craftingbonus":"`, data.CraftingBonus)
	b = b.text(`","craftingbonustype":"`, data.CraftingBonusType)
	b = b.text(`","craftingbonusrarity":"`, data.CraftingBonusRarity)
	b = b.number(`","craftingbonusscalar":`, uint64(data.CraftingBonusScalar))
	b = b.text(`,"combatbonus":"`, data.CombatBonus)
	b = b.text(`","combatbonusrarity":"`, data.CombatBonusRarity)
	b = b.number(`","combatbonusscalar":`, uint64(data.CombatBonusScalar))
	b = b.text(`,"animation":"`, data.Animation)
	b = b.text(`","realm":"`, data.Realm)
	b = b.text(`","nativerealm":"`, data.NativeRealm)
	b = b.number(`","number":`, data.Number)
	b = b.address(`,"owner":"`, k.Owner, k.owner)
	b = b.truth(`","intransit":`, data.InTransit)
	b = b.truth(`,"realmclosed":`, data.RealmClosed)
	return b.number(`,"block":`, data.Block)
}

func (k *Prepared) appendRaw(b buffer) buffer {
	b = b.number(`"id":`, k.ID)
	b = b.number(`,"originid":`, uint64(k.Origin))
	b = b.text(`,"name":`, k.said)
	b = b.number(`,"season":`, uint64(k.Season))
	b = b.number(`,"eggtype":`, uint64(k.Egg))
	b = b.number(`,"rarity":`, uint64(k.Rarity))
	b = b.number(`,"element":`, uint64(k.Element))
	b = b.number(`,"bonuscount":`, uint64(k.BonusCount))
	b = b.number(`,"profbonus":`, uint64(k.Gathering))
	b = b.number(`,"profbonusscalar":`, uint64(k.GatheringScalar))
	b = b.number(`,"craftbonus":`, uint64(k.Crafting))
	b = b.number(`,"craftbonusscalar":`, uint64(k.CraftingScalar))
	b = b.number(`,"combatbonus":`, uint64(k.Combat))
	b = b.number(`,"combatbonusscalar":`, uint64(k.CombatScalar))
	b = b.number(`,"appearance":`, uint64(k.Appearance))
	b = b.number(`,"background":`, uint64(k.Background))
	b = b.number(`,"shiny":`, uint64(k.Shiny))
	b = b.number(`,"hungryat":"`, k.HungryAt)
	b = b.number(`","equippableat":"`, k.EquippableAt)
	if k.EquippedTo.IsUint64() {
		b = b.number(`","equippedto":"`, k.EquippedTo.Uint64())
	} else {
		b = b.text(`","equippedto":"`, k.EquippedTo.Dec())
	}
	b = b.raw(`"`)
	if !k.StructV1 {
		b = b.address(`,"fedby":"`, k.FedBy, k.fedBy)
		b = b.number(`","foodtype":`, uint64(k.FoodType))
	}
	return b
}

// A buffer has JSON appended to it. What a method is given before a value is
// written as it is: the key, and what joins it to the value before.
type buffer []byte

func (b buffer) raw(s string) buffer { return append(b, s...) }

// text appends what stands between quotes already; the next piece closes it.
func (b buffer) text(before, s string) buffer { return append(append(b, before...), s...) }

func (b buffer) number(before string, n uint64) buffer {
	return strconv.AppendUint(append(b, before...), n, 10)
}

func (b buffer) truth(before string, t bool) buffer {
	return strconv.AppendBool(append(b, before...), t)
}

func (b buffer) address(before string, a common.Address, c casing) buffer {
	return c.append(append(b, before...), a)
}

// trait and count append a further attribute: trait one behind text, and count
// one with a number behind text.
func (b buffer) trait(name, value string) buffer {
	return b.raw(`"},{"trait_type":"`).raw(name).raw(`","value":"`).raw(value)
}

func (b buffer) count(name string, n uint8) buffer {
	return b.raw(`"},{"trait_type":"`).raw(name).number(`","value":`, uint64(n)).raw(`,"display_type":"number"`)
}

// A casing says which digits of an address are capital in its checksummed form,
// a bit for each. To find that out a hash is needed.
type casing uint64

func casingOf(a common.Address) casing {
	if a == (common.Address{}) {
		return 0 // most pets were fed by nobody
	}
	var c casing
	for i, d := range a.Hex()[2:] {
		if d >= 'A' {
			c |= casing(d&0x20^0x20) >> 5 << i
		}
	}
	return c
}

// append appends the checksummed form of the address.
func (c casing) append(b []byte, a common.Address) []byte {
	const digits = "0123456789abcdef"
	b = append(b, "0x"...)
	for i, x := range a {
		two := byte(c >> (2 * i))
		b = append(b, digits[x>>4]-two&1<<5, digits[x&15]-two>>1&1<<5)
	}
	return b
}

// inner returns s as it stands between quotes in JSON that is not for HTML.
func inner(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return string(text[1 : len(text)-1])
}
