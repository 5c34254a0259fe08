package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/supply/ledger"
)

// A row is one comparison. Its ratio is defined so that more is better. The goal is reached if the
// ratio is at least reach.
type row struct {
	Name      string  `json:"name"`
	Ours      float64 `json:"ours"`
	Peer      float64 `json:"peer"`
	Ratio     float64 `json:"ratio"`
	Reach     float64 `json:"reach"`
	Unit      string  `json:"unit"`
	Spread    float64 `json:"spread"`    // half the distance between highest and lowest ratio, as a share of the median
	Commit    string  `json:"commit"`    // a plus means uncommitted changes
	Benchmark string  `json:"benchmark"` // its name in make bench NAME=…
	Against   string  `json:"against"`
	Note      string  `json:"note,omitempty"` // an explanation, or why it falls short
}

func (r row) reached() bool { return r.Ratio >= r.Reach }

// tooNoisy reports whether a p99 differs too much between rounds to mean anything. The slowest
// answers wait for a processor, and all sides share the processors.
func (r row) tooNoisy() bool { return strings.HasSuffix(r.Name, ", p99") && r.Spread > 0.25 }

func (r row) verdict() string {
	if r.reached() {
		return "reached"
	}
	return fmt.Sprintf("**short by %.0f %%**", math.Ceil(100*(1-r.Ratio/r.Reach)))
}

func (r row) String() string {
	return fmt.Sprintf("%s: %s against %s (%s), %s; ratio %s ± %.0f %%, reach %s: %s", r.Name, figure(r.Ours),
		figure(r.Peer), r.Against, r.Unit, figure(r.Ratio), 100*r.Spread, figure(r.Reach), strings.Trim(r.verdict(), "*"))
}

// whys are the known reasons why benchmarks fall short, by the beginning of the benchmark's name
// and the end of the row's.
var whys = []struct{ benchmark, row, reason string }{
	{"disturbed", "", "The 10,000 connections, the slow clients and the flood come from a program that shares the two " +
		"processors with the service and the timed clients. The median answer takes a sixth longer, and the slowest 1 % " +
		"wait about a millisecond more for a processor."},
	{"growth", "", ""}, // the reason is not known
	{"", ", p99", "At this rate both sides answer in some tens of microseconds. The slowest 1 % wait for a processor, " +
		"which servers, clients and other programs share. The spread shows that single rounds go either way."},
	{"tls-once", "", "The handshake takes four fifths of our time. X25519 takes a third of our time, and the signature a " +
		"fifth. We use Go's own cryptography, and nginx uses OpenSSL's assembler code."},
	{"hot-pictures", "", "nginx lets the kernel send a picture directly from its file cache. We copy 4.5 kB into the " +
		"socket. The results are equal within a few percent."},
	{"cold-pictures", "rate on all cores", "This rate depends on the speed of the machine. Other runs drew 5,700 to " +
		"11,300 pictures a second. Half of the time is spent on finding repetitions in the picture, which makes our " +
		"files smaller than sharp's."},
	{"304-", "", "nginx answers a 304 without reading the file, so both sides do little more than system calls. Go's " +
		"network poller makes one more for each request: a read that finds nothing, before it waits."},
	{"start", "memory idle", "More than half of this memory is pages of two files: the program and the store. The kernel " +
		"loads more pages of a file than the service uses. It shares them between processes, and frees them when memory " +
		"is short."},
	{"refresh", "", "The bare calls discard their answers, and read a chain as soon as its block is known. Our side " +
		"waits for the blocks of all chains before it reads any, so that bridged tokens are counted once. It also decodes " +
		"and judges the answers."},
	{"bootstrap", "", "The bare calls discard their answers. SQLite takes four fifths of our processor time: it writes " +
		"each pet with the indexes that listings need."},
	{"cold-metadata", "", "pgbench is written in C, sends one query for each row, and discards the row. Of our time, two " +
		"fifths go into the query and into decoding its 32 columns. A third goes into making 3 kB of JSON and sending it " +
		"over HTTP, and a seventh into garbage collection."},
}

// why returns the reason why a row falls short, if it is known.
func why(r row) string {
	for _, w := range whys {
		if strings.HasPrefix(r.Benchmark, w.benchmark) && strings.HasSuffix(r.Name, w.row) {
			return w.reason
		}
	}
	return ""
}

// figure writes a number with at most three significant digits, but with all digits before the
// point.
func figure(x float64) string {
	switch {
	case x == 0:
		return "0"
	case math.Abs(x) >= 100:
		return ledger.Grouped(strconv.FormatFloat(x, 'f', 0, 64))
	}
	decimals := max(0, 2-int(math.Floor(math.Log10(math.Abs(x)))))
	text := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// write merges the new rows into the results of earlier runs, and writes the document.
func (h *harness) write(rows []row, done []string) error {
	file := filepath.Join(h.root, "bench", "results.json")
	var all []row
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading the results so far: %w", err)
	}
	all = merge(all, rows, done)
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		return err
	}
	doc := document(all, machine(), time.Now())
	return os.WriteFile(filepath.Join(h.root, "docs", "BENCHMARKS.md"), doc, 0o644)
}

// merge replaces the rows of benchmarks that ran again, and drops those of unknown benchmarks. It
// sorts the rows in the order of the variable benchmarks.
func merge(old, rows []row, done []string) []row {
	all := slices.Clone(rows)
	for _, r := range old {
		if !slices.Contains(done, r.Benchmark) && place(r.Benchmark) >= 0 {
			all = append(all, r)
		}
	}
	slices.SortStableFunc(all, func(a, b row) int { return place(a.Benchmark) - place(b.Benchmark) })
	return all
}

func place(name string) int {
	return slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == name })
}
