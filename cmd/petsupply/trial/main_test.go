package trial

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/postgres"
)

// rounds is how many random faults there are in make soak.
const rounds = 100

func TestMain(m *testing.M) {
	code := postgres.Main(m)
	os.RemoveAll(programDir)
	endWorld()
	os.Exit(code)
}

// tokens are the tokens of the kingdom.
var tokens = []string{"jewel", "crystal", "jade"}

// figure is the form of every published figure.
var figure = regexp.MustCompile(`^\d+(\.\d+)?$`)

// patience is how long a test waits if nothing else limits the time, because machines may be busy.
const patience = 3 * time.Minute

// within waits for a condition, and fails the test if it takes too long. It returns how long it
// took.
func within(t testing.TB, limit time.Duration, what string, ok func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > limit {
			t.Fatalf("waited %v for %s", limit, what)
		}
		time.Sleep(50 * time.Millisecond) // each attempt takes CPU time from the services
	}
	return time.Since(began)
}

// clipped returns the beginning of a text.
func clipped(b []byte) string {
	if len(b) > 200 {
		return string(b[:200]) + "…"
	}
	return string(b)
}

// metrics returns the metrics of an instance.
func metrics(t testing.TB, p *instance) string {
	t.Helper()
	status, _, body, err := get(t.Context(), probing, "http://"+p.ops+"/metrics")
	if err != nil || status != 200 {
		t.Fatalf("metrics: %d %v", status, err)
	}
	return string(body)
}

// grep returns the lines of a text that contain a word.
func grep(text, word string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, word) {
			out.WriteString(line)
		}
	}
	return out.String()
}
