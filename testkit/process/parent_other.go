//go:build !linux

package process

import "os/exec"

// dieWithParent does nothing where the system makes no such promise.
func dieWithParent(*exec.Cmd) {}
