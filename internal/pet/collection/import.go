package collection

import (
	"errors"
	"fmt"
	"strconv"
)

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
	return b.value(), name, errors.Join(faults...)
}
