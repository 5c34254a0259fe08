package anvil

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
)

// A guard is a proxy in front of a node with Options.Manual. Requests wait while the node mines.
// Without a guard, anvil would answer requests about its latest block from the state of the next
// one during that time. Real nodes do not do that.
type guard struct {
	mining sync.RWMutex // locked while the chain changes; each request holds a read lock
	server *httptest.Server
}

// watch starts the guard of the node at an address, and returns the guard's address.
func (g *guard) watch(address string) (string, error) {
	node, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	forward := &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(node) },
		Transport: transport,
		ErrorLog:  log.New(io.Discard, "", 0), // discards errors of callers that hang up, and of a node that ends
	}
	g.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.mining.RLock()
		defer g.mining.RUnlock()
		forward.ServeHTTP(w, r)
	}))
	return g.server.URL, nil
}

func (g *guard) close() {
	if g.server != nil {
		g.server.CloseClientConnections()
		g.server.Close()
	}
}
