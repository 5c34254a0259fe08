package collection

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/yamlfile"
)

// A Token is the data that a collection's texts can show of one token. Its strings are already
// escaped as the texts need it: see Collection.Texts.
type Token struct {
	ID          uint64
	Number      uint64 // number within its native realm
	Name        string // name that its owner gave; "" for none
	Value       Value
	Realm       string
	NativeRealm string
	Owner       common.Address
	Casings     []Casing // of the owner, then of each address field
	InTransit   bool
	Closed      bool // its realm is closed
	Block       uint64
	ChangedAt   int64 // unix seconds
}

// Texts write the published texts of tokens, with the words of one art pack. They are safe for
// concurrent use.
type Texts struct {
	c           *Collection
	escape      func(string) string
	words       []word
	name        template
	description template
	line        template
	attributes  []show
	data        []show
	raw         []show
	cachedBy    []*Field // fields whose values have cached JSON: see show
	kind        int      // index of the word for a token's kind, or -1
	family      int      // index of the word that groups kinds, or -1
	kinds       []Kind
	fields      []fieldText // by index in Collection.Fields
}

// Texts compiles the published texts with the tables of an art pack. Every text is passed through
// escape once, here, and later written unchanged.
func (c *Collection) Texts(pack map[string]Table, escape func(string) string) (*Texts, error) {
	k := &textCompiler{compiler: compiler{Collection: c}, pack: pack, escape: escape}
	t := k.texts()
	if len(k.faults) > 0 { // the pack lacks a table or column; the Reader adds the line to each fault
		return nil, yamlfile.Reader{Max: maxFile}.Read(c.name, c.source, new(file),
			func() []yamlfile.Fault { return k.faults })
	}
	t.raw = c.rawShows()
	for _, list := range [][]show{t.attributes, t.data, t.raw} {
		for i := range list {
			t.addCache(&list[i])
		}
	}
	t.describeFields()
	t.listKinds()
	return t, nil
}

// texts checks all texts, and finds the fields that decide the kind. The tables of the pack are not
// known yet.
func (c *compiler) texts() {
	k := &textCompiler{compiler: compiler{Collection: c.Collection}, escape: func(s string) string { return s }}
	t := k.texts()
	c.faults = append(c.faults, k.faults...)
	if len(k.faults) > 0 || t.kind < 0 {
		return
	}
	for _, r := range t.words[t.kind].table.by {
		c.kindFields = append(c.kindFields, r.field)
	}
}

// A textCompiler compiles the texts of a collection.
type textCompiler struct {
	compiler
	pack   map[string]Table // nil if unknown; then any table may exist
	escape func(string) string
	words  []word
}

func (k *textCompiler) texts() *Texts {
	f := k.file
	for _, w := range f.Words {
		at := "words." + w.Key
		if !plainName.MatchString(w.Key) || builtInNamed(w.Key) != nil {
			k.fault(at, "a word's name is letters, digits and _, begins with a letter, and is none of %s",
				strings.Join(builtInNames(), ", "))
		}
		k.words = append(k.words, word{name: w.Key, value: k.value(at, &w.Value)})
	}
	t := &Texts{c: k.Collection, escape: k.escape, words: k.words}
	t.name = k.template("token.name", cmp.Or(f.Token.Name, "#{number}"))
	t.description = k.template("token.description", f.Token.Description)
	t.line = k.template("token.line", f.Token.Line)
	t.kind = k.wordNamed("token.kind", f.Token.Kind)
	t.family = k.wordNamed("token.family", f.Token.Family)
	k.checkKind(t.kind, t.family)
	traits := map[string]bool{}
	for i := range f.Attributes {
		a := &f.Attributes[i]
		at := fmt.Sprintf("attributes[%d]", i)
		switch {
		case a.Trait == "":
			k.fault(at, "trait is missing")
		case traits[a.Trait]:
			k.fault(at+".trait", "%s occurs twice", a.Trait)
		}
		traits[a.Trait] = true
		s := newShow(a.Trait, `,{"trait_type":"`+JSONText(a.Trait)+`","value":`, "}", k.value(at, &a.valueFile))
		s.label = cmp.Or(a.Label, sentenceCase(a.Trait))
		if s.display == displayNumber || s.display == displayDate {
			s.tail = `,"display_type":"` + displays[s.display] + `"}`
		}
		t.attributes = append(t.attributes, s)
	}
	for i := range f.Data {
		d := &f.Data[i]
		t.data = append(t.data, newShow(d.Key, `,"`+JSONText(d.Key)+`":`, "", k.value("data."+d.Key, &d.Value)))
	}
	return t
}

