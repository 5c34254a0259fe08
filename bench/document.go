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
	"unicode/utf8"
)

const opening = `# Benchmarks

Each row of the table compares the service with a peer. The peer is another program that does the
same work, or the service itself in a smaller or simpler case. The service and its peer run in turns
on the same machine. Where the peer is "our limit", the service is compared with a limit that we set
ourselves. A *hot* answer is ready in memory. A *cold* answer must be made first. The columns are:

- **ours**, **peer's**: the two values, in the **unit** of the row. Each is the median of all
  rounds.
- **ratio**: how many times better than the peer the service is. For times, memory and sizes, it is
  the peer's value divided by ours. For rates, it is our value divided by the peer's. It is computed
  for each round, and the table has the median. So it can differ a little from the quotient of the
  two columns.
- **spread**: half the distance between the lowest and the highest ratio of all rounds, as a
  percentage of the median.
- **target**: the ratio that we aim for. A target below 1 accepts a worse value than the peer's.
- **result**: whether the ratio reaches the target, or by how much it falls short. A number in
  brackets refers to a note below the table.
- **name**: the name of the benchmark, for ` + "`make bench NAME=…`" + `.

In every round of requests, the client checks the status and size of each answer, and a second
client compares whole bodies. Times vary on a shared machine. Processor time per request and ratios
vary less.

` + "`make bench`" + ` runs the benchmarks, installs missing peers and writes this page. ` + "`make bench NAME=…`" + `
runs the benchmarks whose names begin with NAME. ` + "`make bench NAME=large`" + ` runs those with the most
pets and snapshots. ` + "`bench/results.json`" + ` has the same figures for programs.

`

const closing = `
## How it is measured

- **Hot answers**: the load generator wrk requests them with 2 threads over 64 connections, on the
  same machine. nginx serves our bodies as files, with the same headers (` + "`add_header`" + `),
  ` + "`gzip_static`" + ` and no access log. Its ` + "`open_file_cache`" + ` is as large as the limit of open
  files allows (20,000 on this machine). Our side runs as in production, with metrics, program
  log and express lane (a fast path ahead of Go's HTTP server). Processor time is the user and
  system time of the server's processes (from /proc), divided by the number of answers.
- **Connections**: one figure is requested in four ways. Both servers have the same P-256
  certificate and send the same headers.
  - Over TLS on open connections. The client is wrk.
  - Over TLS on a new connection each time, with a complete TLS 1.3 handshake. The client is our
    own, and uses no session tickets.
  - Without TLS on a new connection each time. The client is wrk, with ` + "`Connection: close`" + `.
  - Over HTTP/2 with one stream per connection. The client is h2load.
- **Rows near their target vary** from run to run, because this machine's processors are shared.
- **Processors differ**. On 16 November 2026 the program of commit 820ef66 was measured on another
  processor, an Intel Xeon at 2.50 GHz. The table has the ratios to nginx of that program on both
  processors, and those of the present program on this machine.

  | work | 820ef66, other processor | 820ef66, this machine | now, this machine |
  |---|---:|---:|---:|
  | hot figure | 1.36 | 1.21 | 1.23 |
  | hot list of tokens | 1.49 | 1.19 | 1.13 |
  | 304 for a figure | 1.24 | 1.00 | 1.01 |
  | 304 for a token document | 1.14 | 0.91 | 1.02 |
  | 304 for the list of tokens | 1.11 | 0.87 | 0.89 |
  | figure over TLS, open connections | 1.87 | 1.17 | 1.26 |
  | figure over TLS, new connection each time | 0.99 | 1.00 | 1.00 |
  | figure without TLS, new connection each time | 0.83 | 0.62 | 0.67 |
  | figure over HTTP/2 | 0.30 | 0.23 | 0.24 |
  | hot metadata | 1.31 | 1.29 | 1.02 |

  Hot metadata became slower because documents are now written from the description of a collection.
  At 820ef66, code for one contract wrote them. On this machine, 820ef66 starts in 107 ms and needs
  49.4 MB when idle. Both values grew because the demo now has chains in memory, which the service
  measures, and a past in its store.
- **p99** is the time that 99 % of the answers do not exceed. For hot answers it is measured at
  10,000 requests a second over 64 connections, which both sides handle easily. A request may be due
  while its connection is still busy. Its time then counts from when it was due, so a stall counts
  in full. A p99 row is left out of the table if its spread is above 25 %.
- **Misbehaving clients**: the benchmark ` + "`disturbed`" + ` compares the p99 of hot answers with and
  without them. They run in a separate program, with a lower priority than the service and the
  clients that are timed.
- **Metadata**: 100,000 pets are imported into PostgreSQL, and wrk requests them in turn. For cold
  metadata, each pet is requested once, from a service that was just started. The peer of cold
  metadata is pgbench, which selects as many rows from the same PostgreSQL with prepared statements.
- **Pictures**: the peer sharp is an image library for Node.js. It gets the same layers as our side,
  decoded in memory. It composes them, scales them by nearest neighbour and encodes them, with a
  palette like ours. Pre-drawing means to draw pictures before they are requested.
- **Chains** are anvil nodes on the same machine. A proxy counts the round trips.
- **Refresh** is one measurement of all figures, from a number of ledger entries. The peer "bare
  multicall" does the least work that gives figures at a known block. With go-ethereum's client, it
  reads the newest block of all chains at once and sends prepared calldata for these blocks. It
  checks and decodes nothing. Our side also chooses the blocks, reads by hash, checks chain and
  block, decodes, adds up, makes the evidence and judges the result. The peer ethers is a library
  for JavaScript, with which programs usually read one entry after the other.
- **First reading** of pets: our side reads all pets of a contract and writes them to the store. The
  peer "bare multicalls" makes the same calls and discards the answers.
- **Look-ups, histories and past states** read from the store. The peer of a look-up is the same
  look-up among 10,000 pets. 525,600 snapshots are a year with one a minute.
`

// document returns docs/BENCHMARKS.md.
func document(rows []row, machine string, now time.Time) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	fmt.Fprintf(&b, "Machine: %s.\n\nLast run: %s, at these commits: %s.\n\n", machine, now.UTC().Format("2006-01-02 15:04 MST"),
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
		line := fmt.Sprintf("[%d]", i+1)
		for _, word := range strings.Fields(n) {
			if utf8.RuneCountInString(line+word) > 99 {
				b.WriteString(line + "\n")
				line = word
				continue
			}
			line += " " + word
		}
		b.WriteString(line + "\n\n")
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
