package collection

import (
	"errors"
	"fmt"
	"strconv"
)

// maxFaults bounds the faults that FromTexts names.
const maxFaults = 40

// FromTexts makes a value out of fields that are written as text, under their
// names in lower case, and returns the token's name too. A field may be missing;
// one that no field is called is an error. The error names everything that is
// wrong.
func (c *Collection) FromTexts(fields map[string]string) (v Value, name string, err error) {
	b := c.builder()
	var faults []error
	known := map[string]bool{}
	for i := range c.Fields {
		f := &c.Fields[i]
		known[f.Name] = true
		text, ok := fields[f.Name]
		switch {
		case !ok || f.role == "id" || f.width > 0:
		case f.role == "name":
			name = clip(text, maxName)
		case f.Type.isText():
			b.setText(f.stored, clip(text, maxText))
		default:
			raw, err := f.Type.parse(text)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", f.Name, err))
				continue
			}
			b.setBytes(f.stored, raw)
		}
	}
	for key := range fields {
		if !known[key] {
			faults = append(faults, fmt.Errorf("%s is not a field of this collection", strconv.Quote(clip(key, 64))))
		}
	}
	return b.value(), name, errors.Join(faults[:min(len(faults), maxFaults)]...)
}

// Missing returns the names of fields that an import lacks. It must have every field
// of a getter: of one that returns all fields that are there, or of any if none does.
// A collection without getters lacks nothing.
func (c *Collection) Missing(fields map[string]string) []string {
	var least []string
	for _, fitting := range []bool{true, false} {
		for g := range c.Getters {
			lacks, fits := c.Getters[g].compare(c, fields)
			switch {
			case fitting && !fits:
			case len(lacks) == 0:
				return nil
			case least == nil || len(lacks) < len(least):
				least = lacks
			}
		}
		if least != nil {
			return least
		}
	}
	return nil
}

// compare returns the fields of the getter that are not there, and reports whether
// it returns all that are.
func (g *Getter) compare(c *Collection, fields map[string]string) (lacks []string, fits bool) {
	returned := map[string]bool{}
	for _, k := range g.fields {
		f := &c.Fields[k]
		returned[f.Name] = true
		if _, ok := fields[f.Name]; !ok && f.role != "id" {
			lacks = append(lacks, f.Name)
		}
	}
	for name := range fields {
		if f := c.FieldNamed(name); f != nil && f.Name == name && !returned[name] {
			return lacks, false
		}
	}
	return lacks, true
}
