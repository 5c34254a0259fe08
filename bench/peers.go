package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// install puts the peers in place that are missing: programs from Debian,
// packages from npm as bench/package-lock.json names them.
func (y *yard) install(ctx context.Context) error {
	// Debian keeps servers where only root's PATH leads.
	if err := os.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin"); err != nil {
		return err
	}
	var missing []string
	for program, pkg := range map[string]string{"nginx": "nginx", "wrk": "wrk", "npm": "npm", "node": "nodejs"} {
		if _, err := exec.LookPath(program); err != nil {
			missing = append(missing, pkg)
		}
	}
	for _, program := range []string{"postgres", "pgbench"} {
		if _, err := pgProgram(program); err != nil {
			missing = append(missing, "postgresql", "postgresql-contrib")
			break
		}
	}
	if len(missing) > 0 {
		y.say("installing %s", strings.Join(missing, ", "))
		if err := apt(ctx, "update", "-qq"); err != nil {
			return err
		}
		if err := apt(ctx, append([]string{"install", "-y", "-qq", "--no-install-recommends"}, missing...)...); err != nil {
			return err
		}
	}
	return y.installNode(ctx)
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

func (y *yard) installNode(ctx context.Context) error {
	dir := filepath.Join(y.root, "bench")
	// npm writes this file last, so a half-made tree is made again.
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil {
		return nil
	}
	y.say("installing sharp and ethers")
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci in %s: %w: %s", dir, err, out)
	}
	return nil
}

// pgProgram finds one of PostgreSQL's programs, which Debian keeps out of PATH.
func pgProgram(name string) (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return found[len(found)-1], nil
	}
	return exec.LookPath(name)
}
