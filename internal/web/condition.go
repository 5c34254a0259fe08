package web

import (
	"net/http"
	"strings"
	"time"
)

// unchanged reports whether a caller's conditions say that it already holds
// the representation with this quoted tag, last modified then. A date counts
// only where no tag was sent.
func unchanged(h http.Header, tag string, modified time.Time) bool {
	if tags := h["If-None-Match"]; len(tags) > 0 {
		for _, list := range tags {
			if tagged(list, tag) {
				return true
			}
		}
		return false
	}
	since := h["If-Modified-Since"]
	return len(since) == 1 && unmodified(since[0], modified)
}

// unmodified reports whether a representation last modified then is older than
// the date that a caller sent.
func unmodified(since string, modified time.Time) bool {
	if modified.IsZero() {
		return false
	}
	t, err := http.ParseTime(since)
	return err == nil && !modified.After(t)
}

// tagged reports whether the list of entity tags holds tag, compared weakly as
// If-None-Match asks for. It stops at the first thing that is no tag.
func tagged(list, tag string) bool {
	for {
		list = strings.TrimLeft(list, " \t,")
		if list == "" {
			return false
		}
		if list[0] == '*' {
			return strings.Trim(list[1:], " \t") == ""
		}
		list = strings.TrimPrefix(list, "W/")
		if list == "" || list[0] != '"' {
			return false
		}
		end := strings.IndexByte(list[1:], '"')
		if end < 0 {
			return false
		}
		if list[:end+2] == tag {
			return true
		}
		list = list[end+2:]
	}
}
