package postgres

import "syscall"

// diesWithParent has the system end the server when this process is gone,
// however it went.
func diesWithParent() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
}
