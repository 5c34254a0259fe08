package collection

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
)

// A Table has words for a contract's numbers. Each row, found by one or more keys, is a text or has
// a text for each column. The map's key joins the row's keys and, if any, the column's name.
type Table map[string]string

func tableKey(parts ...string) string { return strings.Join(parts, "\x00") }

// UnmarshalJSON reads a table: a list of rows with keys 0, 1 and so on, or an object of rows by
// key, nested if there are several keys. A row is a text or an object of texts.
func (t *Table) UnmarshalJSON(text []byte) error {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		return err
	}
	return t.SetTree(tree)
}

// SetTree reads a table from lists, objects and texts.
func (t *Table) SetTree(tree any) error {
	*t = Table{}
	return t.add(nil, tree)
}

// maxKeys limits how many keys lead to a text. The last one can be the name of a column.
const maxKeys = 5

var errTable = errors.New("not a table; a table is a list or an object of rows, " +
	"and a row is a text or an object of texts")

func (t *Table) add(keys []string, tree any) error {
	if len(keys) > maxKeys {
		return errTable
	}
	keys = keys[:len(keys):len(keys)]
	switch v := tree.(type) {
	case string:
		if len(keys) == 0 {
			return errTable
		}
		(*t)[tableKey(keys...)] = v
	case []any:
		for i, e := range v {
			if err := t.add(append(keys, strconv.Itoa(i)), e); err != nil {
				return err
			}
		}
	case map[string]any:
		for k, e := range v {
			if err := t.add(append(keys, k), e); err != nil {
				return err
			}
		}
	default:
		return errTable
	}
	return nil
}

func (t Table) hasColumn(column string) bool {
	for key := range t {
		if strings.HasSuffix(key, "\x00"+column) {
			return true
		}
	}
	return false
}
