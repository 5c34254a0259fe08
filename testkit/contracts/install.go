package contracts

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

// Install returns this directory as it lies on disk, with the compiler and the
// node in its node_modules: where they are missing it has npm put them there,
// once however many processes ask. The directory is looked for from the working
// directory upwards, so tests and go run find it.
func Install(ctx context.Context) (string, error) {
	dir, err := locate()
	if err != nil {
		return "", err
	}
	lock, err := os.Open(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return "", fmt.Errorf("installing node modules: %w", err)
	}
	defer lock.Close()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", fmt.Errorf("installing node modules: waiting for %s: %w", lock.Name(), err)
	}
	// npm writes this file last, so a half-made tree is made again.
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil {
		return dir, nil
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("installing node modules: npm ci in %s: %w\n%s", dir, err, out)
	}
	return dir, nil
}

func locate() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		for _, dir := range []string{at, filepath.Join(at, "testkit", "contracts")} {
			if _, err := os.Stat(filepath.Join(dir, "compile.mjs")); err == nil {
				return dir, nil
			}
		}
		up := filepath.Dir(at)
		if up == at {
			return "", errors.New("looking for testkit/contracts/compile.mjs: not in this directory nor above it; run this inside the source tree")
		}
		at = up
	}
}
