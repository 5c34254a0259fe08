package express

import (
	"net/http"
	"strings"
	"time"
)

// NotModified reports whether the values of If-None-Match or If-Modified-Since
// say that their caller already holds the representation with this quoted tag,
// last modified then (zero: not known). A date counts only where no tag was
// sent. It is the rule of every 304, in the lane and behind it.
func NotModified(ifNoneMatch, ifModifiedSince []string, etag []byte, modified time.Time) bool {
	for _, list := range ifNoneMatch {
		if listsTag(list, etag) {
			return true
		}
	}
	if len(ifNoneMatch) > 0 || len(ifModifiedSince) != 1 || modified.IsZero() {
		return false
	}
	since, err := http.ParseTime(ifModifiedSince[0])
	return err == nil && !modified.After(since)
}

// listsTag reports whether the list of entity tags holds tag, compared weakly as
// If-None-Match asks for. It stops at the first thing that is no tag.
func listsTag(list string, tag []byte) bool {
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
		if list[:end+2] == string(tag) {
			return true
		}
		list = list[end+2:]
	}
}
