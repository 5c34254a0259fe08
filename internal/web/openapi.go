package web

import (
	"sync"
	"time"

	"petsupply/internal/web/answer"
	"petsupply/internal/web/openapi"
)

// specificationRows returns the routes that serve the specification d, or nil if d is nil.
func (s *Server) specificationRows(d openapi.Document) []answer.Row {
	if d == nil {
		return nil
	}
	row := func(pattern, media string, text func() []byte) answer.Row {
		var once sync.Once
		var entry *answer.Entry
		serve := func(q *answer.Request) (*answer.Response, error) {
			once.Do(func() {
				body := text()
				entry = s.answerer.Entry(&answer.Response{
					Media: media, Body: body, Tag: answer.Tag(body), Cache: q.Route.Cache,
					Modified: s.started.Truncate(time.Second), Compress: true,
				}, q.Route, nil)
			})
			return &answer.Response{Entry: entry}, nil
		}
		return answer.Row{Pattern: pattern, Serve: serve, Cache: steadyPolicy}
	}
	return []answer.Row{
		row("/openapi.json", answer.JSONType, d.JSON),
		row("/openapi.yaml", "application/yaml", func() []byte { return d }),
	}
}
