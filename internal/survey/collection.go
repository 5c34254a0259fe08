package survey

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A collectionDraft is the draft of a collection file, for a contract that does not fit the default
// collection.
type collectionDraft struct {
	*erc721
	stem     string // beginning of its file names
	one      string // the word for one token, "" if unknown
	getters  []getter
	fields   []field
	events   []string
	notFound []string // sentences about the parts that are missing
}

// A field is one value that a getter returns, with its name and the values seen.
type field struct {
	abiArg
	getter string
	key    string   // the name in lower case
	seen   []uint64 // its values in the sampled tokens
	other  bool     // some values are not numbers, or are too large
	isID   bool
}

// Limits of a draft.
const (
	maxGetters = 4
	maxFilters = 8
	maxCounted = 4
	maxLooks   = 3
	maxSeen    = 32 // a uint8 field with a sampled value of this or more is not taken for an enum
)

// plural matches the endings of English plurals: foxes, dragons.
var plural = regexp.MustCompile(`(x|ch|sh|ss)es$|s$`)

// singular guesses the singular of a word.
func singular(many string) string {
	if stem, ok := strings.CutSuffix(many, "ies"); ok {
		return stem + "y"
	}
	return plural.ReplaceAllString(many, "$1")
}

// describe finds the traits that a contract's functions return.
func (x *erc721) describe(ctx context.Context, abi ABI) (*collectionDraft, error) {
	h := &collectionDraft{erc721: x, stem: cmp.Or(slug(x.title), "collection")}
	if word := strings.ToLower(x.title); oneWord.MatchString(word) {
		h.one = singular(word)
	}
	candidates, odd := abi.getters()
	h.notFound = append(h.notFound, odd...)
	var misfit error
	for _, g := range candidates {
		fields, err := x.try(ctx, g)
		if err != nil {
			h.notFound, misfit = append(h.notFound, err.Error()), cmp.Or(misfit, err)
			continue
		}
		h.take(g, fields)
	}
	names := []string{h.one}
	for _, g := range h.getters {
		names = append(names, strings.ToLower(g.name))
	}
	h.events = abi.events(names...)
	switch {
	case len(abi) == 0:
		h.notFound = append(h.notFound, "no ABI was given, so the traits are not known; give the ABI with --abi FILE, "+
			"or import traits with petsupply import")
	case misfit != nil && len(h.getters) == 0:
		return nil, fmt.Errorf("the ABI does not fit the contract: %w", misfit)
	case len(h.getters) == 0:
		h.notFound = append(h.notFound, "no function of the ABI takes an id and returns traits; "+
			"import them with petsupply import")
	}
	if len(x.ids) == 0 {
		h.notFound = append(h.notFound, "no token was found, so nothing could be tried")
	}
	return h, nil
}

// file returns the name of the collection file.
func (h *collectionDraft) file() string { return h.stem + ".yaml" }

// pack returns the name of the art pack.
func (h *collectionDraft) pack() string { return h.stem + "-pack" }

// sameShape reports whether one file can describe both contracts.
func (h *collectionDraft) sameShape(o *collectionDraft) bool {
	return h.count == o.count && slices.EqualFunc(h.getters, o.getters, func(a, b getter) bool {
		return a.call == b.call && slices.EqualFunc(a.fields, b.fields, func(x, y abiArg) bool { return x.Type == y.Type })
	})
}

var (
	oneWord = regexp.MustCompile(`^[a-z]{3,}s$`)
	notWord = regexp.MustCompile(`[^A-Za-z0-9_]`)
)

var notInPaths = regexp.MustCompile(`[^a-z0-9]+`)

// slug makes a text usable in URLs and in names of files and packs.
func slug(text string) string {
	text = strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(text), "-"), "-")
	return strings.Trim(text[:min(len(text), 24)], "-")
}

// try calls a function for the sampled tokens. Its error says why no token can be read.
func (x *erc721) try(ctx context.Context, g getter) ([]field, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "name: trial\ngetters: {%s: {call: %q, returns: %s}}\nfields:\n", g.name, g.call, g.returns)
	fields := make([]field, len(g.fields))
	for i, f := range g.fields {
		fields[i] = field{abiArg: f, getter: g.name}
		fmt.Fprintf(&text, "  - {name: f%d, type: %s}\n", i, f.Type)
	}
	trial, err := collection.Parse(g.call, []byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be described: %w", g.call, err)
	}
	k := &pet.Kingdom{Collection: trial}
	r := pet.Realm{Contract: x.at}
	answers, err := x.dialled.Read(ctx, x.block, k.StateCalls(r, x.ids))
	if err != nil {
		return nil, err
	}
	seen, unreadable, err := k.Observations(r, x.ids, answers)
	if err != nil {
		return nil, err
	}
	if len(seen) == 0 && unreadable.First != nil {
		return nil, unreadable.First
	}
	for i := range fields {
		fields[i].isID = len(seen) == 0 || strings.HasPrefix(fields[i].Type, "uint")
		for _, o := range seen {
			n, err := strconv.ParseUint(trial.Text(o.Value, &trial.Fields[i]), 10, 63)
			fields[i].seen = append(fields[i].seen, n)
			fields[i].other = fields[i].other || err != nil
			fields[i].isID = fields[i].isID && n == o.ID
		}
	}
	return fields, nil
}

