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

// A guard stands in front of a node that mines by hand and lets nobody in while
// it does. That long anvil answers questions about its latest block from the
// state of the one to come, which no node does that keeps its states by root.
type guard struct {
	mining sync.RWMutex // held by whoever changes the chain
	server *httptest.Server
}

// watch begins to guard the node at an address, and returns its own.
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
		ErrorLog:  log.New(io.Discard, "", 0), // callers that hang up, and a node that ends
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
