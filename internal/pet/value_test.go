package pet

import (
	"testing"

	"petsupply/internal/pet/collection"
)

func TestTraitsAsAValue(t *testing.T) {
	c := collection.Pets()
	traits := Traits{Egg: 3, Rarity: 4, Appearance: 512, HungryAt: 1 << 40, Shiny: 1, Struct: V1}
	v := traits.Value()
	for key, want := range map[string]uint64{"egg": 3, "rarity": 4, "appearance": 512, "hungryat": 1 << 40, "shiny": 1} {
		if got := c.Uint(v, c.FieldNamed(key)); got != want {
			t.Errorf("%s is %d, want %d", key, got, want)
		}
	}
	if c.Has(v, c.FieldNamed("fedby")) {
		t.Error("the first struct has no fedBy")
	}
}
