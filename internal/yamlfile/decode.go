package yamlfile

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A decoder fills a value from a YAML tree. Unlike a library's strict mode it goes
// on after a fault, so that it reports all of them at once.
type decoder struct {
	Reader
	faults []Fault
	lines  map[string]int // the line of each path
	secret bool           // this key, or one above it, may contain a secret
}

// A Scalar is a struct or a list that can also be written as one plain value.
type Scalar interface{ SetScalar(string) error }

// A Tree reads a value of any shape, made of texts, []any and map[string]any.
type Tree interface{ SetTree(tree any) error }

// An Ordered mapping keeps its keys in the order of the file.
type Ordered[T any] []Pair[T]

// A Pair is one key of an Ordered mapping with its value.
type Pair[T any] struct {
	Key   string
	Value T
}

func (o *Ordered[T]) add(key string) reflect.Value {
	*o = append(*o, Pair[T]{Key: key})
	return reflect.ValueOf(&(*o)[len(*o)-1].Value).Elem()
}

// ordered is implemented by every *Ordered.
type ordered interface {
	add(key string) reflect.Value
}

var (
	reference = regexp.MustCompile(`^\$([A-Za-z_][A-Za-z0-9_]*)$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	unbraced  = regexp.MustCompile(`\$[A-Z_][A-Z0-9_]*`)
	// whole matches numbers that everybody reads in the same way: to some, 010 is 8 and 1_0 is 10.
	whole = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	// name matches what may be a key, if it is not longer than longestName. Anything else in its place
	// may be a secret, and is not shown.
	name = regexp.MustCompile(`^[\pL\pN_-]+$`)
)

const longestName = 40 // in the pattern, this limit would take 1 MB of memory

func (d *decoder) add(f Fault) { d.faults = append(d.faults, f) }

func (d *decoder) fault(path string, n ast.Node, format string, args ...any) {
	d.add(Fault{Line: line(n), Path: path, Text: fmt.Sprintf(format, args...)})
}

func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

func (d *decoder) value(path string, n ast.Node, v reflect.Value) {
	d.lines[path] = line(n)
	switch m := n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.fault(path, n, "anchors, aliases and tags are not allowed; write the value out")
		return
	case *ast.NullNode:
		return // the same as no value
	case *ast.MappingValueNode: // a mapping with one key
		n = ast.Mapping(m.GetToken(), false, m)
	}
	if m, ok := n.(*ast.MappingNode); ok && len(m.Values) == 1 {
		n = rejoinAddress(m)
	}
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	_, isText := v.Addr().Interface().(encoding.TextUnmarshaler)
	_, isScalar := v.Addr().Interface().(Scalar)
	tree, isTree := v.Addr().Interface().(Tree)
	o, isOrdered := v.Addr().Interface().(ordered)
	_, isPlain := n.(ast.ScalarNode)
	switch {
	case isText, isScalar && isPlain:
		d.leaf(path, n, v)
	case isTree:
		if err := tree.SetTree(d.tree(path, n)); err != nil {
			d.fault(path, n, "%v", err)
		}
	case isOrdered:
		d.table(path, n, func(key, at string, e ast.Node) { d.value(at, e, o.add(key)) })
	case v.Kind() == reflect.Struct:
		d.structure(path, n, v)
	case v.Kind() == reflect.Slice:
		d.list(path, n, v)
	case v.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		d.table(path, n, func(key, at string, e ast.Node) {
			into := reflect.New(v.Type().Elem()).Elem()
			d.value(at, e, into)
			v.SetMapIndex(reflect.ValueOf(key), into)
		})
	default:
		d.leaf(path, n, v)
	}
}

// rejoinAddress repairs an address with a port in a list, [http://localhost:8545]. The parser takes
// the last colon for the one between a key and a value.
func rejoinAddress(m *ast.MappingNode) ast.Node {
	kv := m.Values[0]
	value, ok := kv.Value.(ast.ScalarNode)
	if !ok || kv.Start == nil || kv.Start.Position == nil || value.GetToken().Position == nil ||
		value.GetToken().Position.Offset != kv.Start.Position.Offset+1 {
		return m
	}
	text := kv.Key.GetToken().Value + ":" + value.GetToken().Value
	return ast.String(token.New(text, text, kv.Key.GetToken().Position))
}

func (d *decoder) structure(path string, n ast.Node, v reflect.Value) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fault(path, n, "want keys and values here")
		return
	}
	if p, ok := v.Addr().Interface().(interface{ SetDefaults() }); ok {
		p.SetDefaults()
	}
	fields, names := keysOf(v.Type())
	given := map[string]bool{}
	d.each(path, m, func(key, at string, kv *ast.MappingValueNode) {
		f, ok := fields[key]
		_, null := kv.Value.(*ast.NullNode)
		if !ok {
			near := closest(key, names)
			given[near] = true // probably meant, so do not report it as missing
			named := name.MatchString(key) && utf8.RuneCountInString(key) <= longestName
			if near == "" && (d.secret || null || !named) { // a value in the place of a key
				d.fault(path, kv.Key, "has a key that is none of %s; write a space after the colon of a key, "+
					"and put a text with a colon in quotes", strings.Join(names, ", "))
				return
			}
			d.fault(at, kv.Key, "unknown key; %sknown here: %s", DidYouMean(key, names...), strings.Join(names, ", "))
			return
		}
		given[key] = !null
		outer := d.secret
		d.secret = outer || f.Tag.Get("secret") != ""
		d.value(at, kv.Value, v.FieldByIndex(f.Index))
		d.secret = outer
	})
	for _, key := range names {
		if !given[key] && strings.Contains(fields[key].Tag.Get("jsonschema"), "required") {
			d.fault(strings.TrimPrefix(path+"."+key, "."), n, "is missing")
		}
	}
}

// table visits the values of a mapping whose keys are names.
func (d *decoder) table(path string, n ast.Node, visit func(key, at string, e ast.Node)) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		d.fault(path, n, "want names with values here")
		return
	}
	d.each(path, m, func(key, at string, kv *ast.MappingValueNode) { visit(key, at, kv.Value) })
}

// tree returns a value of any shape.
func (d *decoder) tree(path string, n ast.Node) any {
	switch m := n.(type) {
	case *ast.MappingValueNode:
		return d.tree(path, ast.Mapping(m.GetToken(), false, m))
	case *ast.MappingNode:
		out := map[string]any{}
		d.each(path, m, func(key, at string, kv *ast.MappingValueNode) { out[key] = d.tree(at, kv.Value) })
		return out
	case *ast.SequenceNode:
		out := []any{}
		for i, e := range m.Values {
			out = append(out, d.tree(fmt.Sprintf("%s[%d]", path, i), e))
		}
		return out
	}
	var text string
	d.leaf(path, n, reflect.ValueOf(&text).Elem())
	return text
}

// each visits the pairs of a mapping and refuses duplicate keys.
func (d *decoder) each(path string, m *ast.MappingNode, visit func(key, at string, kv *ast.MappingValueNode)) {
	seen := map[string]bool{}
	for _, kv := range m.Values {
		key := strings.Trim(kv.Key.String(), `"'`)
		at := strings.TrimPrefix(path+"."+key, ".")
		if seen[key] {
			d.fault(at, kv.Key, "occurs twice")
			continue
		}
		seen[key] = true
		visit(key, at, kv)
	}
}

