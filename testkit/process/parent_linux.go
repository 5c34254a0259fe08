package process

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes the system end the child when the thread that started it is gone, with the
// signal that cmd names, or with SIGKILL.
func dieWithParent(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	if cmd.SysProcAttr.Pdeathsig == 0 {
		cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	}
}
