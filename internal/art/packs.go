package art

import (
	"errors"
	"fmt"
)

// Packs are the art packs that are served. The first one draws; the others keep
// links to their pictures working. There is at least one.
type Packs []*Pack

// OpenAll opens published packs, the current one first: directories, zip files,
// or "embedded" for the default pack, which is also the one without any path.
// The error names every pack that is refused.
func OpenAll(paths []string) (Packs, error) {
	if len(paths) == 0 {
		paths = []string{embeddedName}
	}
	var list Packs
	var faults []error
	for _, path := range paths {
		pack, err := openPack(path, published)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, other := range list {
			if pack.ID() == other.ID() && pack.Version() == other.Version() && pack.m.Sum != other.m.Sum {
				faults = append(faults, fmt.Errorf("art pack %s %s is there twice with different content: "+
					"a published version never changes, give it another", pack.ID(), pack.Version()))
			}
		}
		list = append(list, pack)
	}
	return list, errors.Join(faults...)
}

// Current is the pack that pictures are drawn from unless a link asks for
// another one.
func (p Packs) Current() *Pack { return p[0] }

// Find returns the pack under which v is the version of this look's picture.
func (p Packs) Find(v string, l Look) (*Pack, bool) {
	if len(v) != 2*versionBytes {
		return nil, false
	}
	for _, pack := range p {
		if pack.PictureVersion(l) == v {
			return pack, true
		}
	}
	return nil, false
}
