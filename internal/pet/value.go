package pet

import (
	"sync"

	"petsupply/internal/pet/collection"
)

// defaults is the default collection.
var defaults = sync.OnceValue(collection.Pets)

// Value returns the traits as the default collection keeps them.
func (t *Traits) Value() collection.Value {
	texts := map[string]string{}
	for _, f := range t.Struct.Fields() {
		texts[f.Name] = f.text(t)
	}
	v, _, err := defaults().FromTexts(texts)
	if err != nil {
		panic(err) // every trait has a field
	}
	return v
}
