package anvil

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system kill the node when this process is gone, however
// it went.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
