package art

import (
	"errors"
	"fmt"
	"sync"

	"petsupply/internal/art/petpack"
	"petsupply/packs"
)

// Packs are the art packs that are served: the first draws, the others only
// keep old links working. There is at least one, and each stays as it is. Those
// that are part of the program and not its newest are opened by the first link
// that is of none before them.
type Packs []func() *Pack

// Opened is a pack as one of several.
func Opened(p *Pack) func() *Pack { return func() *Pack { return p } }

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
		list = append(list, opened...)
	}
	if len(paths) > 1 {
		faults = append(faults, list.clashes()...)
	}
	return list, errors.Join(faults...)
}

// clashes names every pack that has the version of one before it and not its content.
func (p Packs) clashes() (faults []error) {
	for i := range p {
		for j := range i {
			pack, other := p[i](), p[j]()
			if pack.ID() == other.ID() && pack.Version() == other.Version() && pack.m.Sum != other.m.Sum {
				faults = append(faults, fmt.Errorf("%w: %s %s is there twice with different content: a published version never changes, give it another", ErrPack, pack.ID(), pack.Version()))
			}
		}
	}
	return faults
}

// openVersions opens the pack at a path, or all that are embedded.
func openVersions(path string) (Packs, error) {
	if path != embeddedName {
		pack, err := Open(path)
		if err != nil {
			return nil, err
		}
		return Packs{Opened(pack)}, nil
	}
	newest, err := openBuiltIn(packs.Meadow[0])
	if err != nil {
		return nil, err
	}
	list := Packs{Opened(newest)}
	for _, name := range packs.Meadow[1:] {
		list = append(list, sync.OnceValue(func() *Pack {
			pack, err := openBuiltIn(name)
			if err != nil {
				panic(err.Error())
			}
			return pack
		}))
	}
	return list, nil
}

// openBuiltIn opens a pack that is part of the program.
func openBuiltIn(name string) (*Pack, error) {
	tree, err := embeddedTree(name)
	if err != nil {
		return nil, fmt.Errorf("opening built-in art pack %s: %w", name, err)
	}
	l := newLoader(tree, petpack.Published)
	if err := l.loadLater(); err != nil {
		return nil, fmt.Errorf("opening built-in art pack %s: %w: %w", name, ErrPack, err)
	}
	return l.pack, nil
}

// Current is the pack that pictures are drawn from unless a link asks for an
// older one.
func (p Packs) Current() *Pack { return p[0]() }

// Find returns the pack under which v is the version of this look's picture.
func (p Packs) Find(v string, l Look) (*Pack, bool) {
	if len(v) != 2*vBytes {
		return nil, false
	}
	for _, open := range p {
		if pack := open(); pack.V(l) == v {
			return pack, true
		}
	}
	return nil, false
}
