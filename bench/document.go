package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

const opening = `# Benchmarks

Each row of the table compares the service with a peer: another program that does the same work, or
the service itself in a smaller or simpler case. Both run in turns on the same machine. Where the
peer is "the bound", it is a limit that we set ourselves. A *hot* answer is ready in memory, and a
*cold* one must be made first.

- **ratio**: how many times better than the peer the service is. For times, memory and sizes it is
  the peer's value divided by ours, and for rates ours divided by the peer's. It is the median of
  all rounds, so it can differ a little from the quotient of the two columns.
- **spread**: half the distance between the lowest and the highest round, as a share of the ratio.
- **target**: the ratio that we aim for, below 1 where we accept a worse value than the peer's.
- **name**: the name of the benchmark, for ` + "`make bench NAME=…`" + `.

During every measurement the status and size of each answer were checked, and a second client
compared whole bodies. Times vary on a shared machine. Processor time per request and ratios vary
less.

` + "`make bench`" + ` writes this page, and installs missing peers. ` + "`make bench NAME=large`" + ` measures the
largest sizes, and ` + "`make bench NAME=…`" + ` one benchmark. ` + "`bench/results.json`" + ` has the same figures for
programs.

`

const closing = `
## How it is measured

- **Hot answers**: wrk requests them with 2 threads over 64 connections on the same machine. nginx
  serves our bodies as files, with the same headers (` + "`add_header`" + `), no access log, ` + "`gzip_static`" + `,
  and an ` + "`open_file_cache`" + ` as large as the limit of open files allows (20,000 on this machine). Our
  side runs as in production, with express lane, metrics and log. Processor time is the user and
  system time of the server's processes (from /proc), divided by the number of answers.
- **Connections**: one figure is requested in four ways: over TLS on open connections (wrk), over a
  new plain connection each time (wrk, Connection: close), over a new connection with a complete TLS
  1.3 handshake each time (a client without session tickets), and over HTTP/2 with one stream per
  connection (h2load). Both servers have the same P-256 certificate and send the same headers.
- **Rows near their target vary**, because this machine's processors are shared. In a complete run
  of 16 November 2026, at commit b3477e2 and in slow minutes, two 304 rows had ratios of 0.985 and
  0.993, the refresh of 1,000 entries had 0.804, and idle memory was 55.3 MB.
- **p99** is a time that 99 % of the answers do not exceed. For hot answers it is measured at 10,000
  requests a second over 64 connections, which both sides handle easily. If a connection is still
  busy when its next request is due, the time of that request counts from when it was due. So a
  stall counts in full. A p99 row is left out of the table if its rounds differ by more than a
  quarter.
- **Misbehaving clients** (benchmark ` + "`disturbed`" + `) run in a separate program, with a lower priority
  than the service and the clients that are timed.
- **Metadata**: 100,000 pets are imported into PostgreSQL, and wrk requests them in turn. Cold means
  that each pet is requested once, from a service that was just started. The peer of cold metadata
  is a select-only run of pgbench (prepared statements, as many rows) on the same PostgreSQL.
- **Pictures**: sharp gets the same layers, decoded in memory. It composes them, scales them by
  nearest neighbour and encodes them, with a palette like ours.
- **Chains** are anvil nodes on the same machine. Round trips are counted by a proxy.
- **Refresh** is one measurement of all figures. The peer "bare multicall" is the least work that
  gives figures at a known block. It uses go-ethereum's client. On all chains at once it reads the
  newest block and sends prepared calldata for it. It checks and decodes nothing. Our side also
  chooses the blocks, reads by hash, checks chain and block, decodes, adds up, makes the evidence
  and judges the result.
`

// document returns docs/BENCHMARKS.md.
func document(rows []row, machine string, now time.Time) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	fmt.Fprintf(&b, "Machine: %s. Last run: %s, commit %s.\n\n", machine, now.UTC().Format("2006-01-02 15:04 MST"),
		strings.Join(commits(rows), ", "))
	b.WriteString("| work | unit | ours | peer's | peer | ratio | spread | target | result | name " +
		"|\n|---|---|---:|---:|---|---:|---:|---:|---|---|\n")
	var notes []string
	for _, r := range rows {
		mark := ""
		if r.Note != "" {
			at := slices.Index(notes, r.Note) + 1
			if at == 0 {
				notes = append(notes, r.Note)
				at = len(notes)
			}
			mark = fmt.Sprintf(" [%d]", at)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s× | ±%.0f %% | %s× | %s%s | %s |\n", r.Name, r.Unit, figure(r.Ours),
			figure(r.Peer), r.Against, figure(r.Ratio), 100*r.Spread, figure(r.Reach), r.verdict(), mark, r.Benchmark)
	}
	b.WriteString("\n")
	for i, n := range notes {
		fmt.Fprintf(&b, "[%d] %s\n\n", i+1, n)
	}
	b.WriteString(closing[1:])
	return b.Bytes()
}

func commits(rows []row) []string {
	var list []string
	for _, r := range rows {
		if !slices.Contains(list, r.Commit) {
			list = append(list, r.Commit)
		}
	}
	return list
}

// machine describes this machine.
func machine() string {
	parts := []string{fmt.Sprintf("%d processors", runtime.NumCPU())}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				parts = append(parts, strings.Trim(name, " :\t\n"))
				break
			}
		}
	}
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kb int64
		if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kb); err == nil {
			parts = append(parts, fmt.Sprintf("%d GB of memory", (kb+1<<19)>>20))
		}
	}
	if out, err := exec.Command("uname", "-sr").Output(); err == nil {
		parts = append(parts, strings.TrimSpace(string(out)))
	}
	return strings.Join(append(parts, runtime.Version()), ", ")
}
