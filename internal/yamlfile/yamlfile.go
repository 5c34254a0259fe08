// Package yamlfile reads YAML files that people write. It fills a struct by its
// yaml tags, refuses keys that the struct does not have, and goes on after a fault,
// so that the error lists everything that is wrong, each with its line.
package yamlfile

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// A Reader reads one kind of file. The zero Reader is ready to use.
type Reader struct {
	// Max bounds the size of a file in bytes; 0 means 1 MB.
	Max int
	// Getenv resolves $NAME and ${NAME} in values; nil leaves them as they are.
	Getenv func(string) string
	// Set sets values of types that this package does not know. into is a pointer, and known says
	// whether Set knows its type. Set itself may be nil.
	Set func(into any, text string) (known bool, err error)
	// Mask removes secrets from a line before an error shows it. It may be nil. Errors never show
	// values of unknown keys and of fields with the tag "secret", so Mask need not remove those.
	Mask func(line string) string
}

// Read fills the struct that into points to, from the text of a file. Then it calls check, which
// returns the faults of the values. The error is a *Faults.
func (r Reader) Read(name string, text []byte, into any, check func() []Fault) error {
	if r.Max == 0 {
		r.Max = 1 << 20
	}
	if len(text) > r.Max {
		return &Faults{File: name, List: []Fault{{Text: fmt.Sprintf("larger than %d MB", r.Max>>20)}}}
	}
	for _, look := range []func([]byte) (Fault, bool){notText, tooDeep} {
		if f, bad := look(text); bad {
			return &Faults{File: name, List: []Fault{f}}
		}
	}
	from := &source{tokens: lexer.Tokenize(string(text)), public: map[*token.Token]bool{}, mask: r.Mask}
	if f, bad := cutText(from.tokens); bad {
		return &Faults{File: name, List: []Fault{f}}
	}
	lines := strings.Split(string(text), "\n")
	file, err := parser.Parse(from.tokens, 0)
	if err != nil {
		keys := map[string]bool{}
		allKeys(reflect.TypeOf(into), keys, map[reflect.Type]bool{})
		from.showKeys(keys)
		return &Faults{File: name, List: []Fault{notYAML(err).explain(lines)}, from: from}
	}
	d := &decoder{Reader: r, lines: map[string]int{}, from: from}
	switch body, n := firstBody(file), len(file.Docs); {
	case n > 1:
		d.fault("", file.Docs[1].Body, "holds more than one document")
	case body == nil:
		return &Faults{File: name, List: []Fault{{Text: "is empty"}}}
	default:
		d.value("", body, reflect.ValueOf(into).Elem())
	}
	faults := d.merge(check())
	if len(faults) == 0 {
		return nil
	}
	for i := range faults {
		faults[i] = faults[i].explain(lines)
	}
	return &Faults{File: name, List: faults, from: from}
}

// cutText finds a text such as Pet #{number} without quotes, which YAML ends before the #.
func cutText(tokens token.Tokens) (Fault, bool) {
	for i, t := range tokens {
		if i > 0 && t.Type == token.CommentType && strings.HasPrefix(t.Value, "{") && t.Position != nil &&
			tokens[i-1].Position != nil && tokens[i-1].Position.Line == t.Position.Line {
			return Fault{Line: t.Position.Line, Text: "a # after a space begins a comment; put the text in quotes"}, true
		}
	}
	return Fault{}, false
}

// firstBody returns the content of the first document, nil if it is empty.
func firstBody(file *ast.File) ast.Node {
	if len(file.Docs) == 0 {
		return nil
	}
	switch body := file.Docs[0].Body.(type) {
	case nil, *ast.CommentGroupNode, *ast.NullNode:
		return nil
	case *ast.MappingNode:
		if len(body.Values) == 0 {
			return nil
		}
	}
	return file.Docs[0].Body
}

// notText returns the first fault of a file that is not plain UTF-8 text: a byte order mark, bytes
// of another encoding, or a control character.
func notText(text []byte) (Fault, bool) {
	switch {
	case bytes.HasPrefix(text, []byte("\ufeff")):
		return Fault{Line: 1, Text: "begins with a byte order mark (U+FEFF), which editors do not show; " +
			"save it as UTF-8 without one"}, true
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return Fault{Text: "is not UTF-8 text; it looks like UTF-16, so save it as UTF-8"}, true
	}
	line := 0
	for each := range bytes.Lines(text) {
		line++
		if !utf8.Valid(each) {
			return Fault{Line: line, Text: "is not UTF-8 text; save the file as UTF-8"}, true
		}
		for i, r := range []rune(string(each)) {
			if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\u0085", r) {
				text := fmt.Sprintf("holds the control character U+%04X in column %d; remove it", r, i+1)
				return Fault{Line: line, Text: text}, true
			}
		}
	}
	return Fault{}, false
}

// maxOpen bounds how many brackets may be open at once, and how many dashes may begin
// a line.
const maxOpen = 64

var (
	// quotes matches quoted texts and comments. Brackets in them do not count.
	quotes = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|(?:^|[\s,:\[{])'[^'\n]*'|(?:^|\s)#[^\n]*`)
	dashes = regexp.MustCompile(fmt.Sprintf(`^(?:\s*[-?]){%d}`, maxOpen))
)

// tooDeep finds the first line with deeper nesting than any sensible file has. The parser would
// need gigabytes for it.
func tooDeep(text []byte) (Fault, bool) {
	open, line := 0, 0
	for each := range bytes.Lines(text) {
		line++
		if bytes.ContainsAny(each, "[{") {
			rest := quotes.ReplaceAll(each, nil)
			for _, c := range rest {
				switch c {
				case '[', '{':
					open++
				case ']', '}':
					open = max(0, open-1)
				}
				if open > maxOpen {
					return Fault{Line: line, Text: "nested too deeply"}, true
				}
			}
		}
		if dashes.Match(each) {
			return Fault{Line: line, Text: "nested too deeply"}, true
		}
	}
	return Fault{}, false
}
