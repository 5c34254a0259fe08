package pet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"petsupply/internal/pet/collection"
)

// Links are the public base addresses, without trailing slash.
type Links struct {
	Pets string // of the pets interface
	Site string // of the site
	// Pictures is where pictures lie as files, each named by its version as
	// PictureFile says. "": the pets interface draws them.
	Pictures string
}

// PictureFile names the file of a picture of that version among a copy's, with
// its frame and background or without.
func PictureFile(v string, frame, background bool) string {
	switch {
	case frame && background:
		v += "-fb"
	case frame:
		v += "-f"
	case background:
		v += "-b"
	}
	return v + ".png"
}

// maxRawName is how many bytes of the owner's words rawData carries.
const maxRawName = 1024

// A Prepared pet has done already what is costly about writing its document.
type Prepared struct {
	Pet
	givenName string // by its owner, fit to be shown, between JSON's quotes; "": none
	rawName   string // the same as rawData has it, with its quotes
	owner     string // its checksummed form, which takes a hash
	fedBy     string // likewise
}

// Prepare prepares a pet.
func Prepare(p Pet) *Prepared {
	out := &Prepared{Pet: p, rawName: `""`, owner: checksummed(p.Owner), fedBy: checksummed(p.FedBy)}
	if p.Name != "" {
		out.givenName, out.rawName = inner(Clean(p.Name)), collection.QuoteVisibly(clip(p.Name, maxRawName))
	}
	return out
}

// A DocumentWriter writes the published documents of pets. What is not a pet's
// own it holds as it stands between JSON's quotes. It is safe for concurrent
// use.
type DocumentWriter struct {
	words  *Dictionary
	realms []Realm
	links  Links
}

// NewDocumentWriter makes a writer of documents with these names and addresses.
func NewDocumentWriter(d *Dictionary, l Links, realms []Realm) *DocumentWriter {
	w := &DocumentWriter{words: d.each(inner), links: Links{Pets: inner(l.Pets), Site: inner(l.Site), Pictures: inner(l.Pictures)}}
	for _, r := range realms {
		r.Name = inner(r.Name)
		w.realms = append(w.realms, r)
	}
	return w
}

// Append appends the pet's document to dst: the same bytes for the same pet,
// dictionary, realms and links. v is the picture's version, hexadecimal, which
// makes the image's address change with the picture. The form is that of
// encoding/json without HTML escapes, at a small part of the cost: this is what
// most callers ask for, and too much to be kept ready for every pet.
func (w *DocumentWriter) Append(dst []byte, p *Prepared, v string) []byte {
	var r readable
	r.fill(&p.Pet, w.words, w.realms)
	b := buffer(dst)
	b = p.appendName(b.raw(`{"name":"`), &r)
	b = b.text(`","description":"`, r.lore)
	switch {
	case p.InTransit:
		b = b.text(" It is travelling between realms and was last seen in ", r.realm).raw(".")
	case r.realmClosed:
		b = b.text(" ", r.realm).raw(" is closed; this is the last that was known.")
	}
	if w.links.Pictures == "" {
		b = b.text(`","image":"`, w.links.Pets).number(`/image/`, p.ID).text(`?v=`, v)
	} else {
		b = b.text(`","image":"`, w.links.Pictures).text(`/`, PictureFile(v, true, true))
	}
	b = b.text(`","external_url":"`, w.links.Site).number(`/pet/`, p.ID)
	b = p.appendAttributes(b.raw(`","attributes":[`), &r)
	b = p.appendData(b.raw(`],"data":{`), &r)
	b = p.appendRaw(b.raw(`},"rawData":{`))
	return b.raw(`}}`)
}

// appendName appends what DisplayName returns.
func (p *Prepared) appendName(b buffer, r *readable) buffer {
	if p.givenName != "" {
		return b.raw(p.givenName)
	}
	return b.raw(r.creature).number(` #`, r.number)
}

