package main

import (
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var exampleInHelp = regexp.MustCompile(`(?m)^Example:\n\n +(petsupply .*)$`)

// leaves returns the path of every command below a node that can be called.
func leaves(n *kong.Node) (list []string) {
	for _, child := range n.Children {
		list = append(list, leaves(child)...)
	}
	if len(n.Children) == 0 && n.Type == kong.CommandNode {
		list = append(list, strings.TrimPrefix(n.FullPath(), "petsupply "))
	}
	return list
}

// TestCommands: these commands exist, and no others.
func TestCommands(t *testing.T) {
	p := &program{getenv: func(string) string { return "" }}
	k, err := newParser(t.Context(), p, io.Discard, io.Discard, func(int) {})
	must(t, err)
	have := leaves(k.Model.Node)
	have = slices.DeleteFunc(have, func(name string) bool { return name == "help" })
	want := slices.Sorted(maps.Keys(calls))
	slices.Sort(have)
	if !slices.Equal(have, want) {
		t.Errorf("the commands are\n%q, want\n%q", have, want)
	}
}

// exampleOf returns the words of the example in the help of a command, which must be a valid call.
func exampleOf(t *testing.T, name string) []string {
	t.Helper()
	code, help, _ := call(t, append(strings.Fields(name), "--help")...)
	found := exampleInHelp.FindStringSubmatch(help)
	if code != exitOK || found == nil {
		t.Fatalf("exit %d, without an example:\n%s", code, help)
	}
	words := quoted.FindAllString(strings.Split(found[1], " > ")[0], -1)[1:]
	for i, word := range words {
		words[i] = strings.Trim(word, `"`)
	}
	if why := wrongCall(t, words); why != "" {
		t.Errorf("%s: %s", found[1], why)
	}
	return words
}

// TestExamplesInHelp reads the example in the help of each command, and runs those that need neither
// a chain nor a receiver nor a minute. (The demo's nodes prove nothing to verify.) What they read is the demo.
func TestExamplesInHelp(t *testing.T) {
	for name := range calls {
		t.Run(name, func(t *testing.T) { exampleOf(t, name) })
	}
	demo := start(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"config schema", "check", "measure", "audit", "pack new",
		"pack lint", "pack sheet", "version"} {
		t.Run("run "+name, func(t *testing.T) {
			words := exampleOf(t, name)
			for i, word := range words {
				words[i] = strings.Replace(word, "http://localhost:8080", demo.site, 1)
			}
			if code, out, errs := call(t, words...); code != exitOK {
				t.Errorf("petsupply %s: exit %d\n%s%s", strings.Join(words, " "), code, out, errs)
			}
		})
	}
}
