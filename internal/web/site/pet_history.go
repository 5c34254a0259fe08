package site

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
)

// A petEvent is one change of a pet in words.
type petEvent struct {
	At       time.Time
	Block    uint64
	Explorer string // explorer link of the block
	Title    string
	Fields   []fieldChange
}

// A fieldChange is one value that changed. Addresses of accounts have links to the pets that they own.
type fieldChange struct{ Field, From, To, FromLink, ToLink string }

// builtInLabels are the labels of values that are not fields of the collection.
var builtInLabels = map[string]string{"name": "Name", "realm": "Realm", "owner": "Owner"}

// petEvents writes a pet's changes in words, newest first.
func (s *Site) petEvents(changes []pet.Change) []petEvent {
	var out []petEvent
	for _, c := range slices.Backward(changes) {
		e := petEvent{At: c.At, Block: c.Block, Title: s.changeTitle(c.Fields) + " in " + s.realmName(c.Realm)}
		e.Explorer = s.explorer(s.realm(c.Realm).Chain, "block", strconv.FormatUint(c.Block, 10))
		switch c.Kind {
		case pet.Appeared:
			e.Title, c.Fields = "First seen in "+s.realmName(c.Realm), nil
		case pet.Moved:
			e.Title = s.moveTitle(c)
			// Leave out whether the pet is in transit, because the title says it. Also leave out
			// traits with an empty From or To: only one of the two realms has them.
			c.Fields = slices.DeleteFunc(slices.Clone(c.Fields), func(d pet.Delta) bool {
				return d.Field == "intransit" || builtInLabels[d.Field] == "" && (d.From == "" || d.To == "")
			})
		case pet.Burned:
			e.Title = "Burned in " + s.realmName(c.Realm)
		case pet.Gone:
			e.Title = "Reverted by the chain"
		}
		for _, f := range s.explained(c.Fields) {
			e.Fields = append(e.Fields, s.fieldChange(f))
		}
		out = append(out, e)
	}
	return out
}

// explained leaves out fields that are codes, unless there are no others.
func (s *Site) explained(fields []pet.Delta) []pet.Delta {
	out := slices.DeleteFunc(slices.Clone(fields), func(d pet.Delta) bool {
		f := s.Words.Collection.FieldNamed(d.Field)
		return builtInLabels[d.Field] == "" && f != nil && s.Words.IsCode(f)
	})
	if len(out) == 0 {
		return fields
	}
	return out
}

// moveTitle says that a pet left or arrived, or just that it travelled.
func (s *Site) moveTitle(c pet.Change) string {
	from, to, inTransit := c.Realm, c.Realm, ""
	for _, d := range c.Fields {
		switch d.Field {
		case "realm":
			from, to = d.From, d.To
		case "intransit":
			inTransit = d.To
		}
	}
	switch inTransit {
	case "true":
		return "Left " + s.realmName(from)
	case "false":
		return "Arrived in " + s.realmName(to)
	}
	return "Travelled"
}

// changeTitle sums up the changes of some fields. Pages list the fields below it.
func (s *Site) changeTitle(fields []pet.Delta) string {
	for _, d := range fields {
		f := s.Words.Collection.FieldNamed(d.Field)
		switch {
		case f != nil && f.Change != "":
			return f.Change
		case f != nil && f.Look:
			return "New look"
		case d.Field == "name" && len(fields) == 1:
			return "Renamed"
		case d.Field == "owner":
			return "New owner"
		}
	}
	var labels []string
	for _, d := range s.explained(fields) {
		if f := s.Words.Collection.FieldNamed(d.Field); f != nil {
			labels = append(labels, s.Words.FieldLabel(f))
		}
	}
	switch {
	case len(labels) == 0:
		return "Changed"
	case len(labels) > 3:
		return fmt.Sprintf("%s, %s and %d more traits changed", labels[0], labels[1], len(labels)-2)
	}
	return strings.Join(labels, ", ") + " changed"
}

// fieldChange writes one changed value in words. If the collection no longer has the field, it
// writes the stored values.
func (s *Site) fieldChange(d pet.Delta) fieldChange {
	label, f := builtInLabels[d.Field], s.Words.Collection.FieldNamed(d.Field)
	if label != "" {
		f = nil
	} else if f != nil {
		label = s.Words.FieldLabel(f)
	}
	word := func(v string) string {
		switch {
		case v == "":
			return "–"
		case d.Field == "realm":
			return s.realmName(v)
		case d.Field == "owner" && s.bridge(common.HexToAddress(v)) != "":
			return s.bridge(common.HexToAddress(v))
		case strings.HasPrefix(v, "0x") && strings.Trim(v, "0x") == "":
			return "none"
		case strings.HasPrefix(v, "0x"):
			return short(v)
		case f == nil:
			return pet.Clean(v)
		}
		return pet.Clean(s.Words.FieldText(f, v))
	}
	link := func(v string) string {
		owner := common.HexToAddress(v)
		if d.Field != "owner" && (f == nil || !common.IsHexAddress(v)) || owner == (common.Address{}) ||
			s.bridge(owner) != "" {
			return ""
		}
		return s.ownerLink(owner)
	}
	return fieldChange{Field: cmp.Or(label, d.Field), From: word(d.From), To: word(d.To), FromLink: link(d.From),
		ToLink: link(d.To)}
}

// bridge says whose bridge an address is, such as "the bridge of First and Second". It returns "" if
// the address is not a bridge.
func (s *Site) bridge(a common.Address) string {
	var of []string
	for _, r := range s.Realms {
		if slices.Contains(r.Custody, a) {
			of = append(of, r.Name)
		}
	}
	if len(of) == 0 {
		return ""
	}
	return "the bridge of " + strings.Join(of, " and ")
}

func (s *Site) realmName(key string) string { return s.realm(key).Name }

// realm returns the realm with this key. A realm that is no longer configured has only its key.
func (s *Site) realm(key string) pet.Realm {
	for _, r := range s.Realms {
		if r.Key == key {
			return r
		}
	}
	return pet.Realm{Key: key, Name: key}
}
