package pet

import (
	"strconv"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
)

// AppendMetadata appends the JSON form of the pet's Metadata to dst, byte for
// byte as encoding/json writes it without HTML escapes, at a small part of the
// cost: it is what most callers ask for, and too much to be kept ready for
// every pet.
func (p Pet) AppendMetadata(dst []byte, d *Dictionary, l Links, realms []Realm, v string) []byte {
	data := p.data(d, realms)
	w := writer{dst}
	w.text(`{"name":`, data.Name)
	w.text(`,"description":`, p.description(d, data))
	w.raw(`,"image":"`)
	w.inner(l.Pets)
	w.number(`/image/`, p.ID)
	w.raw(`?v=`)
	w.inner(v)
	w.raw(`","external_url":"`)
	w.inner(l.Site)
	w.number(`/pet/`, p.ID)
	w.raw(`","attributes":[`)
	p.appendAttributes(&w, &data)
	w.raw(`],"data":{`)
	data.append(&w)
	w.raw(`},"rawData":{`)
	p.appendRaw(&w)
	w.raw(`}}`)
	return w.b
}

func (p *Pet) appendAttributes(w *writer, data *Data) {
	w.text(`{"trait_type":"Creature","value":`, data.Creature)
	w.trait("Family", data.Family)
	w.trait("Egg Type", data.EggType)
	w.count("Season", p.Season)
	w.trait("Rarity", data.Rarity)
	w.trait("Element", data.Element)
	w.trait("Background", data.Background)
	w.trait("Shiny", yes(data.Shiny))
	w.count("Bonus Count", p.BonusCount)
	w.trait("Gathering Bonus Type", data.GatheringBonusType)
	w.trait("Gathering Bonus", data.GatheringBonus)
	w.trait("Gathering Bonus Rarity", data.GatheringBonusRarity)
	w.count("Gathering Bonus Scalar", p.GatheringScalar)
	w.trait("Crafting Bonus Type", data.CraftingBonusType)
	w.trait("Crafting Bonus", data.CraftingBonus)
	w.trait("Crafting Bonus Rarity", data.CraftingBonusRarity)
	w.count("Crafting Bonus Scalar", p.CraftingScalar)
	w.trait("Combat Bonus", data.CombatBonus)
	w.trait("Combat Bonus Rarity", data.CombatBonusRarity)
	w.count("Combat Bonus Scalar", p.CombatScalar)
	w.trait("Realm", data.Realm)
	w.trait("Native Realm", data.NativeRealm)
	w.trait("In Transit", yes(p.InTransit))
	if dated(p.HungryAt) {
		w.number(`},{"trait_type":"Hungry At","value":`, p.HungryAt)
		w.raw(`,"display_type":"date"`)
	}
	if dated(p.EquippableAt) {
		w.number(`},{"trait_type":"Equippable At","value":`, p.EquippableAt)
		w.raw(`,"display_type":"date"`)
	}
	w.raw(`}`)
}

func (data *Data) append(w *writer) {
	w.text(`"name":`, data.Name)
	w.text(`,"creature":`, data.Creature)
	w.text(`,"family":`, data.Family)
	w.text(`,"eggtype":`, data.EggType)
	w.number(`,"season":`, uint64(data.Season))
	w.text(`,"background":`, data.Background)
	w.text(`,"pool":`, data.Pool)
	w.text(`,"rarity":`, data.Rarity)
	w.text(`,"element":`, data.Element)
	w.truth(`,"shiny":`, data.Shiny)
	w.number(`,"bonuscount":`, uint64(data.BonusCount))
	w.text(`,"gatheringbonus":`, data.GatheringBonus)
	w.text(`,"gatheringbonustype":`, data.GatheringBonusType)
	w.text(`,"gatheringbonusrarity":`, data.GatheringBonusRarity)
	w.number(`,"gatheringbonusscalar":`, uint64(data.GatheringBonusScalar))
	w.text(`,"craftingbonus":`, data.CraftingBonus)
	w.text(`,"craftingbonustype":`, data.CraftingBonusType)
	w.text(`,"craftingbonusrarity":`, data.CraftingBonusRarity)
	w.number(`,"craftingbonusscalar":`, uint64(data.CraftingBonusScalar))
	w.text(`,"combatbonus":`, data.CombatBonus)
	w.text(`,"combatbonusrarity":`, data.CombatBonusRarity)
	w.number(`,"combatbonusscalar":`, uint64(data.CombatBonusScalar))
	w.text(`,"animation":`, data.Animation)
	w.text(`,"realm":`, data.Realm)
	w.text(`,"nativerealm":`, data.NativeRealm)
	w.number(`,"number":`, data.Number)
	w.text(`,"owner":`, data.Owner)
	w.truth(`,"intransit":`, data.InTransit)
	w.truth(`,"realmclosed":`, data.RealmClosed)
	w.number(`,"block":`, data.Block)
}

