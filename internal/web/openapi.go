package web

import (
	"sync"
	"time"

	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"
)

// specificationRoutes returns the routes that serve the specification d, or nil if d is nil.
func (s *Server) specificationRoutes(iface string, d *openapi.Document) []*answer.Route {
	if d == nil {
		return nil
	}
	route := func(pattern, media string, text func() []byte) *answer.Route {
		var r *answer.Route
		entry := sync.OnceValue(func() *answer.Entry {
			return s.answerer.Entry(&answer.Response{
				Media: media, Body: text(), Tag: answer.Tag(text()), Cache: steadyPolicy,
				Modified: s.started.Truncate(time.Second), Compress: true,
			}, r, nil)
		})
		r = newRoute(s.answerer, iface, pattern, func(*answer.Request) (*answer.Response, error) {
			return &answer.Response{Entry: entry()}, nil
		})
		return r
	}
	return []*answer.Route{
		route("/openapi.json", answer.JSONType, d.JSON),
		route("/openapi.yaml", "application/yaml", func() []byte { return d.YAML }),
	}
}
