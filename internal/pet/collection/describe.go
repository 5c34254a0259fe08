package collection

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// An Attribute is one published attribute of a token, for pages.
type Attribute struct {
	Trait   string
	Label   string // what pages call it
	Text    string // as published; numbers and dates are digits
	Display string
	Number  uint64 // value of a number or date, or number of stars
	Stars   int    // largest number of stars
	Field   *Field // the field that it shows, as a value or a word; nil if none or several
	BuiltIn bool   // it shows a built-in value
	Absent  bool   // its condition (when), or that of its word, is false
}

// Name returns the token's name.
func (t *Texts) Name(x *Token) string { return string(t.frame(x).appendName(nil)) }

// Description returns the token's description.
func (t *Texts) Description(x *Token) string { return t.frame(x).join(t.description) }

// Line returns the short line below the token's name in lists.
func (t *Texts) Line(x *Token) string { return t.frame(x).join(t.line) }

func (t *Texts) frame(x *Token) *frame { return &frame{t: t, x: *x} }

// Attributes returns the published attributes of a token.
func (t *Texts) Attributes(x *Token) []Attribute {
	f := t.frame(x)
	var out []Attribute
	for i := range t.attributes {
		s := &t.attributes[i]
		a := Attribute{Trait: s.key, Label: s.label, Display: displays[s.display], Field: t.about(&s.value),
			BuiltIn: s.builtIn != nil}
		if w := s.wordAlone(); w >= 0 && t.words[w].when != nil {
			a.Absent = f.number(t.words[w].when) == 0
		}
		if s.when != nil && f.number(s.when) == 0 {
			if s.omitted {
				continue
			}
			a.Display = displays[displayText]
			a.Absent = true
			a.Text = f.join(s.otherwise)
			out = append(out, a)
			continue
		}
		if s.display == displayText {
			a.Text = f.text(&s.value)
		} else {
			a.Number = f.numberOf(&s.value)
			a.Text = strings.Trim(string(f.appendShow(nil, &s.value)), `"`)
		}
		switch {
		case s.display == displayDate && (a.Number == 0 || a.Number > maxDate):
			continue
		case s.display == displayStars:
			a.Number = uint64(strings.Count(a.Text, "★"))
			a.Stars = len(s.stars)
		}
		out = append(out, a)
	}
	return out
}

// wordAlone returns the index of the word if a value shows just a word, and otherwise -1.
func (v *value) wordAlone() int {
	if v.table == nil && len(v.text) == 1 && v.text[0].literal == "" {
		return v.text[0].ref.word
	}
	return -1
}

// about returns the one field that v shows, by itself or through a word. It returns nil if there is
// none, or if v also depends on other fields.
func (t *Texts) about(v *value) *Field {
	switch {
	case v.field != nil:
		return v.field
	case v.table != nil && len(v.table.by) == 1:
		return v.table.by[0].field
	case v.table == nil && len(v.text) == 1 && v.text[0].literal == "":
		if r := v.text[0].ref; r.word >= 0 {
			return t.about(&t.words[r.word].value)
		} else {
			return r.field
		}
	}
	return nil
}

// A fieldText says how pages show a field.
type fieldText struct {
	label   string
	word    int     // index of the word that its values are shown as, or -1
	display display // how an attribute shows the field's number
	options []FieldOption
}

// describeFields sets how each field is shown.
func (t *Texts) describeFields() {
	t.fields = make([]fieldText, len(t.c.Fields))
	for i := range t.c.Fields {
		f := &t.c.Fields[i]
		out := fieldText{word: -1}
		for j := range t.attributes {
			s := &t.attributes[j]
			if t.about(&s.value) != f {
				continue
			}
			out.label = cmp.Or(out.label, s.label)
			if s.field == f {
				out.display = cmp.Or(out.display, s.display)
			} else if out.word < 0 {
				out.word = s.wordAlone()
			}
		}
		for j := range t.words {
			if w := &t.words[j]; t.about(&w.value) == f && (out.word < 0 || w.name == f.Name) {
				out.word = j
			}
		}
		out.label = cmp.Or(out.label, inWords(f.Name))
		t.fields[i] = out
		t.fields[i].options = t.options(f, out)
	}
}

