// Package traits makes traits of pets for tests, as values of the default collection.
package traits

import (
	"fmt"
	"sync"

	"petsupply/internal/pet/collection"
)

// Pets is the default collection.
var Pets = sync.OnceValue(collection.Pets)

// V2 returns the traits of a pet of the second struct. Those that are not named are 0:
// traits.V2("egg", 3, "rarity", 4). A name is that of rawData, or a field's key.
func V2(pairs ...any) collection.Value { return value(true, pairs) }

// V1 is V2 for a pet of the first struct, which has neither fedby nor foodtype.
func V1(pairs ...any) collection.Value { return value(false, pairs) }

func value(second bool, pairs []any) collection.Value {
	texts := map[string]string{}
	for i := range Pets().Fields {
		switch f := &Pets().Fields[i]; f.Raw {
		case "id", "name":
		case "fedby":
			texts[f.Name] = "0x0000000000000000000000000000000000000000"
		default:
			texts[f.Name] = "0"
		}
	}
	if !second {
		delete(texts, "fedBy")
		delete(texts, "foodType")
	}
	return change(texts, pairs)
}

// change sets the texts that pairs names, and makes traits from all texts.
func change(texts map[string]string, pairs []any) collection.Value {
	for i := 0; i < len(pairs); i += 2 {
		f := field(pairs[i].(string))
		texts[f.Name] = fmt.Sprint(pairs[i+1])
	}
	v, _, err := Pets().FromTexts(texts)
	if err != nil {
		panic(err) // the test names an unknown field, or an impossible value
	}
	return v
}

// field returns the field with a key or a name in rawData.
func field(name string) *collection.Field {
	for i := range Pets().Fields {
		if f := &Pets().Fields[i]; f.Key == name || f.Raw == name {
			return f
		}
	}
	return nil
}

// Number returns a trait of a pet by its key or its name in rawData.
func Number(v collection.Value, name string) uint64 { return Pets().Uint(v, field(name)) }

// With returns the traits with some of them changed: traits.With(v, "shiny", 1).
func With(v collection.Value, pairs ...any) collection.Value {
	texts := map[string]string{}
	for i := range Pets().Fields {
		if f := &Pets().Fields[i]; Pets().Has(v, f) {
			texts[f.Name] = Pets().Text(v, f)
		}
	}
	return change(texts, pairs)
}
