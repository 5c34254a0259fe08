package art

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/color"
)

// pageCell is a cell as the page shows it.
type pageCell struct {
	Text, Title string
	Src         template.URL
	Size        int
}

type pageBand struct {
	Title string
	Back  template.CSS
	Ink   template.CSS
	Cells []pageCell
}

var pageForm = template.Must(template.New("sheet").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Name}} {{.Version}}</title>
<style>
body { margin: 0; font: 15px/1.4 system-ui, sans-serif; background: #f6f3ec; color: #2b2622 }
header, section { padding: 1rem 2rem }
h1, h2 { margin: 0 0 .5rem }
.cells { display: flex; flex-wrap: wrap; gap: 12px }
figure { margin: 0 }
figcaption { font-size: 12px; max-width: 180px }
img { display: block; image-rendering: pixelated }
</style>
<header>
<h1>{{.Name}}</h1>
<p>{{.ID}} {{.Version}} · {{.Licence}}{{range .Credits}} · {{.Name}} ({{.Role}}){{end}}</p>
</header>
{{range .Bands}}<section style="background: {{.Back}}; color: {{.Ink}}">
<h2>{{.Title}}</h2>
<div class="cells">
{{range .Cells}}<figure title="{{.Title}}"><img src="{{.Src}}" width="{{.Size}}" height="{{.Size}}" alt="{{.Text}}"><figcaption>{{.Text}}</figcaption></figure>
{{end}}</div>
</section>
{{end}}</html>
`))

// HTML returns the sheet as a page that needs nothing else.
func (s Sheet) HTML() ([]byte, error) {
	p := s.Pack
	var bands []pageBand
	for _, b := range s.bands() {
		page := pageBand{Title: b.title, Back: css(b.back), Ink: "#2b2622"}
		if b.back == black {
			page.Ink = "#f6f3ec"
		}
		for _, c := range b.cells {
			c.view.Scale = s.scale()
			src := "data:image/png;base64," + base64.StdEncoding.EncodeToString(p.Draw(c.look, c.view))
			page.Cells = append(page.Cells, pageCell{
				Text: c.text, Title: c.look.String(), Size: p.grid * s.scale(),
				Src: template.URL(src), // made here, of our own bytes
			})
		}
		bands = append(bands, page)
	}
	var out bytes.Buffer
	err := pageForm.Execute(&out, map[string]any{
		"Name": p.name, "ID": p.id, "Version": p.version, "Licence": p.licence, "Credits": p.credits, "Bands": bands,
	})
	return out.Bytes(), err
}

func css(c color.Color) template.CSS {
	r, g, b, _ := c.RGBA()
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8))
}