// wordNames returns the names of the words that are known so far.
func (k *textCompiler) wordNames() (names []string) {
	for _, w := range k.words {
		names = append(names, w.name)
	}
	return names
}

// wordNamed returns the index of a word. If there is none, it returns -1 and reports a fault. An
// empty name is not a fault.
func (k *textCompiler) wordNamed(at, name string) int {
	i := slices.IndexFunc(k.words, func(w word) bool { return w.name == name })
	if i < 0 && name != "" {
		k.fault(at, "there is no word %s; %s", name, known(name, k.wordNames()))
	}
	return i
}

// checkKind checks that tokens can be listed by their kind.
func (k *textCompiler) checkKind(kind, family int) {
	if kind < 0 {
		if family >= 0 {
			k.fault("token.family", `a family groups kinds; give the key "kind" too`)
		}
		return
	}
	l := k.words[kind].table
	if l == nil {
		k.fault("token.kind", "%s is not looked up in a table; the word for the kind must come from one",
			k.words[kind].name)
		return
	}
	for _, r := range l.by {
		if r == noRef {
			return // the fault of that reference is already reported
		}
		if r.field == nil || !r.field.Filter || r.field.Type.kind == kindWord {
			k.fault("token.kind", "%s must be looked up only by numbers that have filter: true", k.words[kind].name)
			return
		}
	}
}

// A word is a named value that other values can refer to.
type word struct {
	name string
	value
}

// A show is an attribute, or a key of data or rawData. Most shows depend on one field with few
// values. Their JSON is cached when it is first written.
type show struct {
	key                string
	label              string // what pages call an attribute; otherwise ""
	head, tail         string // JSON before the value, beginning with a comma, and JSON after the value
	textHead, textTail string // head and tail for a value that is a text, with its quotes
	value
	cache    []atomic.Pointer[string] // JSON for tokens without the field, then for each value; nil if not cached
	cacheKey int                      // the field's index in Texts.cachedBy
}

func newShow(key, head, tail string, v value) show {
	return show{key: key, head: head, tail: tail, textHead: head + `"`, textTail: `"` + tail, value: v}
}

// addCache makes room to cache the JSON of a show that depends on one field of at most 256 values.
func (t *Texts) addCache(s *show) {
	used := t.uses(&s.value)
	if bits.OnesCount64(used) != 1 {
		return
	}
	f := &t.c.Fields[bits.TrailingZeros64(used)]
	if !f.Type.isNumber() || f.Type.kind == kindInt || f.stored < 0 && f.width == 0 || f.max() > math.MaxUint8 {
		return
	}
	s.cache = make([]atomic.Pointer[string], math.MaxUint8+2)
	s.cacheKey = slices.Index(t.cachedBy, f)
	if s.cacheKey < 0 {
		s.cacheKey = len(t.cachedBy)
		t.cachedBy = append(t.cachedBy, f)
	}
}

// uses returns the indexes of the fields that a value depends on, as bits. All bits are set if the
// value also depends on something else.
func (t *Texts) uses(v *value) (places uint64) {
	refs := []ref{{word: -1, field: v.field, builtIn: v.builtIn}, {word: -1, field: v.when}}
	for _, p := range slices.Concat(v.text, v.none, v.otherwise) {
		refs = append(refs, p.ref)
	}
	if v.table != nil {
		refs = append(refs, v.table.by...)
	}
	for _, r := range refs {
		switch {
		case r.word >= 0:
			places |= t.uses(&t.words[r.word].value)
		case r.field != nil:
			places |= 1 << r.field.place
		case r.builtIn != nil:
			return math.MaxUint64
		}
	}
	return places
}

// A value is a published value in compiled form.
type value struct {
	display   display
	text      template // for a text, a field or a word
	field     *Field   // set if the value is a field
	builtIn   *builtIn // set if the value is a built-in
	table     *lookup
	none      template
	stars     []int
	when      *Field
	otherwise template
	omitted   bool // the value is left out if the field in when is 0
}

