package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"petsupply/internal/web/express"
)

// TestScripts plays every conversation in testdata against a real listener.
// Each paragraph is one request on a connection of its own:
//
//	GET /supply/jewel         method and target, as they go over the wire
//	> If-None-Match: $tag     a header
//	code == 200
//	header Etag ~ ^"          == exactly, ~ regexp, != differs; nothing after == means absent
//	body == 12.5              whole body; ~ regexp; nothing after == means empty
//	json tokens.0.name == x   one value of a JSON body
//	let tag = header Etag     for later paragraphs
//
// <x*10240> in a target means 10240 times x, and \x00 is a NUL. Every answer must fit
// the specifications.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			cfg := oneHost()
			if strings.Contains(file, "hosts") {
				cfg = threeHosts()
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			kitOf := func(t *testing.T) *kit { return newKit(t, cfg) }
			if strings.Contains(file, "site") {
				kitOf = func(t *testing.T) *kit { return sited(t, cfg) }
			}
			t.Run("server", func(t *testing.T) { play(t, kitOf(t), string(text), false) })
			t.Run("lane", func(t *testing.T) { play(t, kitOf(t), string(text), true) })
		})
	}
}

// A scene is one request of a script with the checks of its answer.
type scene struct {
	line    int
	method  string
	target  string
	headers []string
	host    string
	checks  []string
}

func play(t *testing.T, k *kit, text string, lane bool) {
	t.Helper()
	addr := listen(t, k, lane)
	spec := loadSpec(t, k)
	vars := map[string]string{}
	for _, sc := range parseScript(t, text) {
		raw, resp, body := sc.ask(t, addr, vars)
		where := fmt.Sprintf("line %d: %s %.80s", sc.line, sc.method, sc.target)
		for _, c := range sc.checks {
			if msg := checkLine(c, resp, body, vars); msg != "" {
				t.Errorf("%s: %s: %s", where, c, msg)
			}
		}
		if !slices.Contains(sc.checks, "raw") {
			commonRules(t, where, sc, resp, body)
			spec.validate(t, where, raw, resp, body)
		}
	}
}

// listen serves the kit until the test ends, with or without the express lane
// in front.
func listen(t *testing.T, k *kit, lane bool) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := newServer(k, 5*time.Second)
	if lane {
		l = express.Listen(l, nil, srv, k.Find, k.Now)
	}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
	return l.Addr().String()
}

func parseScript(t *testing.T, text string) []scene {
	t.Helper()
	var list []scene
	open := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimRight(line, " \t")
		switch {
		case line == "":
			open = false
		case strings.HasPrefix(line, "#"):
		case !open:
			method, target, _ := strings.Cut(line, " ")
			list = append(list, scene{line: i + 1, method: method, target: expand(target), host: "localhost:8080"})
			open = true
		case strings.HasPrefix(line, "> Host: "):
			list[len(list)-1].host = line[8:]
		case strings.HasPrefix(line, "> "):
			list[len(list)-1].headers = append(list[len(list)-1].headers, line[2:])
		default:
			list[len(list)-1].checks = append(list[len(list)-1].checks, line)
		}
	}
	return list
}

var repeated = regexp.MustCompile(`<(.+?)\*(\d+)>`)

func expand(s string) string {
	s = strings.ReplaceAll(s, `\x00`, "\x00")
	return repeated.ReplaceAllStringFunc(s, func(m string) string {
		p := repeated.FindStringSubmatch(m)
		n, _ := strconv.Atoi(p[2])
		return strings.Repeat(p[1], n)
	})
}

var variable = regexp.MustCompile(`\$[a-z]+`)

func fill(s string, vars map[string]string) string {
	return variable.ReplaceAllStringFunc(s, func(name string) string { return vars[name[1:]] })
}

// ask sends the scene's request byte by byte as written.
func (sc scene) ask(t *testing.T, addr string, vars map[string]string) (*http.Request, *http.Response, []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	var msg strings.Builder
	fmt.Fprintf(&msg, "%s %s HTTP/1.1\r\nHost: %s\r\n", sc.method, fill(sc.target, vars), sc.host)
	req := &http.Request{Method: sc.method, Header: http.Header{}, Host: sc.host, RequestURI: fill(sc.target, vars)}
	for _, h := range sc.headers {
		h = fill(h, vars)
		msg.WriteString(h + "\r\n")
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, value)
	}
	msg.WriteString("\r\n")
	if _, err := io.WriteString(conn, msg.String()); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), req)
	if err != nil {
		t.Fatalf("line %d: reading the answer to %s %.80s: %v", sc.line, sc.method, sc.target, err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("line %d: reading the body: %v", sc.line, err)
	}
	return req, resp, unpack(t, resp, body)
}

func unpack(t *testing.T, resp *http.Response, body []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch resp.Header.Get("Content-Encoding") {
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(body))
	case "zstd":
		r, err = zstd.NewReader(bytes.NewReader(body))
	default:
		return body
	}
	if len(body) == 0 {
		return nil // HEAD or 304
	}
	if err == nil {
		body, err = io.ReadAll(r)
	}
	if err != nil {
		t.Fatalf("unpacking %s: %v", resp.Header.Get("Content-Encoding"), err)
	}
	return body
}

// commonRules checks the rules for all answers of the two interfaces.
func commonRules(t *testing.T, where string, sc scene, resp *http.Response, body []byte) {
	t.Helper()
	for key, want := range map[string]string{
		"Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
		"Cross-Origin-Resource-Policy": "cross-origin",
	} {
		if got := resp.Header.Get(key); got != want {
			t.Errorf("%s: %s is %q, not %q", where, key, got, want)
		}
	}
	if resp.StatusCode >= 400 && resp.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: an error may be stored: %q", where, resp.Header.Get("Cache-Control"))
	}
	if resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.StatusCode != http.StatusNotModified {
		t.Errorf("%s: redirected with %d", where, resp.StatusCode)
	}
	if (sc.method == http.MethodHead || resp.StatusCode == http.StatusNotModified) && len(body) > 0 {
		t.Errorf("%s: has a body of %d bytes", where, len(body))
	}
}
