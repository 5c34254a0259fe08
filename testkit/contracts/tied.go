package contracts

import (
	"os/exec"
	"runtime"
)

// Launch starts a process that dies with this one, however this one dies (where
// the system can do that: Linux). The channel gets what cmd.Wait returned, once,
// and is closed.
func Launch(cmd *exec.Cmd) (<-chan error, error) {
	tie(cmd)
	started, ended := make(chan error), make(chan error, 1)
	go func() {
		// The child's life hangs on the thread that started it, so that
		// thread is kept for it alone.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ended <- cmd.Wait()
		}
		close(ended)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return ended, nil
}