// A template is a text with references.
type template []piece

// A piece is a literal text, followed by a reference.
type piece struct {
	literal string
	ref     ref
}

// A ref refers to a word, a field or a built-in.
type ref struct {
	word    int // index of the word, or -1
	field   *Field
	builtIn *builtIn
}

var noRef = ref{word: -1}

// A display says how a value is shown.
type display uint8

const (
	displayText display = iota
	displayNumber
	displayDate
	displayStars
	displayYesNo
	displayBool
	displayRaw // a field or the name in the form of rawData
)

// displays are the values of the key "display" in a file, indexed by display. No file can choose
// displayRaw.
var displays = []string{"text", "number", "date", "stars", "yes_no", "bool"}

// value compiles a value of the file.
func (k *textCompiler) value(at string, f *valueFile) value {
	var v value
	var given []string
	for _, way := range []struct{ key, text string }{
		{"text", f.Text}, {"field", f.Field}, {"word", f.Word}, {"table", f.Table},
	} {
		if way.text != "" {
			given = append(given, way.key)
		}
	}
	if len(given) != 1 {
		k.fault(at, "a value is one of text, field, word and table; this has %s",
			cmp.Or(strings.Join(given, " and "), "none"))
		return v
	}
	switch {
	case f.Text != "":
		v.text = k.template(at, f.Text)
	case f.Word != "":
		r, ok := k.refer(f.Word, true)
		if !ok || r.word < 0 {
			k.fault(at+".word", "there is no earlier word %s; %s", f.Word, known(f.Word, k.wordNames()))
		}
		v.text = template{{ref: r}}
	case f.Field != "":
		r, ok := k.refer(f.Field, false)
		if !ok || r.word >= 0 {
			k.fault(at+".field", "there is no field %s; %s", f.Field, k.knownFields(f.Field))
			return v
		}
		v.field = r.field
		v.builtIn = r.builtIn
		v.text = template{{ref: r}}
	default:
		k.lookUp(at, f, &v)
	}
	k.displayed(at, f, &v)
	if f.When != "" {
		r, ok := k.refer(f.When, false)
		if !ok || r.field == nil || !r.field.Type.narrow() {
			k.fault(at+".when", "%s is not a field with a number of up to 64 bits; %s", f.When, k.knownFields(f.When))
		}
		v.when = r.field
		v.omitted = f.Otherwise == ""
	}
	v.otherwise = k.template(at+".otherwise", f.Otherwise)
	return v
}

// displayed checks that a value can be shown as configured.
func (k *textCompiler) displayed(at string, f *valueFile, v *value) {
	number := v.field != nil && v.field.Type.narrow() && v.field.Type.kind != kindWord ||
		v.builtIn != nil && v.builtIn.number != nil
	i := slices.Index(displays, cmp.Or(f.Display, "text"))
	v.display = display(max(0, i))
	switch {
	case i < 0:
		k.fault(at+".display", "%q: %sa value is shown as text, number, date, stars, yes_no or bool", f.Display,
			yamlfile.DidYouMean(f.Display, displays...))
	case v.display != displayText && !number:
		k.fault(at+".display", "only a field or built-in that is a number of up to 64 bits can be shown as %s",
			f.Display)
	}
	if (len(f.Stars) > 0) != (v.display == displayStars) || !slices.IsSorted(f.Stars) || len(f.Stars) > 10 {
		k.fault(at+".stars",
			`the keys "stars" and "display: stars" need each other; stars are up to ten ascending numbers`)
	}
	v.stars = f.Stars
}

// lookUp compiles a look-up in a table.
func (k *textCompiler) lookUp(at string, f *valueFile, v *value) {
	own, isOwn := k.file.Tables[f.Table]
	packed, isPacked := k.pack[f.Table]
	missing := k.pack != nil && !isOwn && !isPacked
	if missing {
		names := slices.Sorted(maps.Keys(k.file.Tables))
		k.fault(at+".table", "neither the file nor the pack has a table %s; %s", f.Table, known(f.Table, names))
	}
	if len(f.By) == 0 {
		k.fault(at, `the key "by" is missing: name the fields that find a row of %s`, f.Table)
	}
	if f.Column != "" && k.pack != nil && !missing && !own.hasColumn(f.Column) && !packed.hasColumn(f.Column) {
		k.fault(at+".column", "the table %s has no column %s", f.Table, f.Column)
	}
	var by []ref
	for _, name := range f.By {
		r, ok := k.refer(name, false)
		if !ok || r.builtIn != nil {
			k.fault(at+".by", "%s is neither a field nor an earlier word; %s",
				name, k.knownFields(name, k.wordNames()...))
			r = noRef
		}
		by = append(by, r)
	}
	v.table = k.newLookup(by, f.Column, own, packed)
	v.none = k.template(at+".none", f.None)
}