func (d *decoder) list(path string, n ast.Node, v reflect.Value) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.fault(path, n, "want a list here: each entry after a hyphen, or all in brackets")
		return
	}
	out := reflect.MakeSlice(v.Type(), len(s.Values), len(s.Values))
	for i, e := range s.Values {
		d.value(fmt.Sprintf("%s[%d]", path, i), e, out.Index(i))
	}
	v.Set(out)
}

// leaf sets one plain value, with $NAME replaced.
func (d *decoder) leaf(path string, n ast.Node, v reflect.Value) {
	if _, ok := n.(ast.ScalarNode); !ok {
		d.fault(path, n, "want one plain value here; a text that begins with { or [ needs quotes")
		return
	}
	written := n.GetToken().Value
	if lit, ok := n.(*ast.LiteralNode); ok {
		written = lit.Value.Value
	}
	text, err := d.expand(written)
	if err == nil {
		err = d.set(v, text)
		if err != nil && d.secret && strings.Contains(err.Error(), text) {
			err = errors.New("the value does not fit this key")
		}
	}
	if err != nil {
		d.fault(path, n, "%v", err)
	}
}

// expand replaces $NAME and ${NAME} in a secret by their values in the environment.
func (d *decoder) expand(text string) (string, error) {
	refers := reference.MatchString(text)
	switch {
	case d.Getenv == nil:
		return text, nil
	case refers && !d.secret:
		return "", errors.New(
			"variables of the environment work only in keys that may hold a secret; write the value here")
	case !refers && d.secret && unbraced.MatchString(text):
		return "", errors.New("inside a longer value, the name of an environment variable needs braces: ${NAME}")
	}
	var missing []string
	out := reference.ReplaceAllStringFunc(text, func(ref string) string {
		variable := strings.Trim(ref, "${}")
		value := d.Getenv(variable)
		if value == "" {
			missing = append(missing, variable)
		}
		return value
	})
	if len(missing) > 0 {
		return "", fmt.Errorf("the environment has no value for %s; set it, or write the value here",
			strings.Join(missing, ", "))
	}
	return out, nil
}

