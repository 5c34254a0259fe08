package frozen

import (
	"net/http"
	"net/url"
	"path"
	"strings"
)

// Transport returns a transport for requests to a supply API at a path. It asks next for the files of a
// copy that have the answers.
func Transport(at string, next http.RoundTripper) http.RoundTripper {
	return transport{strings.TrimSuffix(at, "/"), next}
}

type transport struct {
	at   string
	next http.RoundTripper
}

func (t transport) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.URL.Path = t.at + supplyFile(strings.TrimPrefix(q.URL.Path, t.at), q.URL.Query())
	q.URL.RawQuery = ""
	return t.next.RoundTrip(q)
}

// supplyFile returns the file with the answer at an address of the supply API. See writeSupply.
func supplyFile(at string, query url.Values) string {
	at = path.Clean(at)
	name := path.Base(at)
	switch {
	case strings.HasPrefix(at, "/log/"):
		return at
	case query.Has("q"):
		return at + "/" + strings.TrimSuffix(query.Get("q"), "supply") + "supply"
	case path.Dir(at) == "/":
		return path.Join(at, "index.json")
	case query.Has("format"), name == "evidence", name == "ledger", name == "proof":
		return at + ".json"
	}
	return at
}
