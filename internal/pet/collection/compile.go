package collection

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"petsupply/internal/yamlfile"
)

// A compiler turns a file into a Collection and collects the file's faults.
type compiler struct {
	*Collection
	faults []yamlfile.Fault
}

func (c *compiler) fault(path, format string, args ...any) {
	c.faults = append(c.faults, yamlfile.Fault{Path: path, Text: fmt.Sprintf(format, args...)})
}

// known suggests a correction for an unknown name, and lists the known names.
func known(name string, names []string) string {
	return yamlfile.DidYouMean(name, names...) + "known here: " + cmp.Or(strings.Join(names, ", "), "none")
}

// knownFields suggests a correction for an unknown name, and lists the names of the fields that are
// known so far, and others. The key of a field is no name of it.
func (c *compiler) knownFields(name string, others ...string) string {
	var names []string
	for i := range c.Collection.Fields {
		names = append(names, c.Collection.Fields[i].Name)
	}
	names = append(names, others...)
	if f := c.Collection.find(func(f *Field) bool { return f.Key == name }); f != nil {
		return "did you mean " + f.Name + "? known here: " + strings.Join(names, ", ")
	}
	return known(name, names)
}

// compile fills the collection from its file and returns the faults.
func (c *Collection) compile(f *file) []yamlfile.Fault {
	k := &compiler{Collection: c}
	c.file = f
	c.Name = f.Name
	c.Description = f.Description
	c.One = cmp.Or(f.One, "token")
	c.Many = cmp.Or(f.Many, "tokens")
	if f.Name == "" {
		k.fault("name", "name is missing")
	}
	k.getters(f)
	k.count(f.Count)
	k.fields(f)
	k.layout()
	k.limits(f)
	k.events(f)
	if len(k.faults) == 0 {
		k.texts()
		k.labels()
	}
	return k.faults
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
	plainCall = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,63}\(([a-z0-9]+(,[a-z0-9]+)*)?\)$`)
)

func (c *compiler) getters(f *file) {
	for _, g := range f.Getters {
		at := "getters." + g.Key
		out := Getter{Name: g.Key}
		if !plainName.MatchString(g.Key) {
			c.fault(at, "a getter's name is letters, digits and _, and begins with a letter")
		}
		if !plainCall.MatchString(g.Value.Call) {
			c.fault(at+".call", "%q is not a call; write it like getPet(uint256)", g.Value.Call)
			c.Collection.Getters = append(c.Collection.Getters, out) // so that fields can refer to the faulty getter
			continue
		}
		_, argument, _ := strings.Cut(strings.TrimSuffix(g.Value.Call, ")"), "(")
		if _, err := parseType(argument); err != nil {
			c.fault(at+".call", "a getter takes only the token's id, as in getPet(uint256): %v", err)
		}
		out.selector = selector(g.Value.Call)
		switch g.Value.Returns {
		case "struct", "":
			out.isStruct = true
		case "values":
		default:
			c.fault(at+".returns", "%q: %sa getter returns struct or values", g.Value.Returns,
				yamlfile.DidYouMean(g.Value.Returns, "struct", "values"))
		}
		c.Collection.Getters = append(c.Collection.Getters, out)
	}
}

func (c *compiler) count(f countFile) {
	n := Count{}
	for _, way := range []struct{ call, key string }{{f.Next, "next"}, {f.Last, "last"}} {
		if way.call == "" {
			continue
		}
		if !plainCall.MatchString(way.call) || !strings.HasSuffix(way.call, "()") {
			c.fault("count."+way.key, "%q is not a call without arguments; write it like nextPetId()", way.call)
		}
		if n.Kind != "" {
			c.fault("count", `only one of the keys "next" and "last" is possible`)
		}
		n = Count{Kind: countKind(way.key), Call: selector(way.call)}
	}
	switch f.kind {
	case "":
	case string(Enumerable), string(Transfers):
		n.Kind = countKind(f.kind)
	default:
		c.fault("count", "%q: %stokens are counted by next, last, enumerable or transfers", f.kind,
			yamlfile.DidYouMean(f.kind, string(Enumerable), string(Transfers)))
	}
	if n.Kind == "" {
		n.Kind = Transfers
	}
	c.Collection.Count = n
}

func (c *compiler) fields(f *file) {
	if len(f.Fields) > maxFields {
		c.fault("fields", "there are %d fields; at most %d are possible", len(f.Fields), maxFields)
		return
	}
	taken := map[string]string{} // names of fields, by names and keys in lower case
	roleOf := map[string]string{}
	for i := range f.Fields {
		at := fmt.Sprintf("fields[%d]", i)
		in := &f.Fields[i]
		if !plainName.MatchString(in.Name) {
			c.fault(at+".name", "a field's name is letters, digits and _, and begins with a letter")
			continue
		}
		if in.Key != "" && !plainName.MatchString(in.Key) {
			c.fault(at+".key", "%q: a field's key is letters, digits and _, and begins with a letter", in.Key)
		}
		out := Field{Name: in.Name, Raw: strings.ToLower(in.Name), Filter: in.Filter, Sort: Sort(in.Sort),
			Change: in.Change, Values: in.Values, Bool: in.Bool, place: len(c.Collection.Fields),
			stored: -1, parent: -1}
		out.Key = cmp.Or(in.Key, out.Name)
		c.roles(at, in, &out, roleOf)
		c.named(at, &out, taken)
		if in.Of != "" {
			c.sliceOf(at, in, &out)
		} else {
			c.typed(at, in, &out)
		}
		c.listed(at, in, &out)
		c.Collection.Fields = append(c.Collection.Fields, out)
	}
}

// named checks that the name and the key of a field are its own. Letter case makes no difference:
// rawData has all names in lower case.
func (c *compiler) named(at string, f *Field, taken map[string]string) {
	for _, name := range slices.Compact([]string{f.Raw, strings.ToLower(f.Key)}) {
		switch owner, ok := taken[name]; {
		case ok && owner != f.Name && strings.EqualFold(owner, f.Name):
			c.fault(at, "%s and %s differ only in letter case; give one field another name", owner, f.Name)
		case ok:
			c.fault(at, "%s is the name of the field %s already", name, owner)
		case builtInNamed(name) != nil && name != f.role:
			c.fault(at, "%s is the name of a built-in value; give the field another name or key", name)
		}
		taken[name] = f.Name
	}
}

func (c *compiler) roles(at string, in *fieldFile, out *Field, roleOf map[string]string) {
	for _, role := range in.Is {
		switch role {
		case "look":
			out.Look = true
			continue
		case "rank":
			out.Rank = true
		case "id", "name":
			out.role = role
		default:
			c.fault(at+".is", "%q is not a role; %sthe roles are id, name, look and rank", role,
				yamlfile.DidYouMean(role, "id", "name", "look", "rank"))
			continue
		}
		if other := roleOf[role]; other != "" {
			c.fault(at+".is", "the field %s has the role %s already", other, role)
		}
		roleOf[role] = in.Name
	}
}

// typed reads the type of a field that comes from a getter or an import.
func (c *compiler) typed(at string, in *fieldFile, out *Field) {
	if in.Type == "" {
		c.fault(at, "type is missing")
		return
	}
	t, err := parseType(in.Type)
	if err != nil {
		c.fault(at+".type", "%v", err)
		return
	}
	out.Type = t
	switch {
	case out.role == "id" && (t.kind != kindUint || t.bits < 64):
		c.fault(at+".type", "the id must be uint64 or wider")
	case out.role == "name" && t.kind != kindString:
		c.fault(at+".type", "the name must be a string")
	case len(in.Bits) > 0:
		c.fault(at, `bits cuts a slice out of another field; name that field in the key "of"`)
	}
	if len(in.Getters) == 0 {
		for i := range c.Collection.Getters {
			out.getters = append(out.getters, i)
		}
	}
	for _, name := range in.Getters {
		i := slices.IndexFunc(c.Collection.Getters, func(g Getter) bool { return g.Name == name })
		if i < 0 {
			var names []string
			for _, g := range c.file.Getters {
				names = append(names, g.Key)
			}
			c.fault(at+".getters", "there is no getter %s; %s", name, known(name, names))
			continue
		}
		out.getters = append(out.getters, i)
	}
}

// sliceOf reads a field that is a slice of an earlier field.
func (c *compiler) sliceOf(at string, in *fieldFile, out *Field) {
	out.parent = slices.IndexFunc(c.Collection.Fields, func(f Field) bool { return f.Name == in.Of })
	if out.parent < 0 || c.Collection.Fields[out.parent].width > 0 || c.Collection.Fields[out.parent].role != "" {
		c.fault(at+".of", "there is no earlier field %s to take a slice of; %s", in.Of, c.knownFields(in.Of))
		return
	}
	whole := c.Collection.Fields[out.parent].Type
	if whole == (Type{}) {
		return // the fault of that field is already reported
	}
	cut := in.Bits
	switch {
	case in.Type != "" || len(in.Getters) > 0 || out.role != "":
		c.fault(at, "a slice has no type, getters or role of its own; leave them out")
	case whole.kind != kindUint && whole.kind != kindBytes:
		c.fault(at+".of", "%s is %s; slices are cut from uint and bytes types", in.Of, whole)
	case len(cut) != 2:
		c.fault(at, "a slice needs bits: [lowest, how many]")
	case cut[0] < 0 || cut[1] < 1 || cut[0]+cut[1] > whole.bits:
		c.fault(at+".bits", "[%d, %d] is not within %s; a slice is [lowest, how many]", cut[0], cut[1], whole)
	case cut[1] > 63:
		c.fault(at, "a slice has at most 63 bits")
	default:
		out.low = uint(cut[0])
		out.width = uint(cut[1])
		out.Type = Type{kindUint, 64}
	}
}

// takenParams are parameters of listings. No filter can have these names.
var takenParams = []string{"ids", "id", "realm", "owner", "cursor", "limit", "sort", "newest", "of", "at", "block"}

// listed checks the keys of a field that are about listings, and assigns the field's
// column.
func (c *compiler) listed(at string, in *fieldFile, out *Field) {
	if out.Sort != "" && out.Sort != Ascending && out.Sort != Descending {
		c.fault(at+".sort", "%q: %sthe gallery is sorted ascending or descending", in.Sort,
			yamlfile.DidYouMean(in.Sort, string(Ascending), string(Descending)))
	}
	if out.Sort != "" && out.Type.kind == kindWord {
		c.fault(at+".sort", "the gallery cannot be sorted by a word")
	}
	if out.Look && out.Type.kind == kindWord {
		c.fault(at+".is",
			"layers cannot be selected by a word; import a number for each word, with a table of the words")
	}
	if in.Values < 0 || in.Values > 1<<16 {
		c.fault(at+".values", "the number of values must be from 0 to %d", 1<<16)
	}
	if (out.Filter || out.Sort != "") && slices.Contains(takenParams, strings.ToLower(out.Key)) {
		c.fault(at, "%s is a parameter of every listing; give the field another key", out.Key)
	}
	if !out.Filter && out.Sort == "" && !out.Look && !out.Rank {
		return
	}
	if out.Type == (Type{}) || out.role == "" && out.Type.narrow() {
		if out.Filter || out.Sort != "" {
			out.Column = len(c.Columns()) + 1
		}
		return
	}
	what := out.Type.String()
	if out.role != "" {
		what = "the token's " + out.role
	}
	c.fault(at, "%s is %s; listings and pictures take numbers of up to 64 bits and bool, listings also word",
		out.Name, what)
}

// layout assigns a position in the layout to every stored field.
func (c *compiler) layout() {
	var names []string
	var types []Type
	for i := range c.Collection.Fields {
		f := &c.Collection.Fields[i]
		if f.role != "" || f.width > 0 || f.Type == (Type{}) {
			continue
		}
		if f.Type.kind == kindAddress {
			c.addresses++
			f.address = c.addresses
		}
		f.stored = len(names)
		names = append(names, f.Raw)
		types = append(types, f.Type)
	}
	c.Layout = newLayout(names, types)
	for i := range c.Collection.Fields {
		if f := &c.Collection.Fields[i]; f.stored >= 0 {
			f.offset = c.Layout.fields[f.stored].offset
			f.placeInWord()
		}
	}
}

func (c *compiler) limits(f *file) {
	if n := len(c.Columns()); n > maxColumns {
		c.fault("fields", "%d fields have filter or sort; at most %d are possible", n, maxColumns)
	}
	if len(f.Words) > maxWords || len(f.Attributes) > maxShows || len(f.Data) > maxShows {
		c.fault("", "at most %d words, %d attributes and %d keys of data are possible", maxWords, maxShows, maxShows)
	}
	for i := range c.Collection.Getters {
		g := &c.Collection.Getters[i]
		for k := range c.Collection.Fields {
			field := &c.Collection.Fields[k]
			if field.width == 0 && slices.Contains(field.getters, i) {
				g.fields = append(g.fields, field)
				g.dynamic = g.dynamic || field.Type.IsText()
			}
		}
		if len(g.fields) == 0 && len(c.faults) == 0 {
			c.fault("getters."+g.Name, "no field is read with this getter")
		}
	}
}
