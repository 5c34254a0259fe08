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

const opening = `# Measured side by side

Each row compares the service with a peer that did the same work in the same run on the same machine, in turns. The
ratio is turned so that more is better: of processor times, waits and bytes it is peer by ours. It is the median of the
rounds' own ratios; the spread is half the distance from the lowest to the highest of them. While a server was measured,
every answer was checked by its status and size, and a witness compared whole bodies.

Written by ` + "`make bench`" + `, which installs the peers that are missing, and for the largest sizes by ` + "`make bench NAME=large`" + `;
one row again with ` + "`make bench NAME=…`" + `, the name being the last column's. The same figures for programs are in ` + "`bench/results.json`" + `. Times on a shared machine vary; processor
time per request and the ratios vary less.

`

const closing = `
## How it is measured

- **Hot answers**: wrk, 2 threads, 64 connections, on loopback. nginx serves our own bodies as files, with the same
  headers (` + "`add_header`" + `), no access log, ` + "`gzip_static`" + `, an ` + "`open_file_cache`" + ` as large as the limit of open files
  allows (20,000 on this machine). Our side runs as it does in service: express lane,
  metrics and log on. Processor time is user and system time of the server's processes by /proc, divided by the answers.
- **Callers as they come**: one figure over TLS on kept connections (wrk), over a new connection each time, plain (wrk, Connection: close)
  and with a whole TLS 1.3 handshake (a client without session tickets), and over HTTP/2, one stream a connection (h2load). Both servers have
  the same P-256 certificate and send the same headers.
- **Rows near their reach go either way**: processors here are shared with strangers. In a whole run of 16 November 2026, at the commit b3477e2 and in slow
  minutes, two 304s were at 0.985 and 0.993, the refresh of 1,000 entries at 0.804 and idle memory at 55.3 MB.
- **p99** is measured at 10,000 requests a second over 64 connections, which both sides keep up with ease. A wait counts
  from when a request was due if its connection was still busy then, so that a stall is charged in full. A row whose rounds
  differ by more than a quarter is left out.
- **Strangers who misbehave** are a program of its own, which gives way to the service and to those who are timed.
- **Hundred thousand pets**: imported into PostgreSQL, asked for by wrk in turn. Cold: each pet once, from a service that was
  just started, beside pgbench's select-only run (prepared statements, as many rows) on the same PostgreSQL.
- **Pictures**: sharp gets the same layers decoded in memory, composes, scales by nearest neighbour and encodes, with a palette as ours has.
- **Chains**: anvil, a real node, on the same machine, behind a proxy that counts round trips where they are counted.
- **Refresh**: the bare multicall is the least that gives figures of a known block: by go-ethereum's client, all chains at
  once, ask for the newest block and send calldata that was packed beforehand there. It checks and decodes nothing. Our
  side pins, reads by hash, checks chain and block, decodes, adds up, makes the evidence and judges it.
`

// document is docs/BENCHMARKS.md.
func document(rows []row, machine string, now time.Time) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	fmt.Fprintf(&b, "Machine: %s. Last run: %s, commit %s.\n\n", machine, now.UTC().Format("2006-01-02 15:04 MST"), strings.Join(commits(rows), ", "))
	b.WriteString("| work | unit | ours | peer | | ratio | spread | reach | | name |\n|---|---|---:|---:|---|---:|---:|---:|---|---|\n")
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
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s× | ±%.0f %% | %s× | %s%s | %s |\n", r.Name, r.Unit, figure(r.Ours), figure(r.Peer), r.Against,
			figure(r.Ratio), 100*r.Spread, figure(r.Reach), r.verdict(), mark, r.Benchmark)
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

// machine says what this was measured on, in so far as it matters.
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
