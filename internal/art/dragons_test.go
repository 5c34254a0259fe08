package art

import (
	"os"
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// dragons is the example collection, whose looks are slices of another field.
func dragons(t *testing.T) *collection.Collection {
	t.Helper()
	const file = "../../examples/dragons/dragons.yaml"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := collection.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestDragons: the pack of the example fits its collection, and draws every look.
func TestDragons(t *testing.T) {
	const dir = "../../examples/dragons/pack"
	c := dragons(t)
	if _, faults := Lint(c, dir); len(faults) > 0 {
		t.Fatalf("the pack has faults: %q", faults)
	}
	packs, err := OpenAll(c, nil, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	p, seen := packs.Current(), map[string]bool{}
	for genes, want := range map[string]at{
		"0":                   {},
		"66049":               {"body": 1, "wings": 2, "scales": 1},
		"196866":              {"body": 2, "wings": 1, "scales": 3},
		"1152921504606846977": {"body": 1, "scales": 0}, // other bits do not show
	} {
		v, _, err := c.FromTexts(map[string]string{"genes": genes, "tame": "true", "temper": "-4"})
		if err != nil {
			t.Fatal(err)
		}
		want["tame"] = 1
		if got := p.LookOf(pet.Pet{ID: 7, Value: v}); got != p.Look(want) {
			t.Errorf("genes %s look like %s, not %v", genes, p.describe(got), map[string]uint64(want))
		}
	}
	for body := range uint64(4) {
		for wings := range uint64(3) {
			for scales := range uint64(4) {
				traits := at{"body": body, "wings": wings, "scales": scales}
				seen[string(p.Draw(p.Look(traits), Whole))] = true
				traits["tame"] = 1
				checkMoving(t, p, traits)
			}
		}
	}
	if len(seen) != 48 {
		t.Errorf("%d pictures of 48 looks", len(seen))
	}
	if unknown := p.Look(at{"body": 15, "wings": 9}); p.PictureVersion(unknown) != p.PictureVersion(p.Look(at{"body": 7,
		"wings": 3})) {
		t.Error("genes without art make pictures of their own")
	}
	if _, err := OpenAll(pets(), nil, []string{dir}); err == nil {
		t.Error("the pack of dragons is opened for pets")
	}
}
