package art

import "petsupply/internal/pet"

// lookOfTraits is LookOf while pets of the default collection hold their traits as
// fields. It goes when they hold a value: then LookOf is lookOf(x.ID, x.Value).
func (p *Pack) lookOfTraits(x *pet.Pet) (l Look) {
	for i := range p.traits {
		t := &p.traits[i]
		n := x.ID
		switch t.Name {
		case "egg":
			n = uint64(x.Egg)
		case "rarity":
			n = uint64(x.Rarity)
		case "element":
			n = uint64(x.Element)
		case "appearance":
			n = uint64(x.Appearance)
		case "background":
			n = uint64(x.Background)
		case "shiny":
			n = uint64(x.Shiny)
		case idTrait:
		default:
			copied := *x
			return p.lookOf(x.ID, copied.Value())
		}
		l.values[i] = t.truth(n)
	}
	return l
}
