package collection

import "fmt"

// A Property is a key of a published object, and its JSON Schema.
type Property struct {
	Name, Schema string
	Required     bool // every token has it
}

// JSON Schemas of values. The OpenAPI specification defines the schema of an address.
const (
	schemaText    = `{"type":"string"}`
	schemaInteger = `{"type":"integer"}`
	schemaBool    = `{"type":"boolean"}`
	schemaAddress = `{"$ref":"#/components/schemas/Address"}`
	schemaAny     = `{}` // several types, such as a number, or a string if JavaScript would round it
)

// DataProperties describes the keys of a token's data.
func (t *Texts) DataProperties() []Property {
	var out []Property
	for i := range t.data {
		s := &t.data[i]
		p := Property{Name: s.key, Schema: schemaText, Required: !s.omitted && s.display != displayDate}
		switch {
		case s.when != nil && !s.omitted: // the value, or the text of the key "otherwise"
			p.Schema = schemaAny
			if s.display == displayText || s.display == displayStars || s.display == displayYesNo {
				p.Schema = schemaText
			}
		case s.display == displayBool:
			p.Schema = schemaBool
		case s.display == displayDate, s.display == displayNumber && (s.field == nil || s.field.max() <= maxExact):
			p.Schema = schemaInteger
		case s.display == displayNumber:
			p.Schema = schemaAny
		case s.display == displayText && t.isAddress(&s.value):
			p.Schema = schemaAddress
		}
		out = append(out, p)
	}
	return out
}

// isAddress reports whether a value shows the owner, or an address field that every token has.
func (t *Texts) isAddress(v *value) bool {
	if len(v.text) != 1 || v.text[0].literal != "" {
		return false
	}
	r := v.text[0].ref
	return r.builtIn == builtInNamed("owner") ||
		r.field != nil && r.field.Type.kind == kindAddress && t.c.always(r.field)
}

// always reports whether every getter returns the field f.
func (c *Collection) always(f *Field) bool {
	return len(c.Getters) > 0 && len(f.getters) == len(c.Getters)
}

// RawProperties describes the keys of a token's rawData.
func (c *Collection) RawProperties() []Property {
	out := []Property{{"id", fmt.Sprintf(`{"type":"integer","minimum":0,"maximum":%d}`, int64(maxExact)), true}}
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.role == "id" || f.role == "" && f.stored < 0 {
			continue
		}
		p := Property{f.Raw, schemaText, f.role == "name" || c.always(f)}
		switch t := f.Type; {
		case t.kind == kindBool:
			p.Schema = schemaBool
		case t.kind == kindUint && t.bits <= 32:
			p.Schema = fmt.Sprintf(`{"type":"integer","minimum":0,"maximum":%d}`, f.max())
		case t.kind == kindInt && t.bits <= 32:
			p.Schema = fmt.Sprintf(`{"type":"integer","minimum":%d,"maximum":%d}`, -(int64(1) << (t.bits - 1)),
				int64(1)<<(t.bits-1)-1)
		case t.kind == kindUint:
			p.Schema = `{"type":"string","pattern":"^[0-9]+$"}`
		case t.kind == kindInt:
			p.Schema = `{"type":"string","pattern":"^-?[0-9]+$"}`
		case t.kind == kindAddress:
			p.Schema = schemaAddress
		case t.kind == kindBytes:
			p.Schema = fmt.Sprintf(`{"type":"string","pattern":"^0x[0-9a-f]{%d}$"}`, 2*t.size())
		}
		out = append(out, p)
	}
	return out
}