func (d *decoder) set(v reflect.Value, text string) error {
	if d.Set != nil {
		if done, err := d.Set(v.Addr().Interface(), text); done {
			return err
		}
	}
	switch p := v.Addr().Interface().(type) {
	case Scalar:
		return p.SetScalar(text)
	case encoding.TextUnmarshaler:
		return p.UnmarshalText([]byte(text))
	}
	ok := false
	kind := "a value of the right kind"
	switch {
	case v.Kind() == reflect.String:
		v.SetString(text)
		ok = true
	case v.Kind() == reflect.Bool:
		v.SetBool(text == "true")
		ok = text == "true" || text == "false"
		kind = "true or false"
	case v.CanInt():
		n, err := strconv.ParseInt(text, 10, v.Type().Bits())
		v.SetInt(n)
		ok = err == nil && whole.MatchString(text)
		kind = "a whole number"
	case v.CanUint():
		n, err := strconv.ParseUint(text, 10, v.Type().Bits())
		v.SetUint(n)
		ok = err == nil && whole.MatchString(text)
		kind = "a whole number from 0"
	}
	if !ok {
		return fmt.Errorf("%q is not %s", text, kind)
	}
	return nil
}

// DidYouMean suggests the known word that is closest to word, as a question that ends in a space.
// It returns "" if none is close.
func DidYouMean(word string, known ...string) string {
	if near := closest(word, known); near != "" {
		return "did you mean " + near + "? "
	}
	return ""
}

// separators removes what separates the words of a key.
var separators = strings.NewReplacer("-", "", "_", "")

// closest returns the known key that is most like key, or "" if none is similar. It ignores case,
// hyphens and underscores.
func closest(key string, known []string) (near string) {
	plain := func(s string) []rune {
		return []rune(strings.ToLower(separators.Replace(s)))
	}
	word := plain(key)
	if len(word) > 40 {
		return ""
	}
	least := (len(word)+2)/3 + 1
	for _, k := range known {
		if n := edits(word, plain(k)); n < least {
			near = k
			least = n
		}
	}
	for _, k := range known { // the word may be the beginning of a known key
		if near == "" && len(word) >= 3 && strings.HasPrefix(string(plain(k)), string(word)) {
			near = k
		}
	}
	return near
}

// edits returns how many characters must be added, removed or replaced to turn a
// into b.
func edits(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := diagonal
			if x != y {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// keysOf returns the fields of a struct by their yaml names, and the sorted names.
func keysOf(t reflect.Type) (map[string]reflect.StructField, []string) {
	fields := map[string]reflect.StructField{}
	names := []string{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if name == "" || name == "-" || !f.IsExported() {
			continue
		}
		fields[name] = f
		names = append(names, name)
	}
	slices.Sort(names)
	return fields, names
}