// refer returns the word, field or built-in with the given name. If a word and a field have this
// name, wordFirst selects the word.
func (k *textCompiler) refer(name string, wordFirst bool) (ref, bool) {
	w := slices.IndexFunc(k.words, func(w word) bool { return w.name == name })
	f := k.FieldNamed(name)
	switch {
	case w >= 0 && (wordFirst || f == nil):
		return ref{word: w}, true
	case f != nil && f.role != "name" && f.role != "id":
		return ref{word: -1, field: f}, true
	}
	b := builtInNamed(name)
	return ref{word: -1, builtIn: b}, b != nil
}

// template compiles a text with names in braces.
func (k *textCompiler) template(at, text string) template {
	var out template
	for text != "" {
		literal, rest, found := strings.Cut(text, "{")
		p := piece{literal: k.escape(literal), ref: noRef}
		if found {
			var name string
			if name, rest, found = strings.Cut(rest, "}"); !found {
				k.fault(at, "a closing brace is missing: %q", text)
				return out
			}
			number, isNumber := strings.CutSuffix(name, "#")
			r, ok := k.refer(number, !isNumber)
			if !ok || isNumber && r.field == nil {
				k.fault(at, "{%s} is not a word, field or built-in value; %s",
					name, k.knownFields(number, slices.Concat(k.wordNames(), builtInNames())...))
			}
			p.ref = r
		}
		out = append(out, p)
		text = rest
	}
	return out
}

// A frame has the data for writing the values of one token.
type frame struct {
	t       *Texts
	x       Token
	rawName string
	words   [maxWords]string // the words that were needed so far
	// cached has a number for each field in Texts.cachedBy: 0 if the token lacks the field, and
	// otherwise 1 plus the field's value. The number is used as an index of show.cache.
	cached [maxFields]uint16
}

// word returns a word of the token.
func (f *frame) word(i int) string {
	if f.words[i] == "" {
		f.words[i] = f.text(&f.t.words[i].value)
	}
	return f.words[i]
}

// text returns a value as text.
func (f *frame) text(v *value) string {
	if v.when != nil && f.number(v.when) == 0 {
		return f.join(v.otherwise)
	}
	if v.table == nil {
		return f.join(v.text)
	}
	if text := f.find(v.table); text != "" {
		return text
	}
	return f.join(v.none)
}

// join returns a template's text for the token.
func (f *frame) join(t template) string {
	switch {
	case len(t) == 0:
		return ""
	case len(t) == 1 && t[0].ref == noRef:
		return t[0].literal
	case len(t) == 1 && t[0].literal == "" && t[0].ref.word >= 0:
		return f.word(t[0].ref.word)
	}
	var buffer [256]byte
	return string(f.appendTemplate(buffer[:0], t))
}

func (f *frame) appendTemplate(dst []byte, t template) []byte {
	for i := range t {
		dst = f.append(append(dst, t[i].literal...), t[i].ref)
	}
	return dst
}

// append appends the value of a reference.
func (f *frame) append(dst []byte, r ref) []byte {
	switch {
	case r.word >= 0:
		return append(dst, f.word(r.word)...)
	case r.field != nil:
		return f.appendField(dst, r.field)
	case r.builtIn != nil:
		return f.appendBuiltIn(dst, r.builtIn)
	}
	return dst
}

func (f *frame) appendName(dst []byte) []byte {
	if f.x.Name != "" {
		return append(dst, f.x.Name...)
	}
	return f.appendTemplate(dst, f.t.name)
}

func (f *frame) number(field *Field) uint64 { return f.t.c.Uint(f.x.Value, field) }

// numberOf returns a value that is shown as a number.
func (f *frame) numberOf(v *value) uint64 {
	if v.field != nil {
		return f.number(v.field)
	}
	return v.builtIn.number(f.x)
}

func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
