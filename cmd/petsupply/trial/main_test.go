package trial

import (
	"os"
	"regexp"
	"strings"
	"testing"

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
