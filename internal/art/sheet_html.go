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

// HTML returns the sheet as a page in one file. Pets on it move, unless the browser is set to show
// less motion.
func (s Sheet) HTML() ([]byte, error) {
	page, err := template.New("sheet").Funcs(template.FuncMap{
		"bands": s.bands,
		"look":  s.Pack.describe,
		"width": func() int { return s.Pack.grid * s.scale() },
		"style": func(b band) template.CSS {
			hex := func(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
			return template.CSS("background: " + hex(b.Back) + "; color: " + hex(b.ink()))
		},
		"moves": s.Pack.Moves,
		"still": func(c cell) template.URL { return template.URL(inline(s.draw(c))) },
		"calm":  func(c cell) template.Srcset { return template.Srcset(inline(s.draw(c))) },
		"moving": func(c cell) template.URL {
			c.View.Scale = s.scale()
			c.View.Form = Moving
			return template.URL(inline(s.Pack.Draw(c.Look, c.View)))
		},
	}).Parse(sheetTemplate)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = page.Execute(&out, s.Pack.m)
	return out.Bytes(), err
}

// inline returns a picture as a data URL.
func inline(png []byte) string {
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)
}
