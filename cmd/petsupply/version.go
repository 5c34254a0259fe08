package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release; the Makefile of a release sets it.
var version = "dev"

type versionCmd struct{}

func (versionCmd) Run(p *program) error {
	fmt.Fprintf(p.stdout, "petsupply %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// versionText is the release, or for a build from a checkout its commit.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if version != "dev" || !ok {
		return version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return version + "-" + s.Value[:12]
		}
	}
	return version
}