func (t *Texts) options(f *Field, s fieldText) (out []FieldOption) {
	if s.word < 0 && (f.yesNo() || s.display == displayYesNo || s.display == displayBool) {
		return []FieldOption{{1, "Yes"}, {0, "No"}}
	}
	if s.word < 0 {
		return nil
	}
	if l := t.wordLookup(s.word); l != nil {
		for _, row := range l.rows() {
			out = append(out, FieldOption{row[0], t.FieldWord(f, row[0])})
		}
	}
	return out
}

// inWords returns a name as people write it: "bornAt" becomes "Born at".
func inWords(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case r == '_':
			b.WriteByte(' ')
		case unicode.IsUpper(r):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// sentenceCase returns a name in which only the first word begins with a capital letter: "Egg Type"
// becomes "Egg type". Words with other capital letters or digits, and single letters, stay as they are.
func sentenceCase(name string) string {
	words := strings.Split(name, " ")
	for i, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		if rest := w[size:]; i > 0 && rest != "" && !strings.ContainsFunc(rest, func(r rune) bool {
			return unicode.IsUpper(r) || unicode.IsDigit(r)
		}) {
			words[i] = string(unicode.ToLower(first)) + rest
		}
	}
	return strings.Join(words, " ")
}

func (t *Texts) fieldText(f *Field) *fieldText { return &t.fields[f.place] }

// Unpublished returns the fields that no attribute shows and that do not decide the kind.
func (t *Texts) Unpublished() (out []*Field) {
	for i := range t.c.Fields {
		f := &t.c.Fields[i]
		if f.role == "" && !slices.Contains(t.c.kindFields, f) && !t.published(f) {
			out = append(out, f)
		}
	}
	return out
}

// FieldLabel returns what pages call a field: the label of the attribute that shows it, or else the
// name of the field in words, such as "Born at".
func (t *Texts) FieldLabel(f *Field) string { return t.fieldText(f).label }

// IsCode reports whether a field is a number that the collection does not explain: no attribute shows
// it, and its values have no words.
func (t *Texts) IsCode(f *Field) bool {
	return f.Type.isNumber() && !f.yesNo() && t.fieldText(f).word < 0 && !t.published(f)
}

// published reports whether an attribute shows the field.
func (t *Texts) published(f *Field) bool {
	return slices.ContainsFunc(t.attributes, func(s show) bool { return t.about(&s.value) == f })
}

// FieldWord returns the text for a value of a field. It uses one of the words that the collection
// file defines: the word that has the field's name, else the word that an attribute shows, else
// the first word that is looked up by the field. If there is none, the text is Yes or No, a
// date, or the number.
func (t *Texts) FieldWord(f *Field, n uint64) string {
	s := t.fieldText(f)
	switch {
	case n > f.max() && f.Type.kind != kindInt:
	case s.word >= 0:
		x := &Token{Value: t.c.with([]*Field{f}, []uint64{n})}
		return t.frame(x).word(s.word)
	case f.yesNo() || s.display == displayYesNo || s.display == displayBool:
		if n != 0 {
			return "Yes"
		}
		return "No"
	case s.display == displayDate && n > 0 && n <= maxDate:
		return time.Unix(int64(n), 0).UTC().Format("2 Jan 2006, 15:04 UTC")
	}
	if f.Type.kind == kindInt {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatUint(n, 10)
}

// FieldText returns the text that pages show for a field's value, which is given in the form of
// Collection.Text.
func (t *Texts) FieldText(f *Field, text string) string {
	if f.Type.kind == kindBool {
		text = strconv.FormatUint(one(text == "true"), 10)
	}
	if !f.Type.isNumber() || f.Type.bits > 64 {
		return text
	}
	if f.Type.kind == kindInt {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return t.FieldWord(f, uint64(n))
		}
		return text
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return text
	}
	return t.FieldWord(f, n)
}

// A FieldOption is one value of a field, and the word for it.
type FieldOption struct {
	Number uint64
	Text   string
}

// FieldOptions lists the values of a field that have words.
func (t *Texts) FieldOptions(f *Field) []FieldOption { return t.fieldText(f).options }

