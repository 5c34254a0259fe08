package yamlfile

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/token"
)

// hidden is shown instead of a value that may be a secret.
const hidden = "(set)"

// A source is the text of a file for messages. It shows a value only if the decoder found it under
// a known key, and the key's field does not have the tag "secret".
type source struct {
	tokens token.Tokens
	public map[*token.Token]bool
	mask   func(line string) string
}

// marks are the punctuation of YAML, which is never secret.
var marks = []token.Type{token.MappingValueType, token.MappingStartType, token.MappingEndType,
	token.SequenceEntryType, token.SequenceStartType, token.SequenceEndType, token.CollectEntryType}

// maxShown bounds how much of a line is shown, in characters.
const maxShown = 160

// line returns a line of the file without anything that may be a secret.
func (s *source) line(n int) string {
	var b strings.Builder
	for i, t := range s.tokens {
		if t.Position == nil || t.Position.Line != n || t.Type == token.CommentType {
			continue
		}
		written := strings.Trim(t.Origin, "\r\n")
		blank := written[:len(written)-len(strings.TrimLeftFunc(written, unicode.IsSpace))]
		written = strings.TrimSpace(written)
		if !slices.Contains(marks, t.Type) && !s.public[t] || strings.Contains(written, "\n") {
			written = hidden
			if i > 0 && b.Len() > 0 && blank == "" && s.tokens[i-1].Type == token.MappingValueType {
				written = " " + hidden
			}
		}
		b.WriteString(blank + written)
	}
	text := strings.TrimSpace(b.String())
	if s.mask != nil {
		text = s.mask(text)
	}
	text = visible(text)
	if runes := []rune(text); len(runes) > maxShown {
		text = string(runes[:maxShown]) + " …"
	}
	return text
}

// showKeys lets messages show the known keys of a file that could not be parsed.
func (s *source) showKeys(known map[string]bool) {
	for i, t := range s.tokens {
		if i+1 < len(s.tokens) && s.tokens[i+1].Type == token.MappingValueType && known[t.Value] {
			s.public[t] = true
		}
	}
}

// allKeys collects the keys of a struct and of everything in it.
func allKeys(t reflect.Type, into map[string]bool, seen map[reflect.Type]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		allKeys(t.Elem(), into, seen)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		fields, _ := keysOf(t)
		for key, f := range fields {
			into[key] = true
			allKeys(f.Type, into, seen)
		}
	}
}

// invisible are the names of characters that nobody sees in an editor.
var invisible = map[rune]string{
	'\t': "tab", '\u00a0': "no-break space", '\u00ad': "soft hyphen", '\u200b': "zero-width space",
	'\u200c': "zero-width non-joiner", '\u200d': "zero-width joiner", '\u200e': "left-to-right mark",
	'\u200f': "right-to-left mark", '\u2028': "line separator", '\u2029': "paragraph separator",
	'\u202f': "narrow no-break space", '\u2060': "word joiner", '\u3000': "ideographic space",
	'\ufeff': "byte order mark",
}

// isInvisible reports whether r cannot be seen, or looks like an ordinary space.
func isInvisible(r rune) bool {
	return r != ' ' && (invisible[r] != "" || unicode.Is(unicode.Cf, r) || unicode.IsControl(r) ||
		unicode.Is(unicode.Zs, r))
}

// visible writes invisible characters as <U+00A0>.
func visible(text string) string {
	if strings.IndexFunc(text, isInvisible) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isInvisible(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// nameInvisible names the first invisible character of a line, if it has one.
func nameInvisible(line string) string {
	for i, r := range []rune(strings.TrimRight(line, "\r\n")) {
		if isInvisible(r) && r != '\t' {
			name := invisible[r]
			if name == "" {
				name = "invisible"
			}
			return fmt.Sprintf(" (the line has U+%04X (%s) in column %d)", r, name, i+1)
		}
	}
	return ""
}
