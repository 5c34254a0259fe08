package answer

import (
	"net/http"
	"strings"
	"time"
)

// notModified reports whether If-None-Match or If-Modified-Since say that the caller already has
// the representation with this quoted tag and modification time. A zero time means that it is not
// known. A date counts only if no tag was sent.
func notModified(ifNoneMatch, ifModifiedSince []string, etag []byte, modified time.Time) bool {
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

// listsTag reports whether a list of entity tags contains tag, by the weak comparison of
// If-None-Match. A * at the end of the list matches every tag. listsTag stops at the first part that
// is not a tag.
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