// builtIns are names that fields cannot have.
var builtIns = []string{
	"number", "realm", "native_realm", "owner", "in_transit", "closed", "block", "changed_at", "ids", "cursor", "limit",
	"sort", "newest", "of", "at",
}

// take adds a getter, unless one of its fields exists already or there are too many getters or
// fields.
func (h *collectionDraft) take(g getter, fields []field) {
	for i := range fields {
		f := &fields[i]
		if f.Name == "" && len(fields) == 1 {
			f.Name = strings.TrimPrefix(g.name, "get")
		}
		f.Name = strings.TrimLeft(notWord.ReplaceAllString(orNumber(f.Name, i), ""), "_0123456789")
		f.Name = f.Name[:min(len(f.Name), 60)]
		if f.Name = cmp.Or(f.Name, "value"); strings.EqualFold(f.Name, "id") && !f.wide(64) {
			f.Name += "Value"
		}
		f.key = strings.ToLower(f.Name)
		f.isID = f.isID && f.wide(64) &&
			(f.key == "id" || f.key == "tokenid" || len(f.seen) > 0 && strings.HasSuffix(f.key, "id"))
		if slices.Contains(builtIns, f.key) || f.key == "id" && !f.isID || f.key == "name" && f.Type != "string" {
			f.Name, f.key = f.Name+"Value", f.key+"value"
		}
		twin := func(o field) bool { return o.key == f.key || o.isID && f.isID }
		if slices.ContainsFunc(h.fields, twin) {
			h.notFound = append(h.notFound, fmt.Sprintf("%s is left out: %s is a field already", g.call, f.Name))
			return
		}
		if slices.ContainsFunc(fields[:i], twin) {
			f.Name, f.key = fmt.Sprintf("%s%d", f.Name, i+1), fmt.Sprintf("%s%d", f.key, i+1)
		}
	}
	if len(h.getters) == maxGetters || len(h.fields)+len(fields) > 64 {
		h.notFound = append(h.notFound, fmt.Sprintf("%s is left out: there are too many getters or fields already", g.call))
		return
	}
	h.getters, h.fields = append(h.getters, g), append(h.fields, fields...)
}

// wide reports whether the field is an unsigned number that has at least this many bits.
func (f field) wide(bits int) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(f.Type, "uint"))
	return err == nil && n >= bits
}

// narrow reports whether listings can use the field as a number.
func (f field) narrow() bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(f.Type, "u"), "int")
	n, err := strconv.Atoi(digits)
	return err == nil && n <= 64 || f.Type == "bool"
}

// most returns the largest value seen. ok is false if no token was sampled, or if some values are
// not numbers or are too large.
func (f field) most() (most uint64, ok bool) {
	if f.other || len(f.seen) == 0 {
		return 0, false
	}
	return slices.Max(f.seen), true
}

// isDate reports whether the field is an unsigned number, all values are 0 or look like times, and
// some are not 0.
func (f field) isDate() bool {
	if most, ok := f.most(); !ok || most == 0 || !f.narrow() || !strings.HasPrefix(f.Type, "uint") {
		return false
	}
	return !slices.ContainsFunc(f.seen, func(n uint64) bool { return n != 0 && (n < 1_400_000_000 || n > 4_000_000_000) })
}