// appendAttributes appends the list that marketplaces show.
func (p *Prepared) appendAttributes(b buffer, r *readable) buffer {
	b = b.text(`{"trait_type":"Creature","value":"`, r.creature)
	b = b.trait("Family", r.family)
	b = b.trait("Egg Type", r.egg)
	b = b.count("Season", p.Season)
	b = b.text(`},{"trait_type":"Rarity","value":"`, r.rarity)
	b = b.trait("Element", r.element)
	b = b.trait("Background", r.background)
	b = b.trait("Shiny", yes(p.Shiny != 0))
	b = b.count("Bonus Count", p.BonusCount)
	b = b.text(`},{"trait_type":"Gathering Bonus Type","value":"`, r.gathering.trade)
	b = b.trait("Gathering Bonus", r.gathering.name)
	b = b.trait("Gathering Bonus Rarity", r.gathering.stars)
	b = b.count("Gathering Bonus Scalar", p.GatheringScalar)
	b = b.text(`},{"trait_type":"Crafting Bonus Type","value":"`, r.crafting.trade)
	b = b.trait("Crafting Bonus", r.crafting.name)
	b = b.trait("Crafting Bonus Rarity", r.crafting.stars)
	b = b.count("Crafting Bonus Scalar", p.CraftingScalar)
	b = b.text(`},{"trait_type":"Combat Bonus","value":"`, r.combat.name)
	b = b.trait("Combat Bonus Rarity", r.combat.stars)
	b = b.count("Combat Bonus Scalar", p.CombatScalar)
	b = b.text(`},{"trait_type":"Realm","value":"`, r.realm)
	b = b.trait("Native Realm", r.nativeRealm)
	b = b.trait("In Transit", yes(p.InTransit))
	b = b.raw(`"`)
	if dated(p.HungryAt) {
		b = b.number(`},{"trait_type":"Hungry At","value":`, p.HungryAt).raw(`,"display_type":"date"`)
	}
	if dated(p.EquippableAt) {
		b = b.number(`},{"trait_type":"Equippable At","value":`, p.EquippableAt).raw(`,"display_type":"date"`)
	}
	return b.raw(`}`)
}

// appendData appends the readable values, under the lower-case keys that
// consumers read.
func (p *Prepared) appendData(b buffer, r *readable) buffer {
	b = p.appendName(b.raw(`"name":"`), r)
	b = b.text(`","creature":"`, r.creature)
	b = b.text(`","family":"`, r.family)
	b = b.text(`","eggtype":"`, r.egg)
	b = b.number(`","season":`, uint64(p.Season))
	b = b.text(`,"background":"`, r.background)
	b = b.text(`","pool":"`, r.egg)
	b = b.text(` pool","rarity":"`, r.rarity)
	b = b.text(`","element":"`, r.element)
	b = b.truth(`","shiny":`, p.Shiny != 0)
	b = b.number(`,"bonuscount":`, uint64(p.BonusCount))
	b = b.text(`,"gatheringbonus":"`, r.gathering.name)
	b = b.text(`","gatheringbonustype":"`, r.gathering.trade)
	b = b.text(`","gatheringbonusrarity":"`, r.gathering.stars)
	b = b.number(`","gatheringbonusscalar":`, uint64(p.GatheringScalar))
	b = b.text(`,"craftingbonus":"`, r.crafting.name)
	b = b.text(`","craftingbonustype":"`, r.crafting.trade)
	b = b.text(`","craftingbonusrarity":"`, r.crafting.stars)
	b = b.number(`","craftingbonusscalar":`, uint64(p.CraftingScalar))
	b = b.text(`,"combatbonus":"`, r.combat.name)
	b = b.text(`","combatbonusrarity":"`, r.combat.stars)
	b = b.number(`","combatbonusscalar":`, uint64(p.CombatScalar))
	b = b.text(`,"animation":"`, none)
	b = b.text(`","realm":"`, r.realm)
	b = b.text(`","nativerealm":"`, r.nativeRealm)
	b = b.number(`","number":`, r.number)
	b = b.text(`,"owner":"`, p.owner)
	b = b.truth(`","intransit":`, p.InTransit)
	b = b.truth(`,"realmclosed":`, r.realmClosed)
	return b.number(`,"block":`, p.Block)
}

