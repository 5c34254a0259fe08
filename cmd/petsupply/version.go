package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// The release, its commit and its time; who builds one sets them with -ldflags
// "-X main.version=… -X main.commit=… -X main.date=…". For a build from a
// checkout the compiler has noted the last two.
var (
	version = "dev"
	commit  = ""
	date    = ""
)

type versionCmd struct{}

// Run says what was built from what and when, so that a report can name it.
func (versionCmd) Run(p *program) error {
	noted := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			noted[s.Key] = s.Value
		}
	}
	fmt.Fprintf(p.stdout, "petsupply %s\ncommit %s\ndate %s\n%s %s/%s\n", versionText(),
		cmp.Or(commit, noted["vcs.revision"], "unknown"), cmp.Or(date, noted["vcs.time"], "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// versionText is the release, or for a build from a checkout its commit, and
// whether files were changed since.
func versionText() string {
	text := version
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" {
		for _, s := range info.Settings { // the revision comes before modified
			if s.Key == "vcs.revision" {
				text += fmt.Sprintf("-%.12s", s.Value)
			}
			if s.Key == "vcs.modified" && s.Value == "true" {
				text += "-modified"
			}
		}
	}
	return text
}
