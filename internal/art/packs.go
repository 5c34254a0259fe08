package art

import (
	"errors"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// Packs are the art packs that are served. The first one draws pictures. The others keep links to
// their pictures working. There is at least one.
type Packs []*Pack

// OpenAll opens the packs of a collection, the current one first. Paths are directories. The path
// "embedded" means the default pack if that fits the collection, and otherwise
// plain cards with names and numbers. Without paths, OpenAll opens "embedded". The error names
// every pack that is refused.
func OpenAll(c *collection.Collection, realms []pet.Realm, paths []string) (Packs, error) {
	if len(paths) == 0 {
		paths = []string{embeddedName}
	}
	var list Packs
	var faults []error
	for _, path := range paths {
		pack, err := Open(c, path)
		if err != nil && path == embeddedName {
			pack, err = newPlain(c, realms)
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, pack)
	}
	return list, errors.Join(faults...)
}

// Current returns the pack that pictures are drawn from, unless a link names another one.
func (p Packs) Current() *Pack { return p[0] }

// Find returns the pack in which v is the version of a token's picture, and the token's look in it.
func (p Packs) Find(v string, x pet.Pet) (*Pack, Look, bool) {
	if len(v) != 2*versionBytes {
		return nil, Look{}, false
	}
	for _, pack := range p {
		if l := pack.LookOf(x); pack.PictureVersion(l) == v {
			return pack, l, true
		}
	}
	return nil, Look{}, false
}
