package pet

import "petsupply/internal/pet/collection"

// maxShown is how many characters of a name are shown.
const maxShown = 64

// Clean returns an owner's name in a form that is safe to show. It is empty if nothing would be
// visible. It is not escaped.
func Clean(s string) string { return collection.Clean(s, maxShown) }
