package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"petsupply/testkit/process"
)

// A site is a directory of files that nginx serves.
type site struct {
	address   string
	root      string
	cert, key string // files; "" means plain HTTP
	locations []location
}

func (s site) url() string {
	if s.cert != "" {
		return "https://" + s.address
	}
	return "http://" + s.address
}

// A location adds our headers to the files at an address.
type location struct {
	match  string // as nginx reads it: "= /x" or "/x/"
	file   string // served instead of the path under root
	media  string
	header []string // "Name: value"
}

// lifted are the headers that nginx makes from the file itself.
var lifted = []string{"Content-Length", "Content-Type", "Content-Encoding", "Date", "Etag", "Last-Modified"}

// headersOf returns the headers that nginx must add so that it sends the same headers as we do.
func headersOf(h http.Header) []string {
	var list []string
	for key, values := range h {
		if slices.Contains(lifted, key) {
			continue
		}
		for _, v := range values {
			list = append(list, key+": "+v)
		}
	}
	slices.Sort(list)
	return list
}

const connections = 1024 // that nginx must be able to handle

// conf configures nginx as fast as possible for this work: no log, as many open descriptors as the
// machine allows, no limit on a connection's requests.
func (s site) conf(dir string, root bool, files uint64) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if root {
		say("user root;")
	}
	say("worker_processes auto;\ndaemon off;\npid %s/nginx.pid;\nerror_log stderr crit;\nworker_rlimit_nofile %d;", dir,
		files)
	say("events { worker_connections %d; }", connections)
	say("http {\n  access_log off;\n  server_tokens off;\n  sendfile on;\n  tcp_nopush on;\n  etag on;")
	say("  keepalive_timeout 120s;\n  keepalive_requests 1000000000;\n  reset_timedout_connection on;")
	say("  open_file_cache max=%d inactive=30m;\n  open_file_cache_valid 30m;", files-connections)
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		say("  %s_temp_path %s/%s;", kind, dir, kind)
	}
	listen := s.address
	if s.cert != "" {
		listen += " ssl http2"
	}
	say("  server {\n    listen %s backlog=4096;", listen)
	if s.cert != "" {
		say("    ssl_certificate %s;\n    ssl_certificate_key %s;\n    http2_max_requests 1000000000;", s.cert, s.key)
	}
	say("    root %s;", s.root)
	for _, l := range s.locations {
		l.say(say)
	}
	say("  }\n}")
	return b.String()
}

func (l location) say(say func(string, ...any)) {
	say("    location %s {\n      default_type %q;\n      types { }", l.match, l.media)
	if l.file != "" {
		say("      alias %s;", l.file)
	}
	if l.media == "application/json" {
		say("      gzip_static on;")
	}
	for _, h := range l.header {
		name, value, _ := strings.Cut(h, ": ")
		say("      add_header %s %q;", name, value)
	}
	say("    }")
}

// nginx starts nginx on the site, and sets its address.
func (h *harness) nginx(ctx context.Context, s *site) (*process.Process, error) {
	dir, err := os.MkdirTemp(h.dir, "nginx-")
	if err != nil {
		return nil, err
	}
	s.address, err = process.FreeAddress()
	if err != nil {
		return nil, err
	}
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return nil, err
	}
	conf := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(conf, []byte(s.conf(dir, os.Geteuid() == 0, min(limit.Max, 400_000))), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command("nginx", "-c", conf, "-p", dir, "-e", "stderr")
	p, err := process.Start(cmd)
	if err != nil {
		return nil, err
	}
	h.onClose(p.Stop)
	return p, p.Until(ctx, func() error { return reachable(s.address) })
}

func reachable(address string) error {
	c, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	return c.Close()
}