// text returns the collection file.
func (h *collectionDraft) text() []byte {
	d := &draft{}
	d.remark("Drafted by petsupply init for %s.", h.at)
	d.remark("A question mark means that you have to decide. docs/COLLECTIONS.md describes every key.")
	for _, text := range h.notFound {
		d.remark("Not found: %s.", oneLine(text))
	}
	d.line("name: "+strconv.Quote(cmp.Or(h.title, "Tokens")), "name()")
	if h.one != "" {
		d.line("one: "+h.one, "? what one of them is called")
		d.line("many: "+strings.ToLower(h.title), "? what several are called")
	} else {
		d.remark("? What is one of them called, and what are several? one: dragon, many: dragons")
	}
	d.remark("? Which sentence describes them? description: …")
	if len(h.getters) > 0 {
		tried := "it could not be tried, since no token was found"
		if len(h.ids) > 0 {
			tried = fmt.Sprintf("token %d matches it", h.ids[0])
		}
		d.line("getters:", "the calls that return traits")
		for _, g := range h.getters {
			d.line(fmt.Sprintf("  %s: {call: %q, returns: %s}", g.name, g.call, g.returns), "from the ABI; "+tried)
		}
	}
	d.line("count: "+h.count, oneLine(h.why))
	if len(h.events) > 0 {
		d.line("events:", "these say that a token has changed; those of ERC-721, ERC-4906 and ERC-7496 are known")
		for _, e := range h.events {
			d.line("  - "+e, "? is this the argument with the token's id?")
		}
	}
	if len(h.fields) > 0 {
		d.line("fields:", "the values that the calls return, in this order")
	} else {
		d.remark("? Are traits in a table or in metadata files? Then petsupply import reads them. For each trait:")
		d.remark("fields:")
		d.remark("  - {name: colour, type: word, filter: true, counted: true}")
		d.remark("attributes:")
		d.remark("  - {trait: Colour, field: colour}")
	}
	looks := h.draftFields(d)
	d.line("token:", "the texts of a token")
	d.line("  name: "+strconv.Quote(strings.TrimSpace(h.title+" #{number}")), "? its name")
	unshown := func(f field) bool { return f.isID || f.key == "name" }
	if shown := slices.DeleteFunc(slices.Clone(h.fields), unshown); len(shown) > 0 {
		d.line("attributes:", "the published values; remove those that nobody needs")
		h.draftAttributes(d, shown)
	}
	for _, f := range looks {
		d.remark("? What are the values of %s called? These lines show the words in listings, pages and attributes:", f.Name)
		d.remark("tables: {%s: [Name of 0, Name of 1]}", f.key)
		d.remark("words: {%[1]s: {table: %[1]s, by: [%[1]s], none: \"%[2]s {%[1]s#}\"}}", f.key, f.Name)
	}
	return []byte(d.String())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// draftFields writes the fields, and returns those that show in pictures.
func (h *collectionDraft) draftFields(d *draft) (looks []field) {
	filters, counted := 0, 0
	for _, f := range h.fields {
		keys := []string{"name: " + f.Name, "type: " + f.Type}
		most, bounded := f.most()
		why := "from the ABI"
		if bounded && f.narrow() {
			why = fmt.Sprintf("0 to %d in %d tokens", most, len(f.seen))
		}
		isEnum := f.Type == "uint8" && bounded && most < maxSeen || strings.HasPrefix(f.Internal, "enum ")
		switch {
		case f.isID:
			keys, why = append(keys, "is: id"), "the token's id"
		case f.key == "name":
			keys, why = append(keys, "is: name"), "? the name that its owner gave it"
		case f.isDate():
			keys, why = append(keys, "sort: descending"), "its values look like times"
		case (f.Type == "bool" || isEnum) && filters < maxFilters:
			if isEnum && len(looks) < maxLooks {
				keys = append(keys, "is: look", fmt.Sprintf("values: %d", max(2, most+1)))
				why += ". ? Does it show in pictures, and how many values are there?"
				looks = append(looks, f)
			}
			keys, filters = append(keys, "filter: true"), filters+1
			if counted < maxCounted {
				keys, counted = append(keys, "counted: true"), counted+1
			}
		case f.narrow() && (f.Type == "uint8" || f.Type == "uint16") && filters < maxFilters:
			keys, filters = append(keys, "filter: true"), filters+1
		case f.wide(128):
			why = "? If it packs several traits, cut it: {name: wings, of: " + f.Name + ", bits: [8, 4], is: look, values: 3}"
		}
		if len(h.getters) > 1 {
			keys = append(keys, "getters: ["+f.getter+"]")
		}
		d.line("  - {"+strings.Join(keys, ", ")+"}", why)
	}
	return looks
}

// draftAttributes writes an attribute for each field.
func (h *collectionDraft) draftAttributes(d *draft, fields []field) {
	for _, f := range fields {
		display := ""
		switch {
		case f.Type == "bool":
			display = ", display: yes_no"
		case f.isDate():
			display = ", display: date"
		case f.narrow():
			display = ", display: number"
		}
		d.line(fmt.Sprintf("  - {trait: %q, field: %s%s}", inWords(f.Name), f.key, display), "? its name for readers")
	}
}

var hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// inWords turns a name such as bornAt into a title.
func inWords(name string) string {
	name = strings.ReplaceAll(hump.ReplaceAllString(name, "$1 $2"), "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
