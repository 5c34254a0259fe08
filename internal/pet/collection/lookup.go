package collection

import (
	"strconv"
	"strings"
)

// A lookup finds a text of a table row by the values of one or more fields or words.
type lookup struct {
	by []ref
	// numbers has rows that are found by one or two numbers, which is the usual case. The map texts
	// is then empty.
	numbers map[[2]uint64]string
	texts   map[string]string // by the joined keys
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
	if len(by) > 2 {
		return l
	}
	for _, r := range by {
		if r.field == nil || r.field.Type.kind != kindUint || !r.field.Type.narrow() {
			return l
		}
	}
	l.numbers = map[[2]uint64]string{}
	for key, text := range l.texts {
		if n, ok := numericKey(key, len(by)); ok {
			l.numbers[n] = text
		}
	}
	l.texts = nil
	return l
}

// escapeKey returns a joined key in the form that find builds. Parts that come from words and texts
// are escaped.
func (k *textCompiler) escapeKey(by []ref, key string) string {
	parts := strings.Split(key, "\x00")
	for i := range min(len(by), len(parts)) {
		if by[i].word >= 0 || by[i].field != nil && by[i].field.Type.isText() {
			parts[i] = k.escape(parts[i])
		}
	}
	return tableKey(parts...)
}

// numericKey parses a joined key of one or two plain numbers.
func numericKey(key string, count int) (n [2]uint64, ok bool) {
	parts := strings.Split(key, "\x00")
	if len(parts) != count {
		return n, false
	}
	for i, part := range parts {
		x, err := strconv.ParseUint(part, 10, 64)
		if err != nil || strconv.FormatUint(x, 10) != part {
			return n, false
		}
		n[i] = x
	}
	return n, true
}

// find returns the text of the row that has the token's keys, or "" if there is no such row.
func (f *frame) find(l *lookup) string {
	if l.numbers != nil {
		var key [2]uint64
		for i, r := range l.by {
			key[i] = f.number(r.field)
		}
		return l.numbers[key]
	}
	if len(l.by) == 1 && l.by[0].word >= 0 {
		return l.texts[f.word(l.by[0].word)]
	}
	var key []byte
	for i, r := range l.by {
		if i > 0 {
			key = append(key, 0)
		}
		key = f.append(key, r)
	}
	return l.texts[string(key)]
}
