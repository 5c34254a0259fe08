package probe

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A collectionDraft is the draft of a collection file, for an ERC-721 contract that does not fit the
// default collection.
type collectionDraft struct {
	*Chain
	at       common.Address
	title    string   // name()
	stem     string   // beginning of its file names
	count    string   // how its tokens are found, in the syntax of a collection file
	why      string   // the reason for the value of count
	ids      []uint64 // ids of some tokens, in order; each has an owner
	getter   getter   // returns the traits; zero if none was found
	fields   []field
	events   []string
	notFound []string // sentences about the parts that are missing
}

// A field is one value that a getter returns.
type field struct {
	abiArg
	key  string // the name in lower case
	isID bool   // its values are the ids of the tokens
}

// maxFilters limits the fields with a filter in a draft.
const maxFilters = 8

// describe finds the traits that the contract's functions return.
func (h *collectionDraft) describe(ctx context.Context, abi ABI) error {
	h.stem = cmp.Or(slug(h.title), "collection")
	var misfit error
	for _, g := range abi.getters() {
		fields, err := h.try(ctx, g)
		if err == nil {
			h.getter = g
			h.addFields(fields)
			break
		}
		h.notFound = append(h.notFound, err.Error())
		misfit = cmp.Or(misfit, err)
	}
	h.events = abi.events(h.getter.name)
	switch {
	case len(abi) == 0:
		h.notFound = append(h.notFound, "no ABI was given, so the traits are not known; give the ABI with --abi FILE, "+
			"or import traits with petsupply import")
	case misfit != nil && len(h.fields) == 0:
		return fmt.Errorf("the ABI does not fit the contract: %w", misfit)
	case len(h.fields) == 0:
		h.notFound = append(h.notFound, "no function of the ABI takes an id and returns traits "+
			"that a collection file can describe; import them with petsupply import")
	}
	if len(h.ids) == 0 {
		h.notFound = append(h.notFound, "no token was found, so nothing could be tried")
	}
	return nil
}

// file returns the name of the collection file.
func (h *collectionDraft) file() string { return h.stem + ".yaml" }

// pack returns the name of the art pack.
func (h *collectionDraft) pack() string { return h.stem + "-pack" }

var (
	notWord    = regexp.MustCompile(`[^A-Za-z0-9_]`)
	notInPaths = regexp.MustCompile(`[^a-z0-9]+`)
)

// slug makes a text usable in URLs and in names of files and packs.
func slug(text string) string {
	text = strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(text), "-"), "-")
	return strings.Trim(text[:min(len(text), 24)], "-")
}

// try calls a function for the sampled tokens. Its error says why no token can be read.
func (h *collectionDraft) try(ctx context.Context, g getter) ([]field, error) {
	var text strings.Builder
	fmt.Fprintf(&text, "name: trial\ngetters: {%s: {call: %q, returns: %s}}\nfields:\n", g.name, g.call, g.returns)
	fields := make([]field, len(g.fields))
	for i, f := range g.fields {
		fields[i] = field{abiArg: f}
		fmt.Fprintf(&text, "  - {name: f%d, type: %s}\n", i, f.Type)
	}
	trial, err := collection.Parse(g.call, []byte(text.String()))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be described: %w", g.call, err)
	}
	rg := &pet.Registry{Collection: trial}
	r := pet.Realm{Contract: h.at}
	answers, err := h.Read(ctx, h.Block, rg.StateCalls(r, h.ids))
	if err != nil {
		return nil, err
	}
	seen, unreadable, err := rg.Observations(r, h.ids, answers)
	if err != nil {
		return nil, err
	}
	if len(seen) == 0 && unreadable.First != nil {
		return nil, unreadable.First
	}
	for i := range fields {
		fields[i].isID = strings.HasPrefix(fields[i].Type, "uint")
		for _, o := range seen {
			fields[i].isID = fields[i].isID && trial.Text(o.Value, &trial.Fields[i]) == strconv.FormatUint(o.ID, 10)
		}
	}
	return fields, nil
}

// builtIns are names that fields cannot have.
var builtIns = []string{
	"number", "realm", "native_realm", "owner", "in_transit", "closed", "block", "changed_at", "ids", "cursor", "limit",
	"sort", "newest", "of", "at",
}

// addFields adds what the getter returns, with names that a collection file can have.
func (h *collectionDraft) addFields(fields []field) {
	for i, f := range fields {
		if f.Name == "" && len(fields) == 1 {
			f.Name = strings.TrimPrefix(h.getter.name, "get")
		}
		f.Name = strings.TrimLeft(notWord.ReplaceAllString(orNumber(f.Name, i), ""), "_0123456789")
		f.Name = cmp.Or(f.Name[:min(len(f.Name), 50)], "value")
		key := strings.ToLower(f.Name)
		f.isID = f.isID && (key == "id" || key == "tokenid") && f.wide(64)
		taken := slices.Contains(builtIns, key) || h.has(key)
		if taken || key == "id" && !f.isID || key == "name" && f.Type != "string" {
			f.Name += fmt.Sprintf("Value%d", len(h.fields)+1)
			f.isID = false
		}
		f.key = strings.ToLower(f.Name)
		h.fields = append(h.fields, f)
	}
}

