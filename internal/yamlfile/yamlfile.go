// Package yamlfile reads YAML files that people write. It fills a struct by its
// yaml tags, refuses keys that the struct does not have, and goes on after a fault,
// so that the error lists everything that is wrong, each with its line.
package yamlfile

import (
	"bytes"
	"cmp"
	"fmt"
	"reflect"
	"slices"
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
	// Getenv resolves $NAME and ${NAME} in values of fields with the tag "secret"; nil leaves them
	// as they are.
	Getenv func(string) string
	// Set sets values of types that this package does not know. into is a pointer, and known says
	// whether Set knows its type. Set itself may be nil.
	Set func(into any, text string) (known bool, err error)
}

// Read fills the struct that into points to, from the text of a file. If everything in the file has
// the right form, it then calls check, which returns the faults of the values. The error is a
// *Faults. It never shows the value of a field with the tag "secret".
func (r Reader) Read(name string, text []byte, into any, check func() []Fault) error {
	d := &decoder{Reader: r, lines: map[string]int{}}
	if body := d.parse(text); body != nil {
		d.value("", body, reflect.ValueOf(into).Elem())
	}
	if len(d.faults) == 0 {
		for _, f := range check() {
			f.Line = lineOf(d.lines, f.Path)
			d.faults = append(d.faults, f)
		}
	}
	if len(d.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(d.faults, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	lines := strings.Split(string(text), "\n")
	for i := range d.faults {
		d.faults[i].explain(lines)
	}
	return &Faults{File: name, List: d.faults}
}

// parse returns the content of a file, or nil if there is a fault.
func (d *decoder) parse(text []byte) ast.Node {
	if most := cmp.Or(d.Max, 1<<20); len(text) > most {
		d.add(Fault{Text: fmt.Sprintf("larger than %d MB", most>>20)})
		return nil
	}
	if f, bad := notText(text); bad {
		d.add(f)
		return nil
	}
	tokens := lexer.Tokenize(string(text))
	for _, look := range []func(token.Tokens) (Fault, bool){tooDeep, cutText} {
		if f, bad := look(tokens); bad {
			d.add(f)
			return nil
		}
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		d.add(notYAML(err, text))
		return nil
	}
	if len(file.Docs) > 1 {
		d.add(Fault{Line: file.Docs[1].Start.Position.Line, Text: "holds more than one document"})
		return nil
	}
	body := firstBody(file)
	if body == nil {
		d.add(Fault{Text: "is empty"})
	}
	return body
}

// cutText finds a text such as Pet #{number} without quotes, which YAML ends before the #.
func cutText(tokens token.Tokens) (Fault, bool) {
	for i, t := range tokens {
		if i > 0 && t.Type == token.CommentType && strings.HasPrefix(t.Value, "{") && t.Position != nil &&
			tokens[i-1].Position != nil && tokens[i-1].Position.Line == t.Position.Line {
			return Fault{
				Line: t.Position.Line, Text: "a # after a space begins a comment; put the text in quotes",
			}, true
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
	at := bytes.IndexFunc(text, func(r rune) bool {
		return r == utf8.RuneError || r == '\ufeff' || unicode.IsControl(r) && !strings.ContainsRune("\t\r\n\u0085", r)
	})
	if at < 0 {
		return Fault{}, false
	}
	f := Fault{Line: 1 + bytes.Count(text[:at], []byte("\n"))}
	switch r, _ := utf8.DecodeRune(text[at:]); r {
	case utf8.RuneError:
		f.Text = "is not UTF-8 text; save the file as UTF-8"
	case '\ufeff':
		f.Text = "has a byte order mark (U+FEFF), which editors do not show; save it as UTF-8 without one"
	default:
		f.Text = fmt.Sprintf("has the control character U+%04X; remove it", r)
	}
	return f, true
}

// maxOpen bounds how many lists and mappings may be open at once.
const maxOpen = 64

// tooDeep finds the first line with deeper nesting than any sensible file has. The parser would
// need gigabytes for it.
func tooDeep(tokens token.Tokens) (Fault, bool) {
	brackets := 0
	dashes := 0 // in a row
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
			dashes = 0
		case token.SequenceEndType, token.MappingEndType:
			brackets = max(0, brackets-1)
			dashes = 0
		case token.SequenceEntryType:
			dashes++
		default:
			dashes = 0
		}
		if brackets > maxOpen || dashes > maxOpen {
			return Fault{Line: t.Position.Line, Text: "nested too deeply"}, true
		}
	}
	return Fault{}, false
}