func (p *Pet) appendRaw(w *writer) {
	w.number(`"id":`, p.ID)
	w.number(`,"originid":`, uint64(p.Origin))
	w.words(`,"name":`, clip(p.Name, maxRawName))
	w.number(`,"season":`, uint64(p.Season))
	w.number(`,"eggtype":`, uint64(p.Egg))
	w.number(`,"rarity":`, uint64(p.Rarity))
	w.number(`,"element":`, uint64(p.Element))
	w.number(`,"bonuscount":`, uint64(p.BonusCount))
	w.number(`,"profbonus":`, uint64(p.Gathering))
	w.number(`,"profbonusscalar":`, uint64(p.GatheringScalar))
	w.number(`,"craftbonus":`, uint64(p.Crafting))
	w.number(`,"craftbonusscalar":`, uint64(p.CraftingScalar))
	w.number(`,"combatbonus":`, uint64(p.Combat))
	w.number(`,"combatbonusscalar":`, uint64(p.CombatScalar))
	w.number(`,"appearance":`, uint64(p.Appearance))
	w.number(`,"background":`, uint64(p.Background))
	w.number(`,"shiny":`, uint64(p.Shiny))
	w.number(`,"hungryat":"`, p.HungryAt)
	w.number(`","equippableat":"`, p.EquippableAt)
	if p.EquippedTo.IsUint64() {
		w.number(`","equippedto":"`, p.EquippedTo.Uint64())
	} else {
		w.raw(`","equippedto":"`)
		w.raw(p.EquippedTo.Dec())
	}
	w.raw(`"`)
	if !p.StructV1 {
		w.text(`,"fedby":`, address(p.FedBy))
		w.number(`,"foodtype":`, uint64(p.FoodType))
	}
}

// address is the checksummed form. Most pets were fed by nobody, and for that
// nothing has to be hashed.
func address(a common.Address) string {
	if a == (common.Address{}) {
		return "0x0000000000000000000000000000000000000000"
	}
	return a.Hex()
}

// A writer appends JSON. What it is given before a value is written as it is:
// the key, and what joins it to the value before.
type writer struct{ b []byte }

func (w *writer) raw(s string) { w.b = append(w.b, s...) }

func (w *writer) text(before, s string) {
	w.b = append(append(w.b, before...), '"')
	w.inner(s)
	w.b = append(w.b, '"')
}

func (w *writer) number(before string, n uint64) {
	w.b = strconv.AppendUint(append(w.b, before...), n, 10)
}

func (w *writer) truth(before string, b bool) {
	w.b = strconv.AppendBool(append(w.b, before...), b)
}

// trait and count begin a further attribute; the next one, or the end of the
// list, closes it.
func (w *writer) trait(name, value string) {
	w.b = append(append(w.b, `},{"trait_type":"`...), name...)
	w.text(`","value":`, value)
}

func (w *writer) count(name string, n uint8) {
	w.b = append(append(w.b, `},{"trait_type":"`...), name...)
	w.number(`","value":`, uint64(n))
	w.raw(`,"display_type":"number"`)
}

// words appends a stranger's words in the form of Words.
func (w *writer) words(before, s string) {
	for i := range len(s) {
		if !plain[s[i]] || s[i] == '<' || s[i] == '>' || s[i] == '&' {
			text, _ := Words(s).MarshalJSON() // a string always has a JSON form
			w.b = append(append(w.b, before...), text...)
			return
		}
	}
	w.text(before, s)
}

// inner appends s as it stands between quotes.
func (w *writer) inner(s string) {
	done := 0
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		w.b = append(w.b, s[done:i]...)
		w.escape(r)
		i += size
		done = i
	}
	w.b = append(w.b, s[done:]...)
}

// escape appends a character that JSON does not hold as it is.
func (w *writer) escape(r rune) {
	const hex = "0123456789abcdef"
	switch r {
	case '"', '\\':
		w.b = append(w.b, '\\', byte(r))
	case '\b':
		w.b = append(w.b, `\b`...)
	case '\f':
		w.b = append(w.b, `\f`...)
	case '\n':
		w.b = append(w.b, `\n`...)
	case '\r':
		w.b = append(w.b, `\r`...)
	case '\t':
		w.b = append(w.b, `\t`...)
	default:
		w.b = append(w.b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
}

// plain are the bytes that stand for themselves in a JSON string.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()
