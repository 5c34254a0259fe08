package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"

	"petsupply/testkit/postgres"
	"petsupply/testkit/tools"
)

// install installs missing peers: programs from Debian, and packages from npm according to
// bench/package-lock.json.
func (h *harness) install(ctx context.Context) error {
	// Debian puts servers into a directory that is only in root's PATH.
	if err := os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin"); err != nil {
		return err
	}
	var missing []string
	for program, pkg := range map[string]string{"nginx": "nginx", "wrk": "wrk", "h2load": "nghttp2-client", "npm": "npm",
		"node": "nodejs"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, pkg)
		}
	}
	for _, program := range []string{"postgres", "pgbench"} {
		if _, err := postgres.Program(program); err != nil {
			missing = append(missing, "postgresql", "postgresql-contrib")
			break
		}
	}
	if len(missing) > 0 {
		h.say("installing %s", strings.Join(missing, ", "))
		if err := apt(ctx, "update", "-qq"); err != nil {
			return err
		}
		if err := apt(ctx, append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...); err != nil {
			return err
		}
	}
	_, err := tools.NPM(ctx, "bench") // installs sharp and ethers
	return err
}

func apt(ctx context.Context, args ...string) error {
	args = append([]string{"apt-get"}, args...)
	if os.Geteuid() != 0 {
		args = append([]string{"sudo"}, args...)
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}
