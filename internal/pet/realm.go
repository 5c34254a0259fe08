package pet

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
)

// Band is the size of a realm's band, which is the range of ids of the realm's own pets. The band
// begins at the realm's offset.
const Band = 1_000_000_000_000

// MaxID is the highest id. It is the largest integer that is exact in JavaScript.
const MaxID = 1<<53 - 1

// A Realm is a pet contract on a chain. A pet keeps its id when it moves to another realm. The
// range of its id says in which realm it was created.
type Realm struct {
	// The realm's name in answers and in the store. A realm whose key is changed is a new realm.
	Key string `yaml:"key" json:"key" jsonschema:"required"`
	// The realm's name on pages and in documents. Default: its key.
	Name string `yaml:"name" json:"name"`
	// The number at which the ids of its own pets begin, such as 0 or 1000000000000. Offsets
	// are at least 1000000000000 apart. A realm without an offset only hosts pets of other
	// realms.
	Offset *uint64 `yaml:"offset" json:"offset,omitempty"`
	// The chain of its contract.
	Chain string `yaml:"chain" json:"chain,omitempty"`
	// The pet contract.
	Contract common.Address `yaml:"contract" json:"contract"`
	// The collection's getter for this contract. Default: the only getter of the collection.
	Getter string `yaml:"getter" json:"getter,omitempty"`
	// Addresses of bridges on this chain. A pet that a bridge owns is in another realm or in transit.
	Custody []common.Address `yaml:"custody" json:"custody,omitempty"`
	// The contract's first block. From there on the service searches the contract's events for pets
	// that came from other realms. With `count: transfers` in the collection, it finds all pets in
	// this way.
	StartBlock uint64 `yaml:"start_block" json:"start_block,omitempty"`
	// Whether its chain is gone. The pets of a closed realm come from the command
	// `petsupply import`.
	Closed bool `yaml:"closed" json:"closed,omitempty"`
}

// A Registry is a collection and the realms that its pets live in.
type Registry struct {
	Collection *collection.Collection
	Realms     []Realm
}

// Native reports whether id is in the realm's own band.
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

// CheckRealms calls report with each fault of a list of realms, and with the fault's path in the
// configuration file. chains has the names of all chains. Registry.CheckGetters checks the getters.
func CheckRealms(realms []Realm, chains []string, report func(path, format string, args ...any)) {
	keys := make(map[string]bool)
	for i, r := range realms {
		fault := func(field, format string, args ...any) {
			report(fmt.Sprintf("realms[%d]%s", i, field), format, args...)
		}
		switch {
		case r.Key == "":
			fault("", "key is missing")
		case keys[r.Key]:
			fault(".key", "another realm has the key %s too", r.Key)
		}
		keys[r.Key] = true
		checkSource(r, chains, fault)
		checkOffset(r, realms[:i], fault)
	}
}

// CheckGetters reports realms that name a getter which the collection lacks, and open realms that
// name none although the collection has several.
func (rg *Registry) CheckGetters(report func(path, format string, args ...any)) {
	var names []string
	for _, g := range rg.Collection.Getters {
		names = append(names, g.Name)
	}
	known := strings.Join(names, " or ")
	for i, r := range rg.Realms {
		path := fmt.Sprintf("realms[%d]", i)
		switch {
		case r.Getter == "" && len(names) > 1 && !r.Closed:
			report(path, "getter is missing; set it to %s", known)
		case r.Getter == "":
		case len(names) == 0:
			report(path+".getter", "the collection has no getters; leave this out")
		case !slices.Contains(names, r.Getter):
			report(path+".getter", "the collection has no getter %q; it has %s", r.Getter, known)
		}
	}
}

func checkSource(r Realm, chains []string, fault func(field, format string, args ...any)) {
	switch {
	case r.Closed && r.Offset == nil:
		fault(".closed", "a realm without an offset only hosts pets of other realms; it cannot be closed")
	case r.Closed:
	case r.Chain == "":
		fault("", "chain is missing; %s. If the chain of this realm is gone, set closed: true", known(chains))
	case !slices.Contains(chains, r.Chain):
		fault(".chain", "there is no chain %s; %s", r.Chain, known(chains))
	}
	if !r.Closed && r.Contract == (common.Address{}) {
		fault("", "contract is missing")
	}
}

// known returns the names of the chains, for messages.
func known(chains []string) string {
	if len(chains) == 0 {
		return "no chains are configured"
	}
	return "configured chains: " + strings.Join(chains, ", ")
}

func checkOffset(r Realm, earlier []Realm, fault func(field, format string, args ...any)) {
	if r.Offset == nil {
		return
	}
	if *r.Offset > MaxID-Band {
		fault(".offset", "%d is too large; the highest ids would not be exact in JavaScript", *r.Offset)
	}
	for _, e := range earlier {
		if e.Offset != nil && max(*r.Offset, *e.Offset)-min(*r.Offset, *e.Offset) < Band {
			fault(".offset", "the ids overlap those of %s; offsets must be at least %d apart", e.Key, uint64(Band))
		}
	}
}

// HomeRealm returns the realm whose band contains id.
func HomeRealm(realms []Realm, id uint64) (Realm, bool) {
	for i := range realms {
		if realms[i].Native(id) {
			return realms[i], true
		}
	}
	return Realm{}, false
}

// Outside returns an error if a token of r's contract can never be served, because its id is in no
// realm's band. word is the id as the contract gives it. If r only hosts pets of other realms,
// Outside returns nil, because a token of r that is in no band is not a pet.
func (rg *Registry) Outside(r Realm, word []byte) error {
	id, ok := DecodeUint(word)
	if _, native := HomeRealm(rg.Realms, id); r.Offset == nil || ok && native {
		return nil
	}
	return fmt.Errorf("token %s belongs to no realm; the tokens of %s have ids from %d to %d",
		new(big.Int).SetBytes(word), r.Key, *r.Offset, *r.Offset+Band-1)
}

// realmNamed returns the realm with the given key.
func realmNamed(realms []Realm, key string) (Realm, bool) {
	for i := range realms {
		if realms[i].Key == key {
			return realms[i], true
		}
	}
	return Realm{}, false
}

// ParseID reads an id from a URL: decimal digits without sign or leading zero. Anything else is
// ErrBadID. A number above MaxID is ErrNotFound.
func ParseID(s string) (uint64, error) {
	if s == "" || len(s) > 1 && s[0] == '0' || strings.Trim(s, "0123456789") != "" {
		return 0, ErrBadID
	}
	id, err := strconv.ParseUint(s, 10, 64)
	if err != nil || id > MaxID {
		return 0, fmt.Errorf("%w: the number is outside every realm's range of ids", ErrNotFound)
	}
	return id, nil
}
