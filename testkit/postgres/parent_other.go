//go:build unix && !linux

package postgres

import "syscall"

// diesWithParent does nothing where the system has no such promise; Main does it.
func diesWithParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{} }
