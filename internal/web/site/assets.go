package site

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/swaggest/swgui/v5emb"
)

// openAssets gives each asset an address that changes with its content, so
// that browsers may keep it for ever.
func (s *Site) openAssets() error {
	s.stamps = map[string]string{}
	return fs.WalkDir(assets, "assets", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := assets.ReadFile(name)
		if err != nil {
			return fmt.Errorf("reading the asset %s: %w", name, err)
		}
		sum := sha256.Sum256(body)
		s.stamps[path.Base(name)] = s.base() + "/" + name + "?h=" + hex.EncodeToString(sum[:6])
		return nil
	})
}

// base is the path of the site's own address, "" at the root of its host.
func (s *Site) base() string {
	_, rest, _ := strings.Cut(s.SiteURL, "://")
	_, below, found := strings.Cut(rest, "/")
	if !found || below == "" {
		return ""
	}
	return "/" + strings.TrimSuffix(below, "/")
}

func (s *Site) asset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	body, err := assets.ReadFile("assets/" + name)
	stamp, ok := s.stamps[name]
	if err != nil || !ok {
		s.serve(func(*http.Request) (*view, error) { return nil, errNoPage })(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=300")
	if strings.HasSuffix(stamp, "?"+r.URL.RawQuery) {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(body)
}

func (s *Site) favicon(w http.ResponseWriter, r *http.Request) {
	r.URL.Path = "/assets/icon.png"
	s.asset(w, r)
}

// viewer serves the files of the OpenAPI viewer, but not its page: ours has no
// inline script.
func (s *Site) viewer() http.Handler {
	files := v5emb.New("petsupply", s.SiteURL+"/openapi.yaml", "/api/ui/")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Ext(r.URL.Path) == "" {
			s.serve(func(*http.Request) (*view, error) { return nil, errNoPage })(w, r)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "public, max-age=86400")
		files.ServeHTTP(w, r)
	})
}
