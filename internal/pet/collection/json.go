package collection

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
)

// maxDate is the last second of the year 9999, the last that a calendar can show.
const maxDate = 253402300799

// maxShown is how many characters of a text field are shown.
const maxShown = 256

// maxExact is the largest number that is exact in JavaScript.
const maxExact = 1<<53 - 1

// AppendDocument appends the parts of a token's metadata that its collection
// decides on: name, description, attributes, data and rawData. middle is written
// between the description and the attributes. The Texts must have been compiled
// with JSONText.
func (t *Texts) AppendDocument(dst []byte, x *Token, rawName string, middle []byte) []byte {
	f := frame{t: t, x: *x}
	f.fill()
	dst = f.appendName(append(dst, `{"name":"`...))
	dst = f.appendTemplate(append(dst, `","description":"`...), t.description)
	dst = append(append(dst, `",`...), middle...)
	dst = f.appendShows(append(dst, `,"attributes":[`...), t.attributes, true)
	dst = f.appendShows(append(dst, `],"data":{`...), t.data, false)
	dst = t.appendRaw(append(dst, `},"rawData":{`...), x, rawName)
	return append(dst, `}}`...)
}

// appendShows appends attributes or keys of data, leaving out what has no value.
func (f *frame) appendShows(dst []byte, list []show, attributes bool) []byte {
	first := true
	for i := range list {
		s := &list[i]
		number, omit := uint64(0), false
		otherwise := s.when != nil && f.number(s.when) == 0
		if otherwise {
			omit = s.omitted
		} else if s.display == displayDate {
			number = f.numberOf(&s.value)
			omit = number == 0 || number > maxDate
		}
		if omit {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(dst, s.head...)
		if otherwise {
			dst = append(f.appendTemplate(append(dst, '"'), s.otherwise), '"')
		} else {
			dst = f.appendShow(dst, &s.value, attributes)
		}
		if attributes {
			dst = append(dst, '}')
		}
	}
	return dst
}

// appendShow appends a value as JSON, and to an attribute how it is displayed.
func (f *frame) appendShow(dst []byte, v *value, attribute bool) []byte {
	switch v.display {
	case displayNumber:
		dst = f.appendNumber(dst, v)
	case displayDate:
		dst = strconv.AppendUint(dst, f.numberOf(v), 10)
	case displayBool:
		return strconv.AppendBool(dst, f.numberOf(v) != 0)
	case displayYesNo:
		if f.numberOf(v) != 0 {
			return append(dst, `"Yes"`...)
		}
		return append(dst, `"No"`...)
	case displayStars:
		dst = append(dst, '"')
		for n, i := f.numberOf(v), 0; i < len(v.stars) && n >= uint64(v.stars[i]); i++ {
			dst = append(dst, "★"...)
		}
		return append(dst, '"')
	default:
		if v.table == nil {
			return append(f.appendTemplate(append(dst, '"'), v.text), '"')
		}
		return append(append(append(dst, '"'), f.text(v)...), '"')
	}
	if attribute {
		dst = append(append(append(dst, `,"display_type":"`...), v.display...), '"')
	}
	return dst
}

// appendNumber appends a number, as a string where JavaScript would round it.
func (f *frame) appendNumber(dst []byte, v *value) []byte {
	n := f.numberOf(v)
	if v.field != nil && v.field.Type.kind == kindInt {
		if s := int64(n); s >= -maxExact && s <= maxExact {
			return strconv.AppendInt(dst, s, 10)
		}
		return append(strconv.AppendInt(append(dst, '"'), int64(n), 10), '"')
	}
	if n <= maxExact {
		return strconv.AppendUint(dst, n, 10)
	}
	return append(strconv.AppendUint(append(dst, '"'), n, 10), '"')
}

// appendRaw appends the contract's own values under the fields' names. Types of up
// to 32 bits are numbers; wider ones are strings, because JavaScript would round
// them, except the id, which is always exact.
func (t *Texts) appendRaw(dst []byte, x *Token, rawName string) []byte {
	c := t.c
	dst = strconv.AppendUint(append(dst, `"id":`...), x.ID, 10)
	for i := range c.Fields {
		f := &c.Fields[i]
		if f.role == "name" {
			dst = append(append(dst, f.rawKey...), rawName...)
			continue
		}
		if f.stored < 0 || !c.has(x.Value, f.stored) {
			continue
		}
		dst = append(dst, f.rawKey...)
		if f.Type.isText() {
			dst = append(dst, QuoteVisibly(c.Layout.text(x.Value, f.stored))...)
			continue
		}
		bare := f.Type.kind == kindBool || (f.Type.kind == kindUint || f.Type.kind == kindInt) && f.Type.bits <= 32
		if !bare {
			dst = append(dst, '"')
		}
		dst = t.appendField(dst, x, f)
		if !bare {
			dst = append(dst, '"')
		}
	}
	return dst
}

// appendField appends a field as text.
func (t *Texts) appendField(dst []byte, x *Token, f *Field) []byte {
	c := t.c
	switch {
	case f.width > 0 || f.Type.kind == kindUint && f.Type.bits <= 64:
		return strconv.AppendUint(dst, c.Uint(x.Value, f), 10)
	case f.Type.kind == kindInt && f.Type.bits <= 64:
		return strconv.AppendInt(dst, int64(c.Uint(x.Value, f)), 10)
	case f.Type.kind == kindAddress && c.Has(x.Value, f):
		return x.casing(f.address).Append(dst, common.Address([]byte(c.bytes(x.Value, f.stored))))
	case f.Type.isText():
		return append(dst, t.escape(Clean(c.Layout.text(x.Value, f.stored), maxShown))...)
	}
	if raw := c.bytes(x.Value, f.stored); f.Type.kind == kindUint && len(raw) == 32 && raw[:24] == zeros {
		var n uint64
		for i := 24; i < 32; i++ {
			n = n<<8 | uint64(raw[i])
		}
		return strconv.AppendUint(dst, n, 10)
	}
	return append(dst, c.Text(x.Value, f)...)
}

const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// A Casing says which digits of an address are capital in its checksummed form, a
// bit for each. Finding that out takes a hash, so it is kept.
type Casing uint64

// CasingOf returns the casing of an address.
func CasingOf(a common.Address) Casing {
	if a == (common.Address{}) {
		return 0
	}
	var c Casing
	for i, d := range a.Hex()[2:] {
		if d >= 'A' && d <= 'F' {
			c |= 1 << i
		}
	}
	return c
}

// Append appends the checksummed form of the address.
func (c Casing) Append(dst []byte, a common.Address) []byte {
	const small, capital = "0123456789abcdef", "0123456789ABCDEF"
	dst = append(dst, "0x"...)
	for i := range 2 * len(a) {
		digit := a[i/2] >> 4
		if i%2 == 1 {
			digit = a[i/2] & 15
		}
		if c>>i&1 == 1 {
			dst = append(dst, capital[digit])
		} else {
			dst = append(dst, small[digit])
		}
	}
	return dst
}

// Casings returns what a Token needs to write the addresses of a value.
func (c *Collection) Casings(owner common.Address, v Value) []Casing {
	out := append(make([]Casing, 0, 1+c.addresses), CasingOf(owner))
	for i := range c.Fields {
		if f := &c.Fields[i]; f.address > 0 && c.has(v, f.stored) {
			out = append(out, CasingOf(common.Address([]byte(c.bytes(v, f.stored)))))
		} else if f.address > 0 {
			out = append(out, 0)
		}
	}
	return out
}

func (x *Token) casing(i int) Casing {
	if i < len(x.Casings) {
		return x.Casings[i]
	}
	if i == 0 {
		return CasingOf(x.Owner)
	}
	return 0
}

// JSONText returns s as it is between quotes in JSON that is not for HTML.
func JSONText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return string(text[1 : len(text)-1])
}
