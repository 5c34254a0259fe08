package petpack

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// decodeStrict decodes exactly one JSON value, and refuses unknown keys. Its errors begin with the
// line number.
func decodeStrict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return decodeError(data, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("line %d: more follows the end of the document", lineAt(data, d.InputOffset()))
	}
	return nil
}

// Tables decodes dictionary.json into tables by name.
func Tables[T any](data []byte) (tables map[string]T, err error) {
	return tables, decodeStrict(data, &tables)
}

// decodeError rewrites an error of the standard decoder in plain words, and adds the line.
func decodeError(data []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: %w", lineAt(data, syntax.Offset), err)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("line %d: %s must be %s, not: %s", lineAt(data, kind.Offset),
			cmp.Or(kind.Field, "the document"), plainType(kind.Type), kind.Value)
	}
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		offset := bytes.Index(data, []byte(key)) // the key is in quotes
		return fmt.Errorf("line %d: unknown key %s", lineAt(data, int64(offset)), key)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the document ends too early")
	}
	return err
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
