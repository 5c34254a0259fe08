package art

import (
	"bytes"
	_ "embed" // sheet.html
	"encoding/base64"
	"fmt"
	"html/template"
)

//go:embed sheet.html
var sheetTemplate string

// HTML returns the sheet as a page that needs nothing else.
func (s Sheet) HTML() ([]byte, error) {
	page, err := template.New("sheet").Funcs(template.FuncMap{
		"bands": s.bands,
		"width": func() int { return s.Pack.grid * s.scale() },
		"style": func(b band) template.CSS {
			ink := "#2b2622"
			if b.Back == black {
				ink = "#f6f3ec"
			}
			return template.CSS(fmt.Sprintf("background: #%02x%02x%02x; color: %s", b.Back.R, b.Back.G, b.Back.B, ink))
		},
		"src": func(c cell) template.URL { // made here, of our own bytes
			c.View.Scale = s.scale()
			return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(s.Pack.Draw(c.Look, c.View)))
		},
	}).Parse(sheetTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, s.Pack)
	return out.Bytes(), err
}
