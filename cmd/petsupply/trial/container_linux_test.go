package trial

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"petsupply/testkit/check"
)

// instruction returns the last instruction of a kind in the Dockerfile, as words.
func instruction(t *testing.T, kind string) (words []string) {
	t.Helper()
	all := regexp.MustCompile(`(?m)^`+kind+` +(?:.*CMD )?(.+)$`).FindAllStringSubmatch(text(t, "Dockerfile"), -1)
	if len(all) == 0 {
		t.Fatalf("the Dockerfile has no %s", kind)
	}
	last := all[len(all)-1][1]
	if json.Unmarshal([]byte(last), &words) != nil {
		words = strings.Fields(last)
	}
	return words
}

// TestContainerStart does what the docker run lines of the Dockerfile say, without Docker: only the
// image's files, its user, a read-only root, and the same arguments.
func TestContainerStart(t *testing.T) {
	if got := instruction(t, "USER"); !slices.Equal(got, []string{"65532:65532"}) {
		t.Fatalf("USER %v", got)
	}
	line := regexp.MustCompile(`(?m)^# +docker run (.*) petsupply( .*)?$`)
	runs := line.FindAllStringSubmatch(text(t, "Dockerfile"), -1)
	if len(runs) != 2 {
		t.Fatalf("the Dockerfile shows %d docker run lines", len(runs))
	}
	for _, line := range runs {
		t.Run(strings.Join(strings.Fields(line[2]+" ends"), "_"), func(t *testing.T) {
			if !strings.Contains(line[1], "--read-only") || !strings.Contains(line[1], "-p 8080:8080") {
				t.Errorf("docker run %s", line[1])
			}
			args := strings.Fields(line[2])
			if len(args) == 0 {
				args = instruction(t, "CMD")
			}
			root := newImage(t, strings.Contains(line[1], ":/etc/petsupply/petsupply.yaml:ro"))
			listen := port(t)
			ops := port(t)
			if i := slices.Index(args, ":8080"); i >= 0 {
				args[i] = listen // the address behind -p
			}
			env := []string{"PETSUPPLY_LISTEN=" + listen, "PETSUPPLY_OPS=" + ops}
			service := inImage(t, root, env, append(instruction(t, "ENTRYPOINT"), args...)...)
			check.Await(t, "the healthcheck", func() bool {
				if service.ProcessState != nil {
					t.Fatal("the service ended")
				}
				return inImage(t, root, nil, append(instruction(t, "HEALTHCHECK"), "http://"+ops)...).Wait() == nil
			})
			res, err := http.Get("http://" + listen + "/supply/")
			if err != nil || res.StatusCode != http.StatusOK {
				t.Errorf("/supply/ of the container: %v %v", res, err)
			}
		})
	}
}

// newImage lays out the files of the image: the binary, and a directory for data.
func newImage(t *testing.T, configured bool) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"data", "etc/petsupply"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.ReadFile(binary(t))
	if err == nil {
		err = os.WriteFile(filepath.Join(root, "petsupply"), program, 0o555)
	}
	if err == nil && configured {
		const declared = "tokens: [{path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: " +
			"1000}]}]\n"
		err = os.WriteFile(filepath.Join(root, "etc/petsupply/petsupply.yaml"), []byte(declared), 0o444)
	}
	if err == nil && os.Getuid() == 0 {
		err = os.Chown(filepath.Join(root, "data"), 65532, 65532)
	}
	for _, dir := range []string{"etc/petsupply", "etc", "."} {
		if err == nil {
			err = os.Chmod(filepath.Join(root, dir), 0o555)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(root, 0o755) })
	for dir := filepath.Dir(root); dir != "/" && os.Getuid() == 0; dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755) // so that another user can enter the test's own directories
		if filepath.Dir(dir) == os.TempDir() {
			break
		}
	}
	return root
}

// inImage starts a program with the image as its root, as the image's user. It
// ends with the test.
func inImage(t *testing.T, root string, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = "/"
	cmd.Env = env
	out := &strings.Builder{}
	cmd.Stdout = out
	cmd.Stderr = out
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: 65532, Gid: 65532}
	} else {
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 65532, HostID: os.Getuid(), Size: 1}}
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(fmt.Errorf("starting %v: %w", args, err))
	}
	t.Cleanup(func() {
		if cmd.ProcessState == nil {
			cmd.Process.Signal(syscall.SIGTERM)
			cmd.Wait()
		}
		if t.Failed() {
			t.Logf("%v: %v\n%s", args, cmd.ProcessState, out)
		}
	})
	return cmd
}