// has reports whether a field has this key.
func (h *collectionDraft) has(key string) bool {
	return slices.ContainsFunc(h.fields, func(f field) bool { return f.key == key })
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

// text returns the collection file.
func (h *collectionDraft) text() []byte {
	d := &draft{}
	d.remark("Drafted by petsupply init for %s.", h.at)
	d.remark("A question mark means that you have to decide. docs/COLLECTIONS.md describes every key.")
	d.remark("A line that begins with # and no space is a suggestion: remove the # to use it.")
	for _, text := range h.notFound {
		d.remark("Not found: %s.", oneLine(text))
	}
	d.line("name: "+strconv.Quote(cmp.Or(h.title, "Tokens")), "name()")
	d.hint("one: token", "? what one of them is called")
	d.hint("many: tokens", "? what several are called")
	d.hint("description: Tokens of a contract.", "? which sentence describes them")
	h.draftGetter(d)
	d.line("count: "+h.count, oneLine(h.why))
	if len(h.events) > 0 {
		d.line("events:", "these say that a token has changed; those of ERC-721, ERC-4906 and ERC-7496 are known")
		for _, e := range h.events {
			d.line("  - "+e, "? is this the argument with the token's id?")
		}
	}
	h.draftFields(d)
	d.line("token:", "the texts of a token")
	d.line("  name: "+strconv.Quote(strings.TrimSpace(h.title+" #{number}")), "? its name")
	h.draftAttributes(d)
	h.draftWords(d)
	return []byte(d.String())
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (h *collectionDraft) draftGetter(d *draft) {
	if len(h.fields) == 0 {
		return
	}
	tried := "it could not be tried, since no token was found"
	if len(h.ids) > 0 {
		tried = fmt.Sprintf("token %d matches it", h.ids[0])
	}
	g := h.getter
	d.line("getters:", "the call that returns traits")
	d.line(fmt.Sprintf("  %s: {call: %q, returns: %s}", g.name, g.call, g.returns), "from the ABI; "+tried)
}

// draftFields writes the fields.
func (h *collectionDraft) draftFields(d *draft) {
	if len(h.fields) == 0 {
		d.remark("? Are traits in a table or in metadata files? Then petsupply import reads them. For each trait:")
		d.hint("fields: [{name: colour, type: word, filter: true}]", "a field")
		d.hint("attributes: [{trait: Colour, field: colour}]", "what is published of it")
		return
	}
	d.line("fields:", "the values that the calls return, in this order")
	filters := 0
	for _, f := range h.fields {
		keys := []string{"name: " + f.Name, "type: " + f.Type}
		why := "from the ABI"
		switch {
		case f.isID:
			keys = append(keys, "is: id")
			why = "the token's id"
		case f.key == "name":
			keys = append(keys, "is: name")
			why = "? the name that its owner gave it"
		case f.small() && filters < maxFilters:
			keys = append(keys, "filter: true")
			filters++
			why = "? If it shows in pictures, add is: look, and for a number values: and how many it has"
		case f.wide(128):
			why = "? If it packs several traits, cut it: {name: wings, of: " + f.Name +
				", bits: [8, 4], is: look, values: 3}"
		}
		d.line("  - {"+strings.Join(keys, ", ")+"}", why)
	}
}

// small reports whether readers can filter by the field: it has few possible values.
func (f field) small() bool { return f.Type == "bool" || f.Type == "uint8" || f.Type == "uint16" }

// draftAttributes writes an attribute for each field.
func (h *collectionDraft) draftAttributes(d *draft) {
	shown := slices.DeleteFunc(slices.Clone(h.fields), func(f field) bool { return f.isID || f.key == "name" })
	if len(shown) == 0 {
		return
	}
	d.line("attributes:", "the published values; remove those that nobody needs")
	for _, f := range shown {
		display := ""
		switch {
		case f.Type == "bool":
			display = ", display: yes_no"
		case f.Type != "uint8" && f.narrow():
			display = ", display: number"
		}
		d.line(fmt.Sprintf("  - {trait: %q, field: %s%s}", inWords(f.Name), f.Name, display), "? its name for readers")
	}
}

// draftWords writes how numbers become words: one block for all fields that may need it.
func (h *collectionDraft) draftWords(d *draft) {
	var numbers []field
	for _, f := range h.fields {
		if f.Type == "uint8" && !f.isID {
			numbers = append(numbers, f)
		}
	}
	if len(numbers) == 0 {
		return
	}
	d.remark("? Do numbers stand for words? Keep the lines of these fields, and write the words of 0, 1 and so on:")
	d.hint("tables:", "the words")
	for _, f := range numbers {
		d.hint(fmt.Sprintf("  %[1]s: [%[1]s A, %[1]s B]", f.Name), "of 0 and 1")
	}
	d.hint("words:", "shown by the attributes of these fields")
	for _, f := range numbers {
		d.hint(fmt.Sprintf("  %[1]s: {table: %[1]s, by: [%[1]s], none: \"%[1]s {%[1]s#}\"}", f.Name),
			"other numbers are shown as they are")
	}
}

var hump = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// inWords turns a name such as bornAt into a title.
func inWords(name string) string {
	name = strings.ReplaceAll(hump.ReplaceAllString(name, "$1 $2"), "_", " ")
	return strings.ToUpper(name[:1]) + name[1:]
}
