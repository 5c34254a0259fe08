package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release; who builds one sets it with -ldflags "-X main.version=…".
var version = "dev"

type versionCmd struct{}

func (versionCmd) Run(p *program) error {
	fmt.Fprintf(p.stdout, "petsupply %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
