package evm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/testkit/anvil"
)

const secret = "k3y-0123456789-s3cr3t"

// TestSecrets: a provider's URL, any part of it that may be a key, and its own words never reach an
// error, a log line, a metric, Health, or a printed value of this package.
func TestSecrets(t *testing.T) {
	echo := func(status int, format string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(status)
			fmt.Fprintf(w, format, "http://"+r.Host+r.URL.String())
		}
	}
	servers := map[string]http.HandlerFunc{
		"status":  echo(403, "no entry for %s"),
		"limited": echo(429, `{"error":{"code":429,"message":"slow down %s"}}`),
		"error": echo(200,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"project `+secret+` at %s is over its quota"}}`),
		"bare": echo(200, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"unknown key `+secret+`%.0s"}}`),
		"page": echo(200, "<a href=%q>"),
		"hang": func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/again"+r.URL.String(), http.StatusTemporaryRedirect)
		},
		"cut": func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) },
	}
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	closed.Close()
	urls := map[string]string{
		"refused":    "http://" + closed.Addr().String() + "/v2/" + secret,
		"unresolved": "http://" + secret + ".invalid/v2",
		"password":   "http://user:" + secret + "@" + closed.Addr().String(),
		"query":      "http://" + closed.Addr().String() + "/?apikey=" + secret,
		"tls":        "https://" + closed.Addr().String() + "/v2/" + secret,
	}
	for name, serve := range servers {
		s := httptest.NewServer(serve)
		s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, 0)
		defer s.Close()
		urls[name] = s.URL + "/v2/" + secret + "?key=" + secret
	}
	for name, url := range urls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			log := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
			cfg := Config{Name: "test", ID: 1, Timeout: 300 * time.Millisecond, Providers: []Provider{{"alpha", url}},
				Quorum: 1, Finality: "latest", MaxLag: time.Minute, Multicall: anvil.Multicall3}
			c, err := Dial(cfg, log)
			must(t, err)
			for range 2 * downAfter { // until it is down, which is logged
				_, err = c.Pin(t.Context(), time.Time{})
				fmt.Fprintln(&out, err)
			}
			fmt.Fprintf(&out, "%v %+v %#v %v %+v %#v\n", c, c.providers[0], c.providers[0], cfg, cfg, cfg)
			fmt.Fprintf(&out, "%+v %#v\n", c, c.Health())
			log.Error("all", "config", cfg, "provider", cfg.Providers[0], "chain", c)
			json.NewEncoder(&out).Encode(cfg.Providers)
			writeMetrics(t, c, &out)
			c.Close()
			if err == nil || !strings.Contains(out.String(), "alpha") {
				t.Fatalf("nothing happened: %s", out.String())
			}
			for _, s := range []string{secret, "/v2", "127.0.0.1", ".invalid", "no entry", "slow down", "project",
				"unknown key"} {
				if at := strings.Index(out.String(), s); at >= 0 {
					t.Errorf("%q got out: …%s", s, out.String()[max(0, at-200):min(out.Len(), at+100)])
				}
			}
		})
	}
}

func writeMetrics(t *testing.T, c *Chain, w io.Writer) {
	t.Helper()
	r := prometheus.NewRegistry()
	for _, m := range c.Collectors() {
		must(t, r.Register(m))
	}
	families, err := r.Gather()
	must(t, err)
	if len(families) != 4 {
		t.Errorf("%d metrics", len(families))
	}
	for _, f := range families {
		fmt.Fprintln(w, f)
	}
}

// TestConfigFaults: faults are reported without any URL.
func TestConfigFaults(t *testing.T) {
	good := func(url string) []Provider { return []Provider{{"alpha", "http://host"}, {"beta", url}} }
	for want, cfg := range map[string]Config{
		"chain first: quorum 6":              {Quorum: 6, Finality: "latest", Providers: good("http://other")},
		"quorum 0":                           {Finality: "latest", Providers: good("http://other")},
		`finality "latest-01"`:               {Quorum: 1, Finality: "latest-01", Providers: good("http://other")},
		"provider beta: want a node's http":  {Quorum: 1, Finality: "latest", Providers: good("ftp://host/" + secret)},
		"beta: want a node's http or https ": {Quorum: 1, Finality: "latest", Providers: good("http://%zz" + secret)},
		"beta: want a node's":                {Quorum: 1, Finality: "latest", Providers: good(secret)},
		"provider beta: WebSockets":          {Quorum: 1, Finality: "latest", Providers: good("wss://host/" + secret)},
	} {
		t.Run(want, func(t *testing.T) {
			cfg.Name = "first"
			_, err := Dial(cfg, nil)
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v, want %q", err, want)
			}
		})
	}
	for text, want := range map[string]string{"finalized": "finalized", "safe": "safe", "latest": "latest",
		"latest-12": "latest-12", "latest-0": "latest"} {
		if f, err := ParseFinality(text); err != nil || f.String() != want {
			t.Errorf("%s is %s, %v", text, f, err)
		}
	}
	for _, text := range []string{"", "earliest", "latest-", "latest--1", "latest-+1", "Latest", "latest-99999999999"} {
		if _, err := ParseFinality(text); err == nil {
			t.Errorf("%q is a finality", text)
		}
	}
}
