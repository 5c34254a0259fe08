package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pages returns all documents, by their path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{"*.md", "docs/*.md", "testkit/*.md", "packs/*/*.md"} {
		files, err := filepath.Glob("../../" + pattern)
		must(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			must(t, err)
			all[strings.TrimPrefix(file, "../../")] = string(text)
		}
	}
	if len(all) < 10 {
		t.Fatalf("only %d pages", len(all))
	}
	return all
}

var (
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.+)$`)
	notAnchor = regexp.MustCompile("[^a-z0-9 _-]")
	fenced    = regexp.MustCompile("(?s)```[a-z]*\n(.*?)```")
	inline    = regexp.MustCompile("`(petsupply [^`\n]+|make [a-z]+)`")
	aComment  = regexp.MustCompile(`\s+#.*$`)
	quoted    = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	target    = regexp.MustCompile(`(?m)^([a-z]+):`)
)

// TestLinksInDocuments: every link between files leads to an existing file and heading.
func TestLinksInDocuments(t *testing.T) {
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") || strings.HasPrefix(to, "mailto:") {
				continue
			}
			file := filepath.Join("../..", filepath.Dir(page), to)
			if to == "" {
				file = filepath.Join("../..", page)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			} else if anchor != "" && !slices.Contains(anchors(t, file), anchor) {
				t.Errorf("%s links to %s, where there is no such heading", page, m[1])
			}
		}
	}
}

func anchors(t *testing.T, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must(t, err)
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		list = append(list, strings.ReplaceAll(notAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return list
}

// commandsIn returns the calls of petsupply and make on a page.
func commandsIn(text string) (list []string) {
	for _, block := range fenced.FindAllStringSubmatch(text, -1) {
		for line := range strings.Lines(strings.ReplaceAll(block[1], "\\\n", "")) {
			line = aComment.ReplaceAllString(strings.TrimSpace(line), "")
			for _, part := range regexp.MustCompile(` && | > `).Split(line, -1) {
				part = strings.Replace(part, "go run ./cmd/petsupply ", "petsupply ", 1)
				if strings.HasPrefix(part, "petsupply ") || strings.HasPrefix(part, "make ") {
					list = append(list, part)
				}
			}
		}
	}
	for _, m := range inline.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		list = append(list, m[1])
	}
	return list
}

// TestCommandsInDocuments: every command on a page exists, with its flags.
func TestCommandsInDocuments(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	must(t, err)
	var targets []string
	for _, m := range target.FindAllStringSubmatch(string(makefile), -1) {
		targets = append(targets, m[1])
	}
	seen := 0
	for page, text := range pages(t) {
		if page == "CHANGELOG.md" {
			continue // also names commands that no longer exist
		}
		for _, command := range commandsIn(text) {
			seen++
			words := quoted.FindAllString(command, -1)
			for i := range words {
				words[i] = strings.Replace(strings.Trim(words[i], `"'`), "DATE", "2024-01-31", 1)
			}
			if words[0] == "make" {
				if !slices.Contains(targets, words[1]) {
					t.Errorf("%s: %s: there is no such target", page, command)
				}
			} else if why := wrongCall(t, words[1:]); why != "" {
				t.Errorf("%s: %s: %s", page, command, why)
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d commands were seen", seen)
	}
}

// wrongCall returns why a call is wrong. In running text, a call may leave out required arguments.
func wrongCall(t *testing.T, args []string) string {
	t.Helper()
	p := &program{getenv: func(string) string { return "" }}
	k, err := newParser(t.Context(), p, io.Discard, io.Discard, func(int) {})
	must(t, err)
	_, err = k.Parse(spelledOut(args))
	if err != nil && !strings.HasPrefix(err.Error(), "expected ") && !strings.HasPrefix(err.Error(), "missing flags") {
		return err.Error()
	}
	return ""
}

// TestExitCodesInDocuments: the operators' page has one table with exactly the exit codes.
func TestExitCodesInDocuments(t *testing.T) {
	_, table, _ := strings.Cut(pages(t)["docs/OPERATIONS.md"], "| exit code |")
	table, _, _ = strings.Cut(table, "\n\n")
	var codes []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(table, -1) {
		codes = append(codes, m[1])
	}
	var want []string
	for _, code := range []int{exitOK, exitNo, exitUsage, exitUnreached, exitInterrupted} {
		want = append(want, strconv.Itoa(code))
	}
	if !slices.Equal(codes, want) {
		t.Errorf("the table has the exit codes %v, and the program %v", codes, want)
	}
}
