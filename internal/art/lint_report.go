package art

import (
	"bytes"
	_ "embed" // lint.html
	"fmt"
	"html/template"
	"io/fs"
	"path"

	"petsupply/internal/art/petpack"
)

// A Report is what Lint found in a pack.
type Report struct {
	Pack    *Pack     // nil if it does not open
	Faults  []Finding // must be fixed before the pack is published
	Notes   []Finding // may be intended
	Looks   int       // combinations of traits that the pack distinguishes
	Colours int       // largest number of colours in a picture, transparency included; 0 if not counted
	Files   int
	Bytes   int64

	pictures map[string][]byte // the layers named in findings
}

// A Finding is one fault or note about a pack, with the remedy.
type Finding struct {
	File string // file of the pack; "" if the finding is about several
	Text string
}

func (f Finding) String() string {
	if f.File == "" {
		return f.Text
	}
	return f.File + ": " + f.Text
}

// OK reports whether the pack can be published.
func (r *Report) OK() bool { return len(r.Faults) == 0 }

func (r *Report) fault(file, format string, args ...any) {
	r.Faults = append(r.Faults, Finding{file, fmt.Sprintf(format, args...)})
}

func (r *Report) note(file, format string, args ...any) {
	r.Notes = append(r.Notes, Finding{file, fmt.Sprintf(format, args...)})
}

// maxPictures is how many layers a report shows.
const maxPictures = 200

// collect reads the layers named in findings, for the page.
func (r *Report) collect(fsys fs.FS) {
	r.pictures = map[string][]byte{}
	src := petpack.NewSource(fsys)
	for _, list := range [][]Finding{r.Faults, r.Notes} {
		for _, f := range list {
			if path.Ext(f.File) != ".png" || len(r.pictures) == maxPictures {
				continue
			}
			if data, err := src.Read(f.File, maxLayer); err == nil {
				r.pictures[f.File] = data
			}
		}
	}
}

//go:embed lint.html
var lintTemplate string

// HTML returns the report as a page in one file, with a small picture of every layer that it names.
func (r *Report) HTML(name string) ([]byte, error) {
	page, err := template.New("lint").Funcs(template.FuncMap{
		"name": func() string { return name },
		"src": func(f Finding) template.URL { // safe: a browser treats any bytes of the file as a picture
			data, ok := r.pictures[f.File]
			if !ok {
				return ""
			}
			return template.URL(inline(data))
		},
	}).Parse(lintTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, r)
	return out.Bytes(), err
}
