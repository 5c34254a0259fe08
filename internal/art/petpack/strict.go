package petpack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
)

// decodeStrict decodes exactly one JSON value. It allows only known keys, each once and in the
// right spelling. Its errors begin with the line number.
func decodeStrict(data []byte, into any) error {
	w := walker{d: json.NewDecoder(bytes.NewReader(data)), data: data}
	if err := w.value("", reflect.TypeOf(into)); err != nil {
		return err
	}
	return decodeOne(data, into)
}

// Tables decodes dictionary.json into tables by name.
func Tables[T any](data []byte) (tables map[string]T, err error) {
	w := walker{d: json.NewDecoder(bytes.NewReader(data)), data: data}
	if err := w.value("", nil); err != nil {
		return nil, err
	}
	return tables, decodeOne(data, &tables)
}

// decodeOne decodes exactly one JSON value.
func decodeOne(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(into); err != nil {
		return decodeError(data, d.InputOffset(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: more follows the end of the document", lineAt(data, d.InputOffset()))
	}
	return nil
}

// decodeError rewrites an error of the standard decoder in plain words, and adds the line.
func decodeError(data []byte, offset int64, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %w", lineAt(data, syntax.Offset), err)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		line := lineAt(data, kind.Offset)
		return fmt.Errorf("line %d: %s must be %s, not: %s", line, cmp.Or(kind.Field, "the document"), plainType(kind.Type),
			kind.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("line %d: the document ends too early", lineAt(data, int64(len(data))))
	}
	return fmt.Errorf("line %d: %w", lineAt(data, offset), err)
}

func plainType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return "a text in quotes"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list in [ ]"
	}
	return "an object in { }"
}

func lineAt(data []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(data)))
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// lineOf returns the line on which the value at a path such as slots[2].files begins, or 0 if there
// is no such value.
func lineOf(data []byte, path string) int {
	w := walker{d: json.NewDecoder(bytes.NewReader(data)), data: data, wanted: path}
	if err := w.value("", nil); errors.Is(err, errFound) {
		return w.line
	}
	return 0
}

var errFound = errors.New("found")

// A walker goes through one JSON value. It refuses keys that are duplicate, unknown or not in lower
// case, lists that are too long, and values that are nested too deeply. The
// standard decoder accepts all of these. The walker ignores syntax errors, because the standard
// decoder reports them.
type walker struct {
	d      *json.Decoder
	data   []byte
	wanted string // a path to find; "" if none
	line   int    // line of the value at that path, once it is found
	depth  int    // nesting of the current value
}

// lineNow returns the line that the walker has reached.
func (w *walker) lineNow() int { return lineAt(w.data, w.d.InputOffset()) }

// value walks a value that will be decoded into type t. If t is nil, any key is allowed.
func (w *walker) value(path string, t reflect.Type) error {
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	token, err := w.d.Token()
	if err != nil {
		return nil
	}
	if w.wanted != "" && path == w.wanted {
		w.line = w.lineNow()
		return errFound
	}
	if w.depth++; w.depth > maxDepth {
		return fmt.Errorf("line %d: objects and lists are nested deeper than %d", w.lineNow(), maxDepth)
	}
	defer func() { w.depth-- }()
	switch token {
	case json.Delim('{'):
		err = w.object(path, t)
	case json.Delim('['):
		for i := 0; w.d.More() && err == nil; i++ {
			if i == maxList {
				return fmt.Errorf("line %d: a list of more than %d values", w.lineNow(), maxList)
			}
			err = w.value(w.below(path, i), elem(t))
		}
	default:
		return nil
	}
	if err == nil {
		w.d.Token()
	}
	return err
}

// below returns the path of an entry of a list. It matters only if a path is wanted.
func (w *walker) below(path string, i int) string {
	if w.wanted == "" {
		return ""
	}
	return fmt.Sprintf("%s[%d]", path, i)
}

func (w *walker) object(path string, t reflect.Type) error {
	seen := map[string]bool{}
	for w.d.More() {
		token, err := w.d.Token()
		key, ok := token.(string)
		if err != nil || !ok {
			return nil
		}
		of, err := w.key(key, t, seen)
		if err != nil {
			return fmt.Errorf("line %d: %w", w.lineNow(), err)
		}
		below := key
		if path != "" {
			below = path + "." + key
		}
		if err := w.value(below, of); err != nil {
			return err
		}
	}
	return nil
}

// key checks one key of an object and returns the type of its value.
func (w *walker) key(key string, t reflect.Type, seen map[string]bool) (reflect.Type, error) {
	low := strings.ToLower(key)
	if seen[low] {
		return nil, fmt.Errorf("key %q occurs twice in one object", key)
	}
	seen[low] = true
	if t == nil {
		return nil, nil
	}
	if t.Kind() != reflect.Struct {
		if low != key {
			return nil, fmt.Errorf("key %q is not in lower case", key)
		}
		return elem(t), nil
	}
	var known []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if name == key {
			return t.Field(i).Type, nil
		}
		known = append(known, name)
	}
	slices.Sort(known)
	return nil, fmt.Errorf("unknown key %q; known here: %s", key, strings.Join(known, ", "))
}

func elem(t reflect.Type) reflect.Type {
	if t == nil || t.Kind() != reflect.Slice && t.Kind() != reflect.Map && t.Kind() != reflect.Array {
		return nil
	}
	return t.Elem()
}
