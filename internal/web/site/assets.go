package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
)

// hashAssets gives each asset an address that changes with its content, so that browsers may keep
// it forever.
func (s *Site) hashAssets() error {
	s.assets = map[string]string{}
	files, err := assets.ReadDir("assets")
	if err != nil {
		return err
	}
	for _, f := range files {
		body, err := assets.ReadFile("assets/" + f.Name())
		if err != nil {
			return fmt.Errorf("reading the asset %s: %w", f.Name(), err)
		}
		sum := sha256.Sum256(body)
		s.assets[f.Name()] = s.base + "/assets/" + f.Name() + "?h=" + hex.EncodeToString(sum[:6])
	}
	return nil
}

// mediaTypes are media types that some systems do not know.
var mediaTypes = map[string]string{".woff": "font/woff", ".webmanifest": "application/manifest+json"}

func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	body, err := assets.ReadFile("assets/" + name)
	if err != nil {
		s.serveNow(s.unmatched)(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", cmp.Or(mediaTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name))))
	h.Set("Cache-Control", "public, max-age=300")
	if strings.HasSuffix(s.assets[name], "?"+r.URL.RawQuery) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if err := s.Send(w, r, func() ([]byte, error) { return body, nil }); err != nil {
		s.send(w, r, s.problem(r, err))
	}
}

func (s *Site) favicon(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = "/assets/icon.png"
	s.asset(w, r)
}

func robots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, "User-agent: *\nAllow: /\n")
}
