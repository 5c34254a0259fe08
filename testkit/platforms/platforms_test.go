// Package platforms has the test that the program compiles for everyone.
package platforms

import (
	"os"
	"os/exec"
	"testing"

	"petsupply/testkit/process"
)

// The program compiles for all three systems on both processors.
func TestProgramCompilesForEveryPlatform(t *testing.T) {
	process.SkipShort(t)
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			t.Run(system+"/"+processor, func(t *testing.T) {
				cmd := exec.CommandContext(t.Context(), "go", "build", "-o", os.DevNull, "petsupply/cmd/petsupply")
				cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
