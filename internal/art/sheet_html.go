package art

import (
	"bytes"
	_ "embed" // sheet.html
	"encoding/base64"
	"fmt"
	"html/template"
	"image/color"
)

//go:embed sheet.html
var sheetTemplate string

// HTML returns the sheet as a page that needs nothing else.
func (s Sheet) HTML() ([]byte, error) {
	page, err := template.New("sheet").Funcs(template.FuncMap{
		"bands": s.bands,
		"width": func() int { return s.Pack.grid * s.scale() },
		"style": func(b band) template.CSS {
			hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
			return template.CSS("background: " + hex(b.Back) + "; color: " + hex(b.ink()))
		},
		"src": func(c cell) template.URL { // made here, of our own bytes
			return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(s.draw(c)))
		},
	}).Parse(sheetTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, s.Pack)
	return out.Bytes(), err
}
