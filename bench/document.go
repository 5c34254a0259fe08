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

This page is for people who choose machines for petsupply, or make it faster. Each row compares the
service with a peer: another program that does the same work, the service in a smaller case, or a
limit that we set ("our limit"). Both run in turns on the same machine. *Hot* means that an answer
is ready in memory, and *cold* that it must be made. "ours" and "peer's" are medians of all rounds.
"ratio" is how many times better the service is, as the median of the ratios of all rounds. "spread"
is half the distance between the lowest and the highest ratio, as a percentage of the median.
"target" is the ratio that we aim for. A number in brackets refers to a note. Every round checks the
status and size of each answer.

` + "`make bench`" + ` runs the benchmarks, installs missing peers and writes this page.
` + "`make bench NAME=…`" + ` runs those whose names begin with NAME.

`

const closing = `
## How it is measured

- **Hot answers**: wrk sends requests with 2 threads over 64 connections. nginx serves our bodies as
  files, with the same headers, ` + "`gzip_static`" + ` and no access log. Processor time is that of the
  server's processes, divided by the number of answers.
- **p99** is the time that 99 % of the answers do not exceed, at 10,000 requests a second.
- **Cold metadata**: 100,000 pets, each requested once. pgbench selects the same rows.
- **Pictures**: sharp composes, scales and encodes the same layers, which it has decoded before.
- **Chains** are anvil nodes on this machine. "bare multicall" makes the same calls and drops the
  answers. ethers reads one entry after the other.

## 100 million pets, a billion requests a day

This estimate multiplies costs that were measured in November 2026. A billion requests a day are
11,600 a second on average and 35,000 in busy hours. Of 100, 35 are for metadata, 35 for pictures,
25 for figures, and 5 for listings and pages. All pets are requested equally often, so caches do not
help. One request in ten opens a TLS connection. The service then needs 89 hours of processor time a
day: 3.7 processors on average and 11 in busy hours. These machines are enough:

- four instances with four processors and 1 GB of memory each, so that one may fail
- one PostgreSQL with eight processors, 32 GB of memory and 200 GB of disk (650 to 800 bytes a pet,
  250 bytes for each change of a pet)
- a link of 1 Gbit/s, and providers that each send up to 35 GB a day, as all pets are read again
  within a week

No cost was found that grows faster than the number of pets. ` + "`make scale`" + ` compares PostgreSQL with 1
million and with 20 million pets: a look-up took 0.62 and 0.97 ms, a page of a listing 9.1 and 12.3
ms, a page of pets with four traits 476 and 507 ms, and writing 6,000 changed pets 6.4 and 7.0 s.
`

// document returns docs/BENCHMARKS.md.
func document(rows []row, machine string, now time.Time) []byte {
	var b bytes.Buffer
	b.WriteString(opening)
	fmt.Fprintf(&b, "Machine: %s.\n\nLast run: %s, at these commits: %s. All figures are from this run, even\nif "+
		"the program has changed since.\n\n", machine, now.UTC().Format("2006-01-02 15:04 MST"),
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
