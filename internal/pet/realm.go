package pet

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
)

// Band is how many ids a realm has of its own, from its offset up.
const Band = 1_000_000_000_000

// MaxID bounds every id, so that each is exact in JavaScript.
const MaxID = 1<<53 - 1

// A Realm is a pet contract on a chain. The id band alone says where a pet is
// native; ids never change when a pet is bridged.
type Realm struct {
	Key        string           `yaml:"key" json:"key"`
	Name       string           `yaml:"name" json:"name"`
	Offset     *uint64          `yaml:"offset" json:"offset,omitempty"` // nil: only hosts
	Chain      string           `yaml:"chain" json:"chain,omitempty"`
	Contract   common.Address   `yaml:"contract" json:"contract"`
	Struct     string           `yaml:"struct" json:"struct,omitempty"` // v1 or v2
	Custody    []common.Address `yaml:"custody" json:"custody,omitempty"`
	StartBlock uint64           `yaml:"start_block" json:"start_block,omitempty"`
	Closed     bool             `yaml:"closed" json:"closed,omitempty"` // its chain is gone; pets come by import
}

// Native reports whether id lies in the realm's own band.
func (r Realm) Native(id uint64) bool {
	return r.Offset != nil && id >= *r.Offset && id-*r.Offset < Band
}

// Number returns the pet's number within its native realm r.
func (r Realm) Number(id uint64) uint64 {
	if r.Offset == nil {
		return id
	}
	return id - *r.Offset
}

// holds reports whether owner is one of the realm's custody addresses.
func (r Realm) holds(owner common.Address) bool { return slices.Contains(r.Custody, owner) }

// Validate returns everything that is wrong with a list of realms, each fault
// naming its realm.
func Validate(realms []Realm) []error {
	var faults []error
	keys := make(map[string]bool)
	for i, r := range realms {
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Errorf("realm %d (%q): %s", i+1, r.Key, fmt.Sprintf(format, args...)))
		}
		switch {
		case r.Key == "":
			fault("key is missing")
		case keys[r.Key]:
			fault("key is used twice")
		}
		keys[r.Key] = true
		if r.Struct != "v1" && r.Struct != "v2" {
			fault("struct is %q; it is v1 or v2", r.Struct)
		}
		if r.Closed && r.Offset == nil {
			fault("closed, but without an offset: no pet would be found by it")
		}
		if !r.Closed && r.Chain == "" {
			fault("chain is missing")
		}
		if !r.Closed && r.Contract == (common.Address{}) {
			fault("contract is missing")
		}
		if r.Offset == nil {
			continue
		}
		if *r.Offset > MaxID-Band {
			fault("offset %d is too large for ids that are exact in JavaScript", *r.Offset)
		}
		for _, other := range realms[:i] {
			if other.Offset != nil && max(*r.Offset, *other.Offset)-min(*r.Offset, *other.Offset) < Band {
				fault("its ids overlap those of %q; offsets are %d apart or more", other.Key, uint64(Band))
			}
		}
	}
	return faults
}

// native returns the realm in whose band id lies.
func native(realms []Realm, id uint64) (Realm, bool) {
	for _, r := range realms {
		if r.Native(id) {
			return r, true
		}
	}
	return Realm{}, false
}

// named returns the realm with the given key.
func named(realms []Realm, key string) (Realm, bool) {
	for _, r := range realms {
		if r.Key == key {
			return r, true
		}
	}
	return Realm{}, false
}

// ParseID reads an id as it stands in an address: decimal digits without sign
// or leading zero. Anything else is ErrBadID. A well-formed number that no
// band can hold is ErrNotFound.
func ParseID(s string) (uint64, error) {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return 0, fmt.Errorf("%w", ErrBadID)
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, fmt.Errorf("%w", ErrBadID)
		}
	}
	id, err := strconv.ParseUint(s, 10, 64)
	if err != nil || id > MaxID {
		return 0, fmt.Errorf("%w: the number is outside every realm", ErrNotFound)
	}
	return id, nil
}
