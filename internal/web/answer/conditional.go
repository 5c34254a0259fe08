package answer

import (
	"net/http"
	"strings"
)

// Joined returns the values of a header that may come several times, as one list.
func Joined(h http.Header, key string) string { return strings.Join(h[key], ", ") }

// NotModified reports whether these values of If-None-Match and If-Modified-Since say that the caller
// already has this entry. A header that was not sent is "". A date counts only if no tag was sent.
func (e *Entry) NotModified(ifNoneMatch, ifModifiedSince string) bool {
	if e.status != http.StatusOK {
		return false
	}
	if ifNoneMatch != "" {
		return listsTag(ifNoneMatch, e.ETag)
	}
	if ifModifiedSince == "" || e.Modified.IsZero() {
		return false
	}
	since, err := http.ParseTime(ifModifiedSince)
	return err == nil && !e.Modified.After(since)
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
