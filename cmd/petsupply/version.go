package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// The release, its commit and its date. A release build sets them with -ldflags
// "-X main.version=… -X main.commit=… -X main.date=…". In other builds commit and date come from the
// build information.
var (
	version = "dev"
	commit  = ""
	date    = ""
)

type versionCmd struct{}

// Run prints the version and the build, for bug reports.
func (versionCmd) Run(p *program) error {
	built := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			built[s.Key] = s.Value
		}
	}
	fmt.Fprintf(p.stdout, "petsupply %s\ncommit %s\ndate %s\n%s %s/%s\n", versionText(),
		cmp.Or(commit, built["vcs.revision"], "unknown"), cmp.Or(date, built["vcs.time"], "unknown"),
		runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// versionText returns the release or, for a build from a checkout, the version that Go derived from
// the commit.
func versionText() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "dev" {
		return info.Main.Version
	}
	return version
}