// FieldNumber reads a value that a user wrote: a number, or a word in upper or lower case. For a
// field of type word every text but "" is valid.
func (t *Texts) FieldNumber(f *Field, text string) (n uint64, ok bool) {
	if f.Type.kind == kindWord {
		return wordNumber(text), text != ""
	}
	for _, o := range t.FieldOptions(f) {
		if strings.EqualFold(o.Text, text) {
			return o.Number, true
		}
	}
	switch {
	case !f.Type.isNumber() || f.Type.bits > 64:
		return 0, false
	case f.yesNo() && strings.EqualFold(text, "true"):
		return 1, true
	case f.yesNo() && strings.EqualFold(text, "false"):
		return 0, true
	case f.Type.kind == kindInt:
		s, err := strconv.ParseInt(text, 10, f.Type.bits)
		return uint64(s), err == nil && strconv.FormatInt(s, 10) == text
	}
	n, err := strconv.ParseUint(text, 10, 64)
	return n, err == nil && n <= f.max() && (n <= 1 || !f.Bool) && strconv.FormatUint(n, 10) == text
}

// yesNo reports whether the field's values are true and false.
func (f *Field) yesNo() bool { return f.Bool || f.Type.kind == kindBool }

// max returns the largest value of a field that is a boolean or an unsigned number.
func (f *Field) max() uint64 {
	switch {
	case f.width > 0:
		return 1<<f.width - 1
	case f.Type.kind == kindBool:
		return 1
	case f.Type.bits >= 64:
		return 1<<64 - 1
	}
	return 1<<f.Type.bits - 1
}

// A Kind is a kind of token in the collection.
type Kind struct {
	Numbers []uint64 // the values of KindFields
	Name    string
	Family  string // "" for none
}

// Kinds lists the kinds that have words, sorted by their numbers.
func (t *Texts) Kinds() []Kind { return t.kinds }

// KindOf returns the kind of a token.
func (t *Texts) KindOf(v Value) Kind {
	numbers := make([]uint64, len(t.c.kindFields))
	for i, f := range t.c.kindFields {
		numbers[i] = t.c.Uint(v, f)
	}
	return t.KindNumbered(numbers)
}

// KindNumbered returns the kind with these values of KindFields.
func (t *Texts) KindNumbered(numbers []uint64) Kind {
	k := Kind{Numbers: numbers}
	if t.kind < 0 {
		return k
	}
	f := t.frame(&Token{Value: t.c.with(t.c.kindFields, numbers)})
	k.Name = f.word(t.kind)
	if t.family >= 0 {
		k.Family = f.word(t.family)
		if k.Family == f.join(t.words[t.family].none) {
			k.Family = ""
		}
	}
	return k
}

// listKinds finds all kinds that have words.
func (t *Texts) listKinds() {
	if t.kind < 0 || len(t.c.kindFields) == 0 {
		return
	}
	for _, numbers := range t.words[t.kind].table.rows() {
		t.kinds = append(t.kinds, t.KindNumbered(numbers))
	}
}

// wordLookup returns the look-up of a word, or nil if the word has none.
func (t *Texts) wordLookup(word int) *lookup {
	for word >= 0 {
		w := &t.words[word]
		if w.table != nil {
			return w.table
		}
		word = w.wordAlone()
	}
	return nil
}

// rows returns the keys of a look-up's rows, sorted. It leaves out keys that are not numbers.
func (l *lookup) rows() [][]uint64 {
	var out [][]uint64
	for key := range l.texts {
		var numbers []uint64
		for part := range strings.SplitSeq(key, "\x00") {
			if n, err := strconv.ParseUint(part, 10, 64); err == nil {
				numbers = append(numbers, n)
			}
		}
		if len(numbers) == len(l.by) {
			out = append(out, numbers)
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}

// with returns a value in which only these fields are set, to these numbers.
func (c *Collection) with(fields []*Field, numbers []uint64) Value {
	b := c.builder()
	stored := map[int]*big.Int{}
	for i, f := range fields {
		n := new(big.Int).SetUint64(numbers[i])
		at := f.stored
		if f.width > 0 {
			n.Lsh(n, f.low)
			at = c.Fields[f.parent].stored
		}
		if stored[at] == nil {
			stored[at] = new(big.Int)
		}
		stored[at].Add(stored[at], n)
	}
	for at, n := range stored {
		var raw [64]byte
		if at >= 0 && n.BitLen() <= 8*len(raw) {
			b.setBytes(at, string(n.FillBytes(raw[:])))
		}
	}
	return b.value()
}
