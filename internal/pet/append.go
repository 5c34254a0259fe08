package pet

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
)

// AppendMetadata appends the JSON form of the pet's Metadata to dst, byte for
// byte as encoding/json writes it without HTML escapes, at a small part of the
// cost: it is what most callers ask for, and too much to be kept ready for
// every pet.
func (p Pet) AppendMetadata(dst []byte, d *Dictionary, l Links, realms []Realm, v string) []byte {
	data := p.data(d, realms)
	b := buffer(dst)
	b = b.text(`{"name":`, data.Name)
	b = b.text(`,"description":`, p.description(d, data))
	b = b.raw(`,"image":"`)
	b = b.inner(l.Pets)
	b = b.number(`/image/`, p.ID)
	b = b.raw(`?v=`)
	b = b.inner(v)
	b = b.raw(`","external_url":"`)
	b = b.inner(l.Site)
	b = b.number(`/pet/`, p.ID)
	b = b.raw(`","attributes":[`)
	b = p.appendAttributes(b, &data)
	b = b.raw(`],"data":{`)
	b = data.append(b)
	b = b.raw(`},"rawData":{`)
	b = p.appendRaw(b)
	b = b.raw(`}}`)
	return b
}

func (p *Pet) appendAttributes(b buffer, data *Data) buffer {
	b = b.text(`{"trait_type":"Creature","value":`, data.Creature)
	b = b.trait("Family", data.Family)
	b = b.trait("Egg Type", data.EggType)
	b = b.count("Season", p.Season)
	b = b.trait("Rarity", data.Rarity)
	b = b.trait("Element", data.Element)
	b = b.trait("Background", data.Background)
	b = b.trait("Shiny", yes(data.Shiny))
	b = b.count("Bonus Count", p.BonusCount)
	b = b.trait("Gathering Bonus Type", data.GatheringBonusType)
	b = b.trait("Gathering Bonus", data.GatheringBonus)
	b = b.trait("Gathering Bonus Rarity", data.GatheringBonusRarity)
	b = b.count("Gathering Bonus Scalar", p.GatheringScalar)
	b = b.trait("Crafting Bonus Type", data.CraftingBonusType)
	b = b.trait("Crafting Bonus", data.CraftingBonus)
	b = b.trait("Crafting Bonus Rarity", data.CraftingBonusRarity)
	b = b.count("Crafting Bonus Scalar", p.CraftingScalar)
	b = b.trait("Combat Bonus", data.CombatBonus)
	b = b.trait("Combat Bonus Rarity", data.CombatBonusRarity)
	b = b.count("Combat Bonus Scalar", p.CombatScalar)
	b = b.trait("Realm", data.Realm)
	b = b.trait("Native Realm", data.NativeRealm)
	b = b.trait("In Transit", yes(p.InTransit))
	if dated(p.HungryAt) {
		b = b.number(`},{"trait_type":"Hungry At","value":`, p.HungryAt)
		b = b.raw(`,"display_type":"date"`)
	}
	if dated(p.EquippableAt) {
		b = b.number(`},{"trait_type":"Equippable At","value":`, p.EquippableAt)
		b = b.raw(`,"display_type":"date"`)
	}
	return b.raw(`}`)
}

func (data *Data) append(b buffer) buffer {
	b = b.text(`"name":`, data.Name)
	b = b.text(`,"creature":`, data.Creature)
	b = b.text(`,"family":`, data.Family)
	b = b.text(`,"eggtype":`, data.EggType)
	b = b.number(`,"season":`, uint64(data.Season))
	b = b.text(`,"background":`, data.Background)
	b = b.text(`,"pool":`, data.Pool)
	b = b.text(`,"rarity":`, data.Rarity)
	b = b.text(`,"element":`, data.Element)
	b = b.truth(`,"shiny":`, data.Shiny)
	b = b.number(`,"bonuscount":`, uint64(data.BonusCount))
	b = b.text(`,"gatheringbonus":`, data.GatheringBonus)
	b = b.text(`,"gatheringbonustype":`, data.GatheringBonusType)
	b = b.text(`,"gatheringbonusrarity":`, data.GatheringBonusRarity)
	b = b.number(`,"gatheringbonusscalar":`, uint64(data.GatheringBonusScalar))
	b = b.text(`,"craftingbonus":`, data.CraftingBonus)
	b = b.text(`,"craftingbonustype":`, data.CraftingBonusType)
	b = b.text(`,"craftingbonusrarity":`, data.CraftingBonusRarity)
	b = b.number(`,"craftingbonusscalar":`, uint64(data.CraftingBonusScalar))
	b = b.text(`,"combatbonus":`, data.CombatBonus)
	b = b.text(`,"combatbonusrarity":`, data.CombatBonusRarity)
	b = b.number(`,"combatbonusscalar":`, uint64(data.CombatBonusScalar))
	b = b.text(`,"animation":`, data.Animation)
	b = b.text(`,"realm":`, data.Realm)
	b = b.text(`,"nativerealm":`, data.NativeRealm)
	b = b.number(`,"number":`, data.Number)
	b = b.text(`,"owner":`, data.Owner)
	b = b.truth(`,"intransit":`, data.InTransit)
	b = b.truth(`,"realmclosed":`, data.RealmClosed)
	return b.number(`,"block":`, data.Block)
}

