package web

import (
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"petsupply/internal/web/answer"
)

// An OpsConfig says what Ops answers with.
type OpsConfig struct {
	Gatherer prometheus.Gatherer
	// Problems lists problems of a service that still answers, such as a store or a chain that is
	// down. It must return within about a second.
	Problems func() []string
	// Leader returns the name of the instance that measures and indexes, or "" if the name is not
	// known. The second result says whether this instance is the leader.
	Leader func() (name string, here bool)
	// LocalOnly refuses requests for any host other than localhost and loopback addresses. This
	// prevents DNS rebinding by pages in the operator's browser.
	LocalOnly bool
}

// Ops answers probes and operators. It must not be public.
func (s *Server) Ops(cfg OpsConfig) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeHealth(w, http.StatusOK, health{Status: "alive"})
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		h := health{Status: "ready", Problems: cfg.Problems()}
		h.Leader, h.Leads = cfg.Leader()
		status := http.StatusOK
		if !s.Ready() {
			h.Status = "starting"
			status = http.StatusServiceUnavailable
			h.Problems = append(h.Problems, "no figure is in memory yet")
		}
		writeHealth(w, status, h)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(cfg.Gatherer, promhttp.HandlerOpts{EnableOpenMetrics: true}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if cfg.LocalOnly {
		return localOnly(mux)
	}
	return mux
}

// localOnly implements OpsConfig.LocalOnly.
func localOnly(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := r.Host
		if host, _, err := net.SplitHostPort(r.Host); err == nil {
			name = host
		}
		addr, err := netip.ParseAddr(strings.Trim(name, "[]"))
		if !strings.EqualFold(name, "localhost") && (err != nil || !addr.IsLoopback()) {
			http.Error(w, "this host is not served here", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}

type health struct {
	Status   string   `json:"status"`
	Leader   string   `json:"leader,omitempty"`
	Leads    bool     `json:"leads,omitempty"` // this instance is the leader
	Problems []string `json:"problems,omitempty"`
}

func writeHealth(w http.ResponseWriter, status int, h health) {
	body, _ := answer.Encode(h) // cannot fail: strings and a bool
	w.Header().Set("Content-Type", answer.JSONType)
	w.Header().Set("Cache-Control", answer.CachePolicy{}.String())
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n'))
}
