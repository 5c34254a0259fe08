package frozen

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"text/template"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

const nginxDir = "nginx"

//go:embed nginx.conf.tmpl
var nginxText string

// nginxHeaders are those of every answer.
const nginxHeaders = `add_header Access-Control-Allow-Origin * always;
add_header Access-Control-Expose-Headers "ETag, Petsupply-Demo, Supply-As-Of, Supply-Snapshot, Supply-Status" always;
add_header X-Content-Type-Options nosniff always;
add_header Cross-Origin-Resource-Policy cross-origin always;
add_header Cache-Control $cache always;
`

var nginxTemplate = template.Must(template.New("nginx.conf").Parse(nginxText))

// writeNginx writes a configuration that serves the copy under the paths that
// the service had.
func (w *Writer) writeNginx(p *Provenance) error {
	data := struct {
		Supply, Pets string // the paths of the interfaces
		Tokens       []ledger.Token
		Figures      map[string]Figures
		FigureNames  []supply.FigureName
		Entries      uint64 // of the table of looks
		Size         int    // of the pictures
		HasPets      bool
		Hosts        map[string]string // of their own, and the path that stands for each
		AsOf         string
	}{
		Supply: pathOf(w.Head.SupplyURL, "/supply"), Pets: pathOf(w.Head.PetsURL, "/pets"),
		Tokens: w.Head.Tokens, FigureNames: supply.FigureNames, Figures: map[string]Figures{}, Entries: max(2*p.Pets, 4096),
		Size: w.Pack.Grid() * w.Pack.Scale(), HasPets: len(w.Head.Realms) > 0, Hosts: ownHosts(w.Head), AsOf: w.Head.AsOf.Format("2006-01-02T15:04:05Z07:00"),
	}
	for _, f := range p.Figures {
		data.Figures[f.Token] = f
	}
	var b bytes.Buffer
	if err := nginxTemplate.Execute(&b, data); err != nil {
		return fmt.Errorf("wording nginx.conf: %w", err)
	}
	headers := nginxHeaders
	if w.Head.Demo {
		headers += "add_header Petsupply-Demo true always;\n"
	}
	if err := w.put(nginxDir+"/headers.conf", []byte(headers)); err != nil {
		return err
	}
	return w.put("nginx.conf", b.Bytes())
}

// ownHosts are the hosts at whose root an interface stands alone.
func ownHosts(h *Head) map[string]string {
	hosts, shared := map[string]string{}, map[string]int{}
	for address, path := range map[string]string{h.SupplyURL: "/supply", h.PetsURL: "/pets", h.SiteURL: ""} {
		u, err := url.Parse(address)
		if err != nil {
			continue
		}
		if shared[u.Hostname()]++; path != "" && strings.Trim(u.Path, "/") == "" {
			hosts[u.Hostname()] = path
		}
	}
	maps.DeleteFunc(hosts, func(host, _ string) bool { return shared[host] > 1 })
	return hosts
}

// pathOf is the path of an address, or where that is a host of its own, another.
func pathOf(address, otherwise string) string {
	if u, err := url.Parse(address); err == nil {
		if path := strings.TrimRight(u.Path, "/"); path != "" {
			return path
		}
	}
	return otherwise
}
