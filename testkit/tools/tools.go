// Package tools finds, builds and installs the programs that tests need, each once however many
// processes ask. Program builds petsupply, Go installs a tool written in Go, and NPM installs the
// packages of a directory.
package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Root returns the top of the source tree. It searches from the working directory upwards, so that
// tests and go run find it.
func Root() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "testkit", "contracts", "compile.mjs")); err == nil {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("looking for testkit/contracts/compile.mjs: not in this directory nor above it; run this " +
				"inside the source tree")
		}
		at = up
	}
}

// Program builds petsupply into a file, as it is shipped. version is the version that it prints;
// extra are further arguments of go build.
func Program(ctx context.Context, file, version string, extra ...string) error {
	root, err := Root()
	if err != nil {
		return err
	}
	args := append([]string{"build", "-trimpath", "-ldflags", "-s -w -X main.version=" + version, "-o", file}, extra...)
	build := exec.CommandContext(ctx, "go", append(args, "./cmd/petsupply")...)
	build.Dir, build.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building petsupply: %w\n%s", err, out)
	}
	return nil
}

// Go returns a program written in Go, and installs it into .tools/bin on first use. module includes
// its version.
func Go(ctx context.Context, name, module string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	bin := filepath.Join(root, ".tools", "bin")
	program := filepath.Join(bin, name)
	return program, once(filepath.Join(root, "go.mod"), program, func() error {
		cmd := exec.CommandContext(ctx, "go", "install", module)
		cmd.Dir = os.TempDir()
		cmd.Env = append(os.Environ(), "GOBIN="+bin, "GOFLAGS=-mod=mod")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("installing %s: %w\n%s", module, err, out)
		}
		return nil
	})
}

// NPM installs the packages in the package-lock.json of a directory, which is relative to Root, and
// returns the directory.
func NPM(ctx context.Context, dir string) (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(root, dir)
	// npm writes this file last, so an incomplete installation is done again.
	made := filepath.Join(dir, "node_modules", ".package-lock.json")
	return dir, once(filepath.Join(dir, "package-lock.json"), made, func() error {
		cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("installing node modules: npm ci in %s: %w\n%s", dir, err, out)
		}
		return nil
	})
}

// once calls install unless made exists. It holds a lock on a file, so that two processes never
// install at the same time.
func once(lock, made string, install func() error) error {
	l, err := os.Open(lock)
	if err != nil {
		return err
	}
	defer l.Close()
	if err := syscall.Flock(int(l.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("waiting for %s: %w", lock, err)
	}
	if _, err := os.Stat(made); err == nil {
		return nil
	}
	return install()
}