func (p *Pet) appendRaw(b buffer) buffer {
	b = b.number(`"id":`, p.ID)
	b = b.number(`,"originid":`, uint64(p.Origin))
	b = b.words(`,"name":`, clip(p.Name, maxRawName))
	b = b.number(`,"season":`, uint64(p.Season))
	b = b.number(`,"eggtype":`, uint64(p.Egg))
	b = b.number(`,"rarity":`, uint64(p.Rarity))
	b = b.number(`,"element":`, uint64(p.Element))
	b = b.number(`,"bonuscount":`, uint64(p.BonusCount))
	b = b.number(`,"profbonus":`, uint64(p.Gathering))
	b = b.number(`,"profbonusscalar":`, uint64(p.GatheringScalar))
	b = b.number(`,"craftbonus":`, uint64(p.Crafting))
	b = b.number(`,"craftbonusscalar":`, uint64(p.CraftingScalar))
	b = b.number(`,"combatbonus":`, uint64(p.Combat))
	b = b.number(`,"combatbonusscalar":`, uint64(p.CombatScalar))
	b = b.number(`,"appearance":`, uint64(p.Appearance))
	b = b.number(`,"background":`, uint64(p.Background))
	b = b.number(`,"shiny":`, uint64(p.Shiny))
	b = b.number(`,"hungryat":"`, p.HungryAt)
	b = b.number(`","equippableat":"`, p.EquippableAt)
	if p.EquippedTo.IsUint64() {
		b = b.number(`","equippedto":"`, p.EquippedTo.Uint64())
	} else {
		b = b.raw(`","equippedto":"`)
		b = b.raw(p.EquippedTo.Dec())
	}
	b = b.raw(`"`)
	if !p.StructV1 {
		b = b.text(`,"fedby":`, address(p.FedBy))
		b = b.number(`,"foodtype":`, uint64(p.FoodType))
	}
	return b
}

// address is the checksummed form. Most pets were fed by nobody, and for that
// nothing has to be hashed.
func address(a common.Address) string {
	if a == (common.Address{}) {
		return "0x0000000000000000000000000000000000000000"
	}
	return a.Hex()
}

// A buffer has JSON appended to it. What a method is given before a value is
// written as it is: the key, and what joins it to the value before.
type buffer []byte

func (b buffer) raw(s string) buffer { return append(b, s...) }

func (b buffer) text(before, s string) buffer {
	b = append(append(b, before...), '"')
	return append(b.inner(s), '"')
}

func (b buffer) number(before string, n uint64) buffer {
	return strconv.AppendUint(append(b, before...), n, 10)
}

func (b buffer) truth(before string, t bool) buffer {
	return strconv.AppendBool(append(b, before...), t)
}

// trait and count begin a further attribute; the next one, or the end of the
// list, closes it.
func (b buffer) trait(name, value string) buffer {
	b = append(append(b, `},{"trait_type":"`...), name...)
	return b.text(`","value":`, value)
}

func (b buffer) count(name string, n uint8) buffer {
	b = append(append(b, `},{"trait_type":"`...), name...)
	return b.number(`","value":`, uint64(n)).raw(`,"display_type":"number"`)
}

// words appends a stranger's words in the form of Words.
func (b buffer) words(before, s string) buffer {
	for i := range len(s) {
		if !plain[s[i]] || s[i] == '<' || s[i] == '>' || s[i] == '&' {
			text, _ := Words(s).MarshalJSON() // a string always has a JSON form
			return append(append(b, before...), text...)
		}
	}
	return b.text(before, s)
}

// inner appends s as it stands between quotes.
func (b buffer) inner(s string) buffer {
	done := 0
	for i := 0; i < len(s); {
		if len(s)-i >= 8 && plainly(s[i:i+8]) {
			i += 8
			continue
		}
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= utf8.RuneSelf && (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
			i += size
			continue
		}
		b = append(b, s[done:i]...).escape(r)
		i += size
		done = i
	}
	return append(b, s[done:]...)
}

// plainly reports whether eight bytes stand for themselves, looking at all of
// them at once: the top bit of a byte of the sum is set if it is not ASCII,
// below a space, a quote or a backslash.
func plainly(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	quote, slash := x^ones*'"', x^ones*'\\'
	return (x|(x-ones*' ')|(quote-ones)|(slash-ones))&tops == 0
}

// escape appends a character that JSON does not hold as it is.
func (b buffer) escape(r rune) buffer {
	const hex = "0123456789abcdef"
	if i := strings.IndexRune("\"\\\b\f\n\r\t", r); i >= 0 {
		return append(b, '\\', `"\bfnrt`[i])
	}
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// plain are the bytes that stand for themselves in a JSON string.
var plain = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return t
}()
