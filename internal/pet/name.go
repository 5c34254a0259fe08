package pet

import "petsupply/internal/pet/collection"

// maxShown is how many characters of a name are shown.
const maxShown = 64

// Clean makes a name that an owner wrote fit to be shown; it is empty if nothing
// would be seen of it. It is not escaped.
func Clean(s string) string { return collection.Clean(s, maxShown) }
