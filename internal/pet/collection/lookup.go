package collection

import (
	"strconv"
	"strings"
)

// A lookup finds a text of a table row by the values of one or more fields or words.
type lookup struct {
	by    []ref
	texts map[string]string // by the joined keys
}

// newLookup makes a lookup from one column of the tables, or from rows that are texts if column is
// "". Later tables override earlier ones.
func (k *textCompiler) newLookup(by []ref, column string, tables ...Table) *lookup {
	l := &lookup{by: by, texts: map[string]string{}}
	for _, t := range tables {
		for key, text := range t {
			if column != "" {
				var ok bool
				if key, ok = strings.CutSuffix(key, "\x00"+column); !ok {
					continue
				}
			}
			l.texts[k.escapeKey(by, key)] = k.escape(text)
		}
	}
	return l
}

// escapeKey returns a joined key in the form that find builds. Parts that come from words and texts
// are escaped.
func (k *textCompiler) escapeKey(by []ref, key string) string {
	parts := strings.Split(key, "\x00")
	for i := range min(len(by), len(parts)) {
		if by[i].word >= 0 || by[i].field != nil && by[i].field.Type.IsText() {
			parts[i] = k.escape(parts[i])
		}
	}
	return tableKey(parts...)
}

// find returns the text of the row that has the token's keys, or "" if there is no such row.
func (f *frame) find(l *lookup) string {
	var space [64]byte
	key := space[:0]
	for i, r := range l.by {
		if i > 0 {
			key = append(key, 0)
		}
		switch {
		case r.word >= 0:
			key = append(key, f.word(r.word)...)
		case r.field.Bool:
			key = strconv.AppendUint(key, f.number(r.field), 10)
		default:
			key = f.appendField(key, r.field)
		}
	}
	return l.texts[string(key)]
}
