package web

import (
	"net/http"
	"net/http/pprof"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// An OpsConfig is what probes are told. All of it may be left out.
type OpsConfig struct {
	Gatherer prometheus.Gatherer
	// Troubles says in words what is amiss though answers go on: a store that
	// is away, a chain that does not answer. It must not wait for them.
	Troubles func() []string
	// Leader names the instance that measures and indexes for all, "" while
	// nobody is known to, and says whether it is this one.
	Leader func() (name string, here bool)
}

// Ops answers probes and operators. It is never to be public.
func (s *Server) Ops(cfg OpsConfig) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		tell(w, http.StatusOK, health{Status: "alive"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		h, status := health{Status: "ready"}, http.StatusOK
		if cfg.Troubles != nil {
			h.Troubles = cfg.Troubles()
		}
		if cfg.Leader != nil {
			h.Leader, h.Leads = cfg.Leader()
		}
		if !s.Ready() {
			h.Status, status = "starting", http.StatusServiceUnavailable
			h.Troubles = append(h.Troubles, "no figure is in memory yet")
		}
		tell(w, status, h)
	})
	if cfg.Gatherer != nil {
		mux.Handle("GET /metrics", promhttp.HandlerFor(cfg.Gatherer, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	}
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// Ready reports whether answers can be given from memory: at once where no
// token is published, else from the first figure on. What is lost later does
// not take it back.
func (s *Server) Ready() bool { return !s.publishes || s.figured.Load() }

type health struct {
	Status   string   `json:"status"`
	Leader   string   `json:"leader,omitempty"`
	Leads    bool     `json:"leads,omitempty"` // this instance is the leader
	Troubles []string `json:"troubles,omitempty"`
}

func tell(w http.ResponseWriter, status int, h health) {
	body, err := Encode(h)
	if err != nil {
		status, body = http.StatusInternalServerError, nil
	}
	w.Header().Set("Content-Type", jsonType)
	w.Header().Set("Cache-Control", policy{}.String())
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
