package collection

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// maxDate is the last second of the year 9999.
const maxDate = 253402300799

// maxShown is how many characters of a text field are shown.
const maxShown = 256

// maxExact is the largest number that is exact in JavaScript.
const maxExact = 1<<53 - 1

// AppendDocument appends the parts of a token's metadata that the collection defines: name,
// description, attributes, data and rawData. rawName is the name for rawData, in JSON with quotes.
// The parameter middle is written between the description and the attributes. The Texts must have
// been compiled with JSONText.
func (t *Texts) AppendDocument(dst []byte, x *Token, rawName string, middle []byte) []byte {
	f := frame{t: t, x: *x, rawName: rawName}
	for i, field := range t.cachedBy {
		if t.c.Has(x.Value, field) {
			f.cached[i] = 1 + uint16(t.c.uint(x.Value, field))
		}
	}
	dst = f.appendName(append(dst, `{"name":"`...))
	dst = f.appendTemplate(append(dst, `","description":"`...), t.description)
	dst = append(append(dst, `",`...), middle...)
	dst = f.appendShows(append(dst, `,"attributes":`...), '[', t.attributes)
	dst = f.appendShows(append(dst, `],"data":`...), '{', t.data)
	dst = f.appendShows(append(dst, `},"rawData":`...), '{', t.raw)
	return append(dst, `}}`...)
}

// appendShows appends a list or an object without its closing bracket. open is the opening bracket.
func (f *frame) appendShows(dst []byte, open byte, list []show) []byte {
	start := len(dst)
	for i := range list {
		s := &list[i]
		if s.cache == nil {
			dst = f.appendItem(dst, s)
			continue
		}
		at := &s.cache[f.cached[s.cacheKey]]
		text := at.Load()
		if text == nil {
			item := string(f.appendItem(nil, s))
			text = &item
			at.Store(text)
		}
		dst = append(dst, *text...)
	}
	if len(dst) == start {
		return append(dst, open)
	}
	dst[start] = open // replaces the first element's comma
	return dst
}

// appendItem appends a comma, and then an attribute or a key with its value. If the token has no
// such value, it appends nothing.
func (f *frame) appendItem(dst []byte, s *show) []byte {
	v := &s.value
	switch {
	case v.when != nil && f.number(v.when) == 0:
		if v.omitted {
			return dst
		}
		return append(f.appendTemplate(append(dst, s.textHead...), v.otherwise), s.textTail...)
	case v.display == displayText && v.table == nil:
		return append(f.appendTemplate(append(dst, s.textHead...), v.text), s.textTail...)
	case v.display == displayText:
		return append(append(append(dst, s.textHead...), f.text(v)...), s.textTail...)
	case v.display == displayDate:
		if n := f.numberOf(v); n == 0 || n > maxDate {
			return dst
		}
	case v.display == displayRaw && v.field != nil && !f.t.c.Has(f.x.Value, v.field):
		return dst
	}
	return append(f.appendShow(append(dst, s.head...), v), s.tail...)
}

// appendShow appends a value whose display is not displayText.
func (f *frame) appendShow(dst []byte, v *value) []byte {
	switch v.display {
	case displayNumber, displayDate:
		return f.appendNumber(dst, v)
	case displayBool:
		return strconv.AppendBool(dst, f.numberOf(v) != 0)
	case displayYesNo:
		if f.numberOf(v) != 0 {
			return append(dst, `"Yes"`...)
		}
		return append(dst, `"No"`...)
	case displayStars:
		dst = append(dst, '"')
		n := f.numberOf(v)
		for i := 0; i < len(v.stars) && n >= uint64(v.stars[i]); i++ {
			dst = append(dst, "★"...)
		}
		return append(dst, '"')
	}
	return f.appendRaw(dst, v.field)
}

// appendNumber appends a number, or a string if JavaScript would round it.
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

