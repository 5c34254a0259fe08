package probe

import (
	"fmt"
	"io"

	"petsupply/internal/config"
	"petsupply/internal/evm"
)

// An audit asks the chains whether a configuration is true of them.
type audit struct {
	cfg      *config.Config
	out      io.Writer
	chains   map[string]*evm.Chain
	blocks   map[string]evm.Block
	away     map[string]bool         // chain and provider that has been found faulty
	limits   map[string][]evm.Limits // by chain, of those that are not
	faults   int
	warnings int
}

func (a *audit) fault(format string, args ...any) {
	a.faults++
	fmt.Fprintf(a.out, "FAULT    "+format+"\n", args...)
}

func (a *audit) warn(format string, args ...any) {
	a.warnings++
	fmt.Fprintf(a.out, "warning  "+format+"\n", args...)
}
