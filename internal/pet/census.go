package pet

// A Kind is what pets are counted by: where they are and the traits that
// listings select by.
type Kind struct {
	Realm                                   string
	Egg, Rarity, Element, Shiny, Background uint8
}

// Kind returns what the pet is counted as.
func (p *Pet) Kind() Kind {
	return Kind{p.Realm, p.Egg, p.Rarity, p.Element, p.Shiny, p.Background}
}

// A Creature is one look of an egg type.
type Creature struct {
	Egg        uint8
	Appearance uint16
}

// A Census says how many pets there are of each kind and of each creature. It is
// kept with the pets, so that asking it costs the same however many there are.
type Census struct {
	Kinds     []KindCount
	Creatures map[Creature]uint64
}

// A KindCount is how many pets there are of a kind.
type KindCount struct {
	Kind
	Pets uint64
}

// value is the kind's value of a trait, by its column, and -1 where pets are not
// counted by it.
func (k *Kind) value(trait string) int {
	switch trait {
	case "egg":
		return int(k.Egg)
	case "rarity":
		return int(k.Rarity)
	case "element":
		return int(k.Element)
	case "shiny":
		return int(k.Shiny)
	case "background":
		return int(k.Background)
	}
	return -1
}

// selects reports whether q selects the kind, leaving one of its filters out.
func (q *Query) selects(k *Kind, besides string) bool {
	if q.Realm != nil && besides != "realm" && *q.Realm != k.Realm {
		return false
	}
	for trait, n := range q.Traits {
		if trait != besides && k.value(trait) != n {
			return false
		}
	}
	return true
}

// Count returns how many pets q selects. It is not known where q asks for more
// than pets are counted by: a keeper, a name, or a creature among other things.
func (c *Census) Count(q Query) (n uint64, known bool) {
	if q.Owner != nil || q.Name != "" {
		return 0, false
	}
	if look, ok := q.Traits["appearance"]; ok {
		egg, ok := q.Traits["egg"]
		return c.Creatures[Creature{uint8(egg), uint16(look)}], ok && len(q.Traits) == 2 && q.Realm == nil
	}
	for trait := range q.Traits {
		if new(Kind).value(trait) < 0 {
			return 0, false
		}
	}
	for i := range c.Kinds {
		if q.selects(&c.Kinds[i].Kind, "") {
			n += c.Kinds[i].Pets
		}
	}
	return n, true
}

// Realms returns how many pets the rest of q selects in each realm.
func (c *Census) Realms(q Query) map[string]uint64 {
	out := map[string]uint64{}
	for i := range c.Kinds {
		if k := &c.Kinds[i]; q.selects(&k.Kind, "realm") {
			out[k.Realm] += k.Pets
		}
	}
	return out
}

// Values returns how many pets the rest of q selects with each value of a trait.
func (c *Census) Values(q Query, trait string) map[int]uint64 {
	out := map[int]uint64{}
	for i := range c.Kinds {
		if k := &c.Kinds[i]; q.selects(&k.Kind, trait) {
			out[k.value(trait)] += k.Pets
		}
	}
	return out
}
