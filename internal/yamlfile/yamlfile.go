// Package yamlfile reads YAML files that people write. It fills a struct by its
// yaml tags, refuses keys that the struct does not have, and goes on after a fault,
// so that the error lists everything that is wrong, each with its line.
package yamlfile

import (
	"fmt"
	"reflect"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// A Reader reads one kind of file. The zero Reader is ready to use.
type Reader struct {
	// Max bounds the size of a file in bytes; 0 means 1 MB.
	Max int
	// Getenv resolves $NAME and ${NAME} in values; nil leaves them as they are.
	Getenv func(string) string
	// Unset, if it is not nil, takes the faults of values whose names are not in the
	// environment. Such values are left out then.
	Unset *[]Fault
	// Set sets values of types that this package does not know. It reports whether
	// it knows the type of the pointer into. May be nil.
	Set func(into any, text string) (known bool, err error)
	// Mask removes secrets from a line before an error shows it; nil shows it whole.
	Mask func(line string) string
}

// Read fills into, a pointer to a struct, from the text of a file. check looks at
// the values and returns what is wrong with them. The error is a *Faults.
func (r Reader) Read(name string, text []byte, into any, check func() []Fault) error {
	if r.Max == 0 {
		r.Max = 1 << 20
	}
	if len(text) > r.Max {
		return &Faults{File: name, List: []Fault{{Text: fmt.Sprintf("larger than %d MB", r.Max>>20)}}}
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return &Faults{File: name, List: []Fault{notYAML(err)}, text: text, mask: r.Mask}
	}
	d := &decoder{Reader: r, lines: map[string]int{}}
	switch n := len(file.Docs); {
	case n > 1:
		d.fault("", file.Docs[1].Body, "holds more than one document")
	case n == 1 && file.Docs[0].Body != nil:
		if _, empty := file.Docs[0].Body.(*ast.CommentGroupNode); !empty {
			d.value("", file.Docs[0].Body, reflect.ValueOf(into).Elem())
		}
	}
	if faults := d.merge(check()); len(faults) > 0 {
		return &Faults{File: name, List: faults, text: text, mask: r.Mask}
	}
	return nil
}
