package pet

import "petsupply/internal/pet/collection"

// maxShown is how many characters of a name are shown.
const maxShown = 64

// Clean returns a pet's given name in a form that is safe to show. The result is empty if nothing
// would be visible. It is not escaped.
func Clean(s string) string { return collection.Clean(s, maxShown) }
