//go:build soak

package web

import (
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// knownFaults are the cases in which Go's own server fails h2spec. It accepts larger frames than
// allowed, refuses a second window in one frame, and answers when it should reset. The last two
// happen if the answer is faster than the body.
var knownFaults = []string{
	"Sends a large size HEADERS frame that exceeds the SETTINGS_MAX_FRAME_SIZE",
	"Sends multiple values of SETTINGS_INITIAL_WINDOW_SIZE",
	"Sends a HEADERS frame that contains the connection-specific header field",
	`Sends a HEADERS frame that contains the TE header field with any value other than "trailers"`,
	`Sends a HEADERS frame with the "content-length" header field which does not equal the DATA frame payload length`,
	`Sends a HEADERS frame with the "content-length" header field which does not equal the sum of the multiple ` +
		`DATA frames payload length`,
}

// TestHTTP2Specification runs h2spec on a server with the lane, and on net/http alone.
func TestHTTP2Specification(t *testing.T) {
	alone, laned := secureSockets(t, newKit(t, oneHost()))
	var all sync.WaitGroup
	for _, address := range []string{alone, laned} {
		all.Go(func() {
			for _, fault := range specFaults(t, address) {
				if !slices.Contains(knownFaults, fault) {
					t.Errorf("it fails where %s", fault)
				}
			}
		})
	}
	all.Wait()
}

var specFault = regexp.MustCompile(`× \d+: (.*)`)

// specFaults lists the cases of h2spec that a server fails.
func specFaults(t *testing.T, address string) []string {
	program, err := filepath.Abs("../../.tools/bin/h2spec")
	if err != nil {
		t.Error(err)
		return nil
	}
	host, port, _ := net.SplitHostPort(address)
	// fails if a case fails
	spec := exec.Command(program, "-t", "-k", "-h", host, "-p", port, "-P", "/supply/jewel/totalsupply")
	out, _ := spec.CombinedOutput()
	_, failures, _ := strings.Cut(string(out), "Failures:")
	if !strings.Contains(string(out), "145 tests") {
		t.Errorf("h2spec did not finish: %s", out)
	}
	var list []string
	for _, match := range specFault.FindAllStringSubmatch(failures, -1) {
		list = append(list, match[1])
	}
	return list
}
