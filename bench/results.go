package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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
	Machine   string  `json:"machine"`   // processors, memory, system
	Benchmark string  `json:"benchmark"` // its name in make bench NAME=…
	Against   string  `json:"against"`
	Note      string  `json:"note,omitempty"`
}

func (r row) verdict() string {
	if r.Ratio >= r.Reach {
		return "reached"
	}
	return fmt.Sprintf("**short by %.0f %%**", math.Ceil(100*(1-r.Ratio/r.Reach)))
}

func (r row) String() string {
	return fmt.Sprintf("%s: %s against %s (%s), %s; ratio %s ± %.0f %%, reach %s: %s", r.Name, figure(r.Ours),
		figure(r.Peer), r.Against, r.Unit, figure(r.Ratio), 100*r.Spread, figure(r.Reach), strings.Trim(r.verdict(), "*"))
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

// write puts a row into the results of earlier runs, and writes the document.
func (h *harness) write(r row) error {
	file := filepath.Join(h.root, "bench", "results.json")
	var all []row
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading the results so far: %w", err)
	}
	all = merge(all, r)
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
	document := filepath.Join(h.root, "docs", "BENCHMARKS.md")
	page, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	page, err = withTable(page, table(all))
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	return os.WriteFile(document, page, 0o644)
}

// merge replaces the row of a benchmark, and drops those of unknown benchmarks. It sorts the rows in
// the order of the variable benchmarks.
func merge(old []row, r row) []row {
	all := []row{r}
	for _, o := range old {
		if o.Benchmark != r.Benchmark && place(o.Benchmark) >= 0 {
			all = append(all, o)
		}
	}
	slices.SortFunc(all, func(a, b row) int { return place(a.Benchmark) - place(b.Benchmark) })
	return all
}

func place(name string) int {
	return slices.IndexFunc(benchmarks, func(b benchmark) bool { return b.name == name })
}

const (
	tableBegins = "<!-- results: begin -->\n"
	tableEnds   = "<!-- results: end -->"
)

// withTable returns the page with this table between its marks.
func withTable(page []byte, table string) ([]byte, error) {
	before, rest, found := strings.Cut(string(page), tableBegins)
	_, after, closed := strings.Cut(rest, tableEnds)
	if !found || !closed {
		return nil, errors.New("there are no marks for the results")
	}
	return []byte(before + tableBegins + table + tableEnds + after), nil
}

// table returns the machines, the commits, the results and their notes.
func table(rows []row) string {
	var b strings.Builder
	wrapped(&b, "Machine: "+strings.Join(distinct(rows, func(r row) string { return r.Machine }), "; ")+". Commit: "+
		strings.Join(distinct(rows, func(r row) string { return r.Commit }), ", ")+".")
	b.WriteString("| work | unit | ours | peer's | peer | ratio | spread | target | result | name " +
		"|\n|---|---|---:|---:|---|---:|---:|---:|---|---|\n")
	var notes []string
	for _, r := range rows {
		mark := ""
		if r.Note != "" {
			notes = append(notes, r.Note)
			mark = fmt.Sprintf(" [%d]", len(notes))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s× | ±%.0f %% | %s× | %s%s | %s |\n", r.Name, r.Unit, figure(r.Ours),
			figure(r.Peer), r.Against, figure(r.Ratio), 100*r.Spread, figure(r.Reach), r.verdict(), mark, r.Benchmark)
	}
	b.WriteString("\n")
	for i, n := range notes {
		wrapped(&b, fmt.Sprintf("[%d] %s", i+1, n))
	}
	return b.String()
}

func distinct(rows []row, of func(row) string) (list []string) {
	for _, r := range rows {
		if text := of(r); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// wrapped writes a paragraph in lines of at most 100 characters.
func wrapped(b *strings.Builder, text string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line+" "+word) > 100 {
			b.WriteString(line + "\n")
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	b.WriteString(line + "\n\n")
}

// machine describes this machine.
func machine() string {
	parts := []string{fmt.Sprintf("%d processors", runtime.NumCPU())}
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		_, rest, _ := strings.Cut(string(text), "model name")
		name, _, _ := strings.Cut(rest, "\n")
		parts = append(parts, strings.Trim(name, " :\t"))
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
	return strings.Join(append(parts, runtime.Version(), time.Now().UTC().Format("2006-01-02")), ", ")
}
