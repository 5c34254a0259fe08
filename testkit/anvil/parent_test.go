package anvil

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/process"
)

// TestMain makes this program its own child process for TestNodeDiesWithItsParent.
func TestMain(m *testing.M) {
	if os.Getenv("ANVIL_TEST_PARENT") == "" {
		os.Exit(m.Run())
	}
	n, err := Start(context.Background(), Options{})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(n.URL)
	select {}
}

func TestNodeDiesWithItsParent(t *testing.T) {
	process.SkipShort(t)
	parent := exec.CommandContext(t.Context(), os.Args[0])
	parent.Env = append(os.Environ(), "ANVIL_TEST_PARENT=1")
	out, err := parent.StdoutPipe()
	must(t, err)
	must(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	address, found := strings.CutPrefix(strings.TrimSpace(line), "http://")
	if !found {
		t.Fatalf("the child said %q", line)
	}
	must(t, parent.Process.Kill())
	parent.Wait()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return
		}
		conn.Close()
		if time.Now().After(deadline) {
			t.Fatalf("the node at %s outlived its parent", address)
		}
	}
}
