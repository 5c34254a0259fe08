package art

import (
	"errors"
	"fmt"

	"petsupply/internal/art/petpack"
	"petsupply/packs"
)

// Packs are the art packs that are served: the first draws, the others only
// keep old links working. There is at least one; they are opened at start and
// stay as they are.
type Packs []*Pack

// OpenAll opens packs as Open does, the current one first; "embedded" stands for
// every version inside the program, the newest first. No path at all means those.
// The error names everything that is refused.
func OpenAll(paths []string) (Packs, error) {
	if len(paths) == 0 {
		paths = []string{embeddedName}
	}
	var list Packs
	var faults []error
	for _, path := range paths {
		opened, err := openVersions(path)
		if err != nil {
			faults = append(faults, err)
		}
		for _, pack := range opened {
			for _, other := range list {
				if pack.ID() == other.ID() && pack.Version() == other.Version() && pack.m.Sum != other.m.Sum {
					faults = append(faults, fmt.Errorf("%w: %s %s is there twice with different content: a published version never changes, give it another", ErrPack, pack.ID(), pack.Version()))
				}
			}
			list = append(list, pack)
		}
	}
	return list, errors.Join(faults...)
}

// openVersions opens the pack at a path, or all that are embedded.
func openVersions(path string) (Packs, error) {
	if path != embeddedName {
		pack, err := Open(path)
		if err != nil {
			return nil, err
		}
		return Packs{pack}, nil
	}
	var list Packs
	for _, name := range packs.Meadow {
		tree, err := embeddedTree(name)
		if err != nil {
			return nil, fmt.Errorf("opening art pack %s: %w", path, err)
		}
		l := newLoader(tree, petpack.Published)
		if err := l.loadLater(); err != nil {
			return nil, fmt.Errorf("opening art pack %s: %w: %w", path, ErrPack, err)
		}
		list = append(list, l.pack)
	}
	return list, nil
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