// appendRaw appends the struct's fields under their names, with the chain's own
// values. What may not be exact in JavaScript is a string, except the id, which
// always is.
func (p *Prepared) appendRaw(b buffer) buffer {
	b = b.number(`"id":`, p.ID)
	fields := p.Struct.Fields()
	for i := range fields {
		b = b.text(`,"`, fields[i].Name).raw(`":`)
		switch v := fields[i].Of(&p.Traits).(type) {
		case *uint8:
			b = strconv.AppendUint(b, uint64(*v), 10)
		case *uint16:
			b = strconv.AppendUint(b, uint64(*v), 10)
		case *uint64:
			b = b.number(`"`, *v).raw(`"`)
		case *uint256.Int:
			b = b.text(`"`, v.Dec()).raw(`"`)
		case *common.Address: // the only one
			b = b.text(`"`, p.fedBy).raw(`"`)
		case *string: // the only one
			b = b.raw(p.rawName)
		}
	}
	return b
}

// readable are a pet's values in words, and what else is looked up for its
// document.
type readable struct {
	creature, family, lore           string
	egg, rarity, element, background string
	gathering, crafting, combat      readableBonus
	realm, nativeRealm               string
	number                           uint64 // within its native realm
	realmClosed                      bool   // the realm's chain is gone: this is its last known state
}

type readableBonus struct {
	name  string
	trade string // that it serves
	stars string
}

func (r *readable) fill(p *Pet, d *Dictionary, realms []Realm) {
	look := d.Appearances[p.Egg][p.Appearance]
	family, ok := d.Families[look.Family]
	if !ok {
		family.Name = "Unknown"
	}
	r.creature, r.family, r.lore = creature(look, p.Egg, p.Appearance), family.Name, p.lore(family)
	r.egg, r.rarity, r.element, r.background = d.EggName(p.Egg), RarityName(p.Rarity), ElementName(p.Element), d.BackgroundName(p.Background)
	r.gathering = readableBonus{bonus(d.Gathering, p.Gathering, "gathering"), none, stars(p.Gathering)}
	r.crafting = readableBonus{bonus(d.Crafting, p.Crafting, "crafting"), none, stars(p.Crafting)}
	r.combat = readableBonus{bonus(d.Combat, p.Combat, "combat"), none, stars(p.Combat)}
	if p.Gathering != 0 {
		r.gathering.trade = d.trade(p.Egg)
	}
	if p.Crafting != 0 {
		r.crafting.trade = d.craft(p.Element)
	}
	r.realm, r.nativeRealm, r.number = p.Realm, "Unknown", p.ID
	if realm, ok := realmNamed(realms, p.Realm); ok {
		r.realm, r.realmClosed = realm.Name, realm.Closed
	}
	if realm, ok := HomeRealm(realms, p.ID); ok {
		r.nativeRealm, r.number = realm.Name, realm.Number(p.ID)
	}
}

// lore says what the creature is.
func (p *Pet) lore(f Family) string {
	switch {
	case f.Lore != "":
		return f.Lore
	case p.Appearance != 0:
		return fmt.Sprintf("A pet of a kind that this collection's pictures do not know yet (egg type %d, appearance %d).", p.Egg, p.Appearance)
	}
	return "A pet that has not shown yet what it will look like."
}

// dated reports whether t is a moment before the end of the year 9999, which a
// calendar can show; the chain's own extremes stand in rawData alone.
func dated(t uint64) bool { return t > 0 && t <= 253402300799 }

func yes(b bool) string {
	if b {
		return "Yes"
	}
	return "No"
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

// trait and count append a further attribute: trait one behind text, and count
// one with a number behind text.
func (b buffer) trait(name, value string) buffer {
	return b.raw(`"},{"trait_type":"`).raw(name).raw(`","value":"`).raw(value)
}

func (b buffer) count(name string, n uint8) buffer {
	return b.raw(`"},{"trait_type":"`).raw(name).number(`","value":`, uint64(n)).raw(`,"display_type":"number"`)
}

var zeroAddress = common.Address{}.Hex()

// checksummed returns the checksummed form of an address.
func checksummed(a common.Address) string {
	if a == (common.Address{}) {
		return zeroAddress // most pets were fed by nobody
	}
	return a.Hex()
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
