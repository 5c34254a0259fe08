package main

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// figure requests a bare figure. It must equal the figure in the document of the same snapshot.
func (c *caller) figure(ctx context.Context, path, name, query string) error {
	route := "/" + path + "/" + strings.ToLower(name) + query
	code, header, body, err := c.get(ctx, route)
	if err != nil {
		return err
	}
	kind, text := "text/plain; charset=utf-8", string(body)
	if query != "" && code == http.StatusOK {
		kind = "application/json"
		var form struct{ Result string }
		if err := json.Unmarshal(body, &form); err != nil {
			c.wrongf("%s answered %q", route, body)
			return nil
		}
		text = form.Result
	}
	switch {
	case code == http.StatusServiceUnavailable:
		c.refusal(path, route, header, kind, body)
		return nil
	case code != http.StatusOK, header.Get("Content-Type") != kind:
		c.wrongf("%s answered %d, %s", route, code, header.Get("Content-Type"))
		return nil
	case amountOf(text) == nil:
		c.wrongf("%s answered %q", route, text)
		return nil
	}
	v, err := c.documentOf(ctx, path, header.Get("Supply-Snapshot"))
	if err != nil || v == nil {
		return err
	}
	if v.figure[name] == nil || v.figure[name].Cmp(amountOf(text)) != 0 {
		c.wrongf("%s answered %s, its document %v", route, text, v.figure[name])
	}
	return nil
}

// documentOf finds the document of a snapshot, which may have been published since the caller's
// last request.
func (c *caller) documentOf(ctx context.Context, path, snapshot string) (*view, error) {
	if v := c.seen[path][snapshot]; v != nil {
		return v, nil
	}
	if err := c.token(ctx, path); err != nil {
		return nil, err
	}
	return c.seen[path][snapshot], nil // nil if it was published and replaced between two requests
}