// rawShows lists the keys of rawData: the contract's own values by field name.
func (c *Collection) rawShows() []show {
	list := []show{{head: `,"id":`, value: value{display: displayNumber, builtIn: builtInNamed("id")}}}
	for i := range c.Fields {
		f := &c.Fields[i]
		s := show{head: `,"` + f.Raw + `":`, value: value{display: displayRaw}}
		switch {
		case f.stored >= 0:
			s.field = f
		case f.role != "name":
			continue
		}
		list = append(list, s)
	}
	return list
}

// appendRaw appends a field in the form of rawData. A nil field means the name. Numbers of up to
// 32 bits stay numbers. Wider ones are strings, because JavaScript could round them.
func (f *frame) appendRaw(dst []byte, field *Field) []byte {
	switch {
	case field == nil:
		return append(dst, f.rawName...)
	case field.Type.IsText():
		return append(dst, QuoteVisibly(f.t.c.Layout.text(f.x.Value, field.stored))...)
	case field.Type.isNumber() && field.Type.bits <= 32:
		return f.appendField(dst, field)
	}
	return append(f.appendField(append(dst, '"'), field), '"')
}

// appendField appends a field as text.
func (f *frame) appendField(dst []byte, field *Field) []byte {
	c := f.t.c
	x := &f.x
	switch {
	case field.width > 0 || field.Type.kind == kindUint && field.Type.bits <= 64:
		return strconv.AppendUint(dst, c.uint(x.Value, field), 10)
	case field.Type.kind == kindInt && field.Type.bits <= 64:
		return strconv.AppendInt(dst, int64(c.uint(x.Value, field)), 10)
	case field.Type.kind == kindAddress && c.Has(x.Value, field):
		return x.casing(field.address).Append(dst, common.Address([]byte(c.bytes(x.Value, field.stored))))
	case field.Type.IsText():
		return append(dst, f.t.escape(Clean(c.Layout.text(x.Value, field.stored), maxShown))...)
	}
	if raw := c.bytes(x.Value, field.stored); field.Type.kind == kindUint && len(raw) == 32 && raw[:24] == zeros {
		return strconv.AppendUint(dst, binary.BigEndian.Uint64([]byte(raw[24:])), 10)
	}
	return append(dst, c.Text(x.Value, field)...)
}

const zeros = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// A Casing has a bit for each digit of an address. A letter is a capital in the checksummed form if
// its bit is set. Casings are kept, because computing one takes a hash.
type Casing uint64

func casingOf(a common.Address) Casing {
	if a == (common.Address{}) {
		return 0
	}
	var text [2 * len(a)]byte
	hex.Encode(text[:], a[:])
	sum := crypto.Keccak256Hash(text[:])
	var c Casing
	for i, b := range sum[:len(a)] {
		c |= (Casing(b>>7) | Casing(b>>3&1)<<1) << (2 * i)
	}
	return c
}

// Append appends the checksummed form of the address.
func (c Casing) Append(dst []byte, a common.Address) []byte {
	const digits = "0123456789abcdef0123456789ABCDEF"
	var text [2 * len(a)]byte
	for i, b := range a {
		text[2*i] = digits[b>>4|byte(c&1)<<4]
		text[2*i+1] = digits[b&15|byte(c>>1&1)<<4]
		c >>= 2
	}
	return append(append(dst, "0x"...), text[:]...)
}

// Casings appends the casings that a Token needs, for the owner and the addresses of a value.
func (c *Collection) Casings(out []Casing, owner common.Address, v Value) []Casing {
	out = append(out, casingOf(owner))
	for i := range c.Fields {
		if f := &c.Fields[i]; f.address > 0 && c.has(v, f.stored) {
			out = append(out, casingOf(common.Address([]byte(c.bytes(v, f.stored)))))
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
		return casingOf(x.Owner)
	}
	return 0
}

// JSONText returns s in the form that it has between quotes in JSON, without HTML escapes.
func JSONText(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always has a JSON form
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	return string(text[1 : len(text)-1])
}
