package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/process"
)

func TestStatistics(t *testing.T) {
	for _, c := range []struct {
		values              []float64
		median, spread, p99 float64
	}{
		{nil, 0, 0, 0},
		{[]float64{4}, 4, 0, 4},
		{[]float64{3, 1, 2}, 2, 0.5, 3},
		{[]float64{4, 1, 3, 2}, 2.5, 0.6, 4},
	} {
		t.Run(fmt.Sprint(c.values), func(t *testing.T) {
			if m, s, q := median(c.values), spread(c.values), quantile(c.values, 0.99); m != c.median ||
				math.Abs(s-c.spread) > 1e-9 || q != c.p99 {
				t.Errorf("%v: median %v, spread %v, p99 %v", c.values, m, s, q)
			}
		})
	}
	hundred := make([]float64, 200)
	for i := range hundred {
		hundred[i] = float64(i + 1)
	}
	if q := quantile(hundred, 0.99); q != 198 {
		t.Errorf("the 99th percentile of 1 to 200 is %v", q)
	}
}

// Noise that affects a whole round must not change the ratio.
func TestCompareGoesByRounds(t *testing.T) {
	r := compare("x", "µs", "y", 1, []pairing{{10, 12}, {100, 120}, {10, 12}, {1000, 1200}})
	if math.Abs(r.Ratio-1.2) > 1e-9 || r.Spread > 1e-9 || r.verdict() != "reached" {
		t.Errorf("the comparison is %+v", r)
	}
	if r := compare("x", "µs", "y", 1, []pairing{{10, 9}}); r.verdict() != "**short by 10 %**" {
		t.Errorf("the comparison is %+v: %s", r, r.verdict())
	}
	if r := within("x", "MB", 60, []float64{50, 70, 61}); r.verdict() == "reached" {
		t.Errorf("61 is within 60: %+v", r)
	}
}

func TestWrkOutput(t *testing.T) {
	s, err := parseWrk([]byte("Running 1s test\n  2 threads\n\n" +
		`@{"requests":50000,"bytes":3000000,"microseconds":1000000,"errors":3}` +
		"\nmore\n"))
	s.cpu = 500 * time.Millisecond
	if err != nil || s.perRequest() != 10 || s.rate() != 50000 || s.Errors != 3 {
		t.Errorf("the summary is %+v, %v", s, err)
	}
	for _, bad := range []string{"", "unable to connect", "\n@{", "\n@{\"requests\":0}\n"} {
		if _, err := parseWrk([]byte(bad)); err == nil {
			t.Errorf("%q is taken for figures", bad)
		}
	}
}

func TestPgbenchOutput(t *testing.T) {
	rate, err := parsePgbench([]byte("latency average = 0.4 ms\ninitial connection time = 20.1 ms\ntps = 35391.258100 " +
		"(without initial connection time)\n"))
	if err != nil || rate != 35391.2581 {
		t.Errorf("the rate is %v, %v", rate, err)
	}
	if _, err := parsePgbench([]byte("tps = many")); err == nil {
		t.Error("a rate that is no number was accepted")
	}
}

func TestFigures(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 1: "1", 0.01234: "0.0123", 1.5: "1.5", 12.34: "12.3", 99.96: "100",
		1234.5: "1,234", 1e6: "1,000,000", -1234: "-1,234"} {
		if got := figure(x); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
}

func TestMergeKeepsOtherRows(t *testing.T) {
	old := []row{{Name: "a", Benchmark: "hot-figure", Ours: 1}, {Name: "b", Benchmark: "start", Ours: 2},
		{Name: "c", Benchmark: "gone", Ours: 3}}
	got := merge(old, row{Name: "a2", Benchmark: "hot-figure"})
	if len(got) != 2 || got[0].Name != "a2" || got[1].Name != "b" {
		t.Errorf("the merged rows are %+v", got)
	}
}

// The document shows the rows of results.json.
func TestDocumentShowsTheResults(t *testing.T) {
	var rows []row
	text, err := os.ReadFile("results.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &rows); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../docs/BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := withTable(page, table(rows))
	if err != nil || string(want) != string(page) {
		t.Errorf("the document does not show the rows of results.json: %v", err)
	}
	for _, r := range rows {
		if place(r.Benchmark) < 0 || r.Commit == "" || r.Machine == "" {
			t.Errorf("a row without its benchmark, commit or machine: %+v", r)
		}
	}
}

func TestTable(t *testing.T) {
	got := table([]row{
		{Name: "quick", Unit: "µs", Ours: 5, Peer: 10, Ratio: 2, Reach: 1, Spread: 0.04, Commit: "abc",
			Machine: "a machine", Benchmark: "hot-figure", Against: "nginx"},
		{Name: "slow", Unit: "ms", Ours: 9, Peer: 3, Ratio: 0.333, Reach: 1, Commit: "abc", Machine: "a machine",
			Benchmark: "refresh", Against: "bare", Note: "It is far."},
	})
	for _, want := range []string{
		"| quick | µs | 5 | 10 | nginx | 2× | ±4 % | 1× | reached | hot-figure |",
		"| **short by 67 %** [1] |", "\n[1] It is far.\n", "Machine: a machine. Commit: abc.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the table:\n%s", want, got)
		}
	}
}

func TestNginxGetsOurHeaders(t *testing.T) {
	h := http.Header{"Date": {"now"}, "Etag": {`"x"`}, "Vary": {"Accept-Encoding"}, "Access-Control-Allow-Origin": {"*"},
		"Content-Length": {"3"}}
	s := site{address: "127.0.0.1:1", root: "/files",
		locations: []location{{match: "= /x", file: "/files/x", media: "application/json", header: headersOf(h)}}}
	conf := s.conf("/tmp", false, 20_000)
	for _, want := range []string{`add_header Vary "Accept-Encoding";`, `add_header Access-Control-Allow-Origin "*";`,
		"gzip_static on;", "access_log off;", "open_file_cache max=", "alias /files/x;"} {
		if !strings.Contains(conf, want) {
			t.Errorf("%q is not in\n%s", want, conf)
		}
	}
	if strings.Contains(conf, "add_header Etag") || strings.Contains(conf, "add_header Date") {
		t.Errorf("nginx makes these itself:\n%s", conf)
	}
}

// A witness must notice a different body.
func TestAWitnessNoticesAWrongBody(t *testing.T) {
	s := side{request: request{status: 200}, bodies: func(string) ([]byte, error) { return []byte("right"), nil }}
	if err := s.right("/x", answer{status: 200, body: []byte("right")}); err != nil {
		t.Error(err)
	}
	for _, a := range []answer{{status: 200, body: []byte("wrong")}, {status: 304, body: []byte("right")}, {status: 200}} {
		if s.right("/x", a) == nil {
			t.Errorf("%+v is taken for right", a)
		}
	}
}

func TestProcessorTimeOfAProcess(t *testing.T) {
	p, err := process.Start(exec.Command("sh", "-c",
		"i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done; exec sleep 60"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Stop()
	err = p.Until(t.Context(), func() error {
		if p.Output.Tail() != "done" {
			return errors.New("it is not through yet")
		}
		return nil
	})
	used, cpuErr := p.CPU()
	now, most, memErr := p.Memory()
	if err != nil || cpuErr != nil || used < process.Tick || memErr != nil || now <= 0 || most < now {
		t.Errorf("%s used, %v bytes now, %v at most: %v %v %v", used, now, most, err, cpuErr, memErr)
	}
}
