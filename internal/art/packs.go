package art

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// Packs are the art packs that are live: the first draws, the others only keep
// old links working. They may be replaced while they are in use.
type Packs struct {
	live atomic.Pointer[[]*Pack] // never empty; replaced, never changed
}

// OpenAll opens packs as Open does, the current one first. No path at all means
// the embedded pack.
func OpenAll(paths []string) (*Packs, error) {
	p := &Packs{}
	return p, p.Reload(paths)
}

// NewPacks makes opened packs live, the current one first.
func NewPacks(current *Pack, older ...*Pack) *Packs {
	p := &Packs{}
	list := append([]*Pack{current}, older...)
	p.live.Store(&list)
	return p
}

// Current is the pack that pictures are drawn from unless a link asks for an
// older one.
func (p *Packs) Current() *Pack { return (*p.live.Load())[0] }

// All returns the live packs, the current one first.
func (p *Packs) All() []*Pack { return *p.live.Load() }

// Find returns the live pack under which v is the version of this look's
// picture.
func (p *Packs) Find(v string, l Look) (*Pack, bool) {
	if len(v) != 2*vBytes {
		return nil, false
	}
	for _, pack := range *p.live.Load() {
		if pack.V(l) == v {
			return pack, true
		}
	}
	return nil, false
}

// Reload opens the packs anew and puts them in the place of the live ones. If
// any of them is refused, so is the whole, and the live packs stay in service.
func (p *Packs) Reload(paths []string) error {
	if len(paths) == 0 {
		paths = []string{embeddedName}
	}
	var list []*Pack
	var faults []error
	for _, path := range paths {
		pack, err := Open(path)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		list = append(list, pack)
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	known := list
	if live := p.live.Load(); live != nil {
		known = append(append([]*Pack(nil), list...), *live...)
	}
	for i, a := range list {
		for _, b := range known[i+1:] {
			if a.id == b.id && a.version == b.version && a.sum != b.sum {
				return fmt.Errorf("%w: %s %s is live with other content: a published version never changes, give it another", ErrPack, a.id, a.version)
			}
		}
	}
	p.live.Store(&list)
	return nil
}
