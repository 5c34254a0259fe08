package collection

import "math"

// Most returns the highest value of a field that pictures can depend on: a number
// of at most 64 bits. It returns false for every other field.
func (f *Field) Most() (uint64, bool) {
	switch {
	case f.role != "" || !f.Type.isNumber() || f.Type.bits > 64:
		return 0, false
	case f.Type.kind == kindBool:
		return 1, true
	case f.width > 0 && !f.decimal:
		return 1<<f.width - 1, true
	case f.width > 0:
		return power(f.width).Uint64() - 1, true
	case f.Type.kind == kindUint && f.Type.bits < 64:
		return 1<<f.Type.bits - 1, true
	}
	return math.MaxUint64, true
}

// Table returns a table of the file, nil if it has none of that name.
func (c *Collection) Table(name string) Table { return c.file.Tables[name] }

// Text returns the text of a row, or of a column in it, by its keys.
func (t Table) Text(keys ...string) (string, bool) {
	text, ok := t[tableKey(keys...)]
	return text, ok
}
