package art

import (
	"errors"
	"fmt"
)

// Packs are the art packs that are served: the first draws, the others only
// keep old links working. There is at least one; they are opened at start and
// stay as they are.
type Packs []*Pack

// OpenAll opens packs as Open does, the current one first. No path at all means
// the embedded pack. The error names everything that is refused.
func OpenAll(paths []string) (Packs, error) {
	if len(paths) == 0 {
		paths = []string{embeddedName}
	}
	var list Packs
	var faults []error
	for _, path := range paths {
		pack, err := Open(path)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		for _, other := range list {
			if pack.ID() == other.ID() && pack.Version() == other.Version() && pack.sum != other.sum {
				faults = append(faults, fmt.Errorf("%w: %s %s is there twice with different content: a published version never changes, give it another", ErrPack, pack.ID(), pack.Version()))
			}
		}
		list = append(list, pack)
	}
	return list, errors.Join(faults...)
}

// Current is the pack that pictures are drawn from unless a link asks for an
// older one.
func (p Packs) Current() *Pack { return p[0] }

// Find returns the pack under which v is the version of this look's picture.
func (p Packs) Find(v string, l Look) (*Pack, bool) {
	if len(v) != 2*vBytes {
		return nil, false
	}
	for _, pack := range p {
		if pack.V(l) == v {
			return pack, true
		}
	}
	return nil, false
}
