package collection

import (
	"fmt"
	"slices"
	"strings"
)

// GetterText describes the getters as text for the store. Each line has a getter's name, its
// calldata for token 0, its return type and its fields.
func (c *Collection) GetterText() string {
	var b strings.Builder
	for i := range c.Getters {
		g := &c.Getters[i]
		returns := "values"
		if g.isStruct {
			returns = "struct"
		}
		fmt.Fprintf(&b, "%s %x %s", g.Name, g.Calldata(0), returns)
		for _, f := range g.fields {
			b.WriteString(" " + f.Raw)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// CheckStored returns an error if pets that were stored with this layout and these getters do not
// fit the collection. They fit if the collection only adds getters, or fields at the end. layout
// and getters are results of Layout.String and GetterText.
func (c *Collection) CheckStored(layout, getters string) error {
	now := strings.Fields(c.Layout.String())
	for i, field := range strings.Fields(layout) {
		name, typ, _ := strings.Cut(field, ":")
		j := slices.IndexFunc(now, func(f string) bool { return strings.HasPrefix(f, name+":") })
		switch {
		case j < 0:
			return fmt.Errorf("the field %s was removed", name)
		case now[j] != field:
			return fmt.Errorf("the field %s is %s now and was %s", name, now[j][len(name)+1:], typ)
		case j != i:
			return fmt.Errorf("the field %s is number %d now and was number %d", name, j+1, i+1)
		}
	}
	lines := strings.Split(c.GetterText(), "\n")
	for line := range strings.Lines(getters) {
		was := strings.Fields(line)
		name := was[0]
		j := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, name+" ") })
		if j < 0 {
			return fmt.Errorf("the getter %s was removed", name)
		}
		is := strings.Fields(lines[j])
		switch {
		case !slices.Equal(is[:min(3, len(is))], was[:min(3, len(was))]):
			return fmt.Errorf("the getter %s now has another call or another return type", name)
		case len(is) < len(was) || !slices.Equal(is[:len(was)], was):
			return fmt.Errorf("the getter %s returns other fields now, or in another order", name)
		}
	}
	return nil
}
