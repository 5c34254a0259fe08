package art

import (
	"bytes"
	_ "embed" // lint.html
	"encoding/base64"
	"html/template"
	"io/fs"
	"path"

	"petsupply/internal/art/petpack"
)

// maxPictures is how many layers a report shows.
const maxPictures = 200

// collect keeps the layers that findings are about, for the page.
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

// HTML returns the report as a page that needs nothing else, with a small
// picture of every layer that it is about.
func (r *Report) HTML(name string) ([]byte, error) {
	page, err := template.New("lint").Funcs(template.FuncMap{
		"name": func() string { return name },
		"src": func(f Finding) template.URL { // shown as a picture, whatever it holds
			data, ok := r.pictures[f.File]
			if !ok {
				return ""
			}
			return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data))
		},
	}).Parse(lintTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, r)
	return out.Bytes(), err
}
