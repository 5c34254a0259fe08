package collection

import (
	"math"
	"slices"
)

// Most returns the highest value of a field if pictures can depend on it. Such a field is a number
// of at most 64 bits. For other fields Most returns false.
func (f *Field) Most() (uint64, bool) {
	switch {
	case f.role != "" || !f.Type.isNumber() || f.Type.bits > 64:
		return 0, false
	case f.Type.kind == kindInt:
		return math.MaxUint64, true
	}
	return f.max(), true
}

// A PackTable is a table that the collection's texts use but its file lacks. The art pack's
// dictionary must have it.
type PackTable struct {
	Name    string
	By      []*Field // the field whose value is the key, for each key of a row; nil if a word is the key
	Columns []string // columns of a row; none if a row is a text
}

// PackTables lists the tables that the art pack's dictionary must have.
func (c *Collection) PackTables() []PackTable {
	var list []PackTable
	add := func(v *valueFile) {
		if _, own := c.file.Tables[v.Table]; own || v.Table == "" {
			return
		}
		i := slices.IndexFunc(list, func(t PackTable) bool { return t.Name == v.Table })
		if i < 0 {
			i = len(list)
			list = append(list, PackTable{Name: v.Table})
			for _, name := range v.By {
				list[i].By = append(list[i].By, c.FieldNamed(name))
			}
		}
		if v.Column != "" && !slices.Contains(list[i].Columns, v.Column) {
			list[i].Columns = append(list[i].Columns, v.Column)
		}
	}
	for i := range c.file.Words {
		add(&c.file.Words[i].Value)
	}
	for i := range c.file.Attributes {
		add(&c.file.Attributes[i].valueFile)
	}
	for i := range c.file.Data {
		add(&c.file.Data[i].Value)
	}
	return list
}
