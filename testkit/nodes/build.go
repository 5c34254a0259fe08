package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// These are the sources of the clients. All clients use cgo.
const (
	gethModule      = "github.com/ethereum/go-ethereum/cmd/geth@v1.17.7"
	subnetEVMModule = "github.com/ava-labs/subnet-evm@v0.7.9"
	kaiaModule      = "github.com/kaiachain/kaia@v1.0.3"

	avalanchegoModule  = "github.com/ava-labs/avalanchego"
	avalanchegoVersion = "v1.13.5"

	// subnetVM is the id by which avalanchego finds subnet-evm among its plugins.
	subnetVM = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"
)

// A builder makes a program from a module.
type builder struct{ bin, src string }

func (s *settings) builder() builder {
	return builder{s.bin, filepath.Join(filepath.Dir(s.bin), "src")}
}

// has reports whether a program exists already.
func (b builder) has(name string) bool {
	_, err := os.Stat(filepath.Join(b.bin, name))
	return err == nil
}

func (b builder) geth(ctx context.Context) error {
	if b.has("geth") {
		return nil
	}
	return b.run(ctx, os.TempDir(), nil, "go", "install", gethModule)
}

func (b builder) kaia(ctx context.Context) error {
	if b.has("kcn") && b.has("homi") {
		return nil
	}
	dir, err := b.copyModule(ctx, kaiaModule, "kaia")
	if err != nil {
		return err
	}
	if err := b.run(ctx, dir, nil, "go", "mod", "edit", "-require", "github.com/supranational/blst@v0.3.16"); err != nil {
		return err
	}
	return b.run(ctx, dir, []string{"GOFLAGS=-mod=mod"}, "go", "build", "-ldflags=-checklinkname=0", "-o", b.bin+"/",
		"./cmd/homi", "./cmd/kcn")
}

func (b builder) avalanchego(ctx context.Context) error {
	if b.has("avalanchego") {
		return nil
	}
	// avalanchego is compiled in the module cache, not in a copy. The program subnet-create, which is
	// built later, imports the same packages, and need not compile them again.
	if err := b.run(ctx, os.TempDir(), nil, "go", "install", avalanchegoModule+"/main@"+avalanchegoVersion); err != nil {
		return err
	}
	return os.Rename(filepath.Join(b.bin, "main"), filepath.Join(b.bin, "avalanchego"))
}

// subnetEVM makes the plugin, and the program that creates a subnet with it.
func (b builder) subnetEVM(ctx context.Context) error {
	if err := b.avalanchego(ctx); err != nil {
		return err
	}
	if !b.has("plugins/" + subnetVM) {
		dir, err := b.copyModule(ctx, subnetEVMModule, "subnet-evm")
		if err != nil {
			return err
		}
		// A container may not allow as many open files as the plugin asks for by default.
		if err := b.run(ctx, dir, nil, "sed", "-i", "s/ulimit.DefaultFDLimit/16384/", "plugin/runner/runner.go"); err != nil {
			return err
		}
		if err := b.run(ctx, dir, nil, "go", "build", "-o", filepath.Join(b.bin, "plugins", subnetVM),
			"./plugin"); err != nil {
			return err
		}
	}
	if b.has("subnet-create") {
		return nil
	}
	return b.subnetCreate(ctx)
}

// subnetCreate builds the program subnet-create in its own module, because it needs avalanchego.
func (b builder) subnetCreate(ctx context.Context) error {
	dir := filepath.Join(b.src, "subnet-create")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	module := fmt.Sprintf("module subnetcreate\n\ngo 1.24\n\nrequire %s %s\n", avalanchegoModule, avalanchegoVersion)
	for name, text := range map[string]string{"go.mod": module, "main.go": subnetCreate} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return b.run(ctx, dir, []string{"GOFLAGS=-mod=mod"}, "go", "build", "-o", filepath.Join(b.bin, "subnet-create"), ".")
}

// copyModule copies a module's source to a writable directory, once.
func (b builder) copyModule(ctx context.Context, module, name string) (string, error) {
	to := filepath.Join(b.src, name)
	if _, err := os.Stat(filepath.Join(to, "go.mod")); err == nil {
		return to, nil
	}
	get := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	get.Dir = os.TempDir()
	out, err := get.Output()
	if err != nil {
		return "", fmt.Errorf("downloading %s: %w\n%s", module, err, out)
	}
	var found struct{ Dir string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", err
	}
	if err := os.CopyFS(to, os.DirFS(found.Dir)); err != nil {
		return "", fmt.Errorf("copying %s: %w", module, err)
	}
	return to, b.run(ctx, to, nil, "chmod", "-R", "u+w", ".")
}

func (b builder) run(ctx context.Context, dir string, env []string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=", "GOBIN="+b.bin), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", name, args, err, out[max(0, len(out)-4000):])
	}
	return nil
}
