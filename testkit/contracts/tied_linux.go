package contracts

import (
	"os/exec"
	"syscall"
)

// tie has the system kill the child when the thread that started it is gone.
func tie(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
}
