package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"petsupply/internal/supply/audit"
)

// demoTime is the time of the demo's clock, unless a test sets another.
const demoTime = "2026-11-01T00:00:00Z"

// testGOGC replaces the program's own value of GOGC.
const testGOGC = 400

func TestMain(m *testing.M) {
	audit.Pauses = slices.Repeat([]time.Duration{time.Second}, 4) // no cache keeps answers of the services here
	if _, set := os.LookupEnv("PETSUPPLY_DEMO_TIME"); !set {
		os.Setenv("PETSUPPLY_DEMO_TIME", demoTime)
	}
	// Many services and programs run here. They take less time if garbage is collected less often.
	os.Setenv("GOGC", strconv.Itoa(testGOGC))
	debug.SetGCPercent(testGOGC)
	debug.SetMemoryLimit(16 << 30) // otherwise the first command would set its own
	testscript.Main(m, map[string]func(){
		"petsupply": func() {
			ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdin, os.Stdout, os.Stderr))
		},
	})
}
