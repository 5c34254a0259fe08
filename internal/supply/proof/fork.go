package proof

import (
	"math/big"

	"github.com/ethereum/go-ethereum/params"
)

// A fork is a version of the EVM's rules, with Ethereum's name for it.
type fork int

const (
	london fork = iota
	shanghai
	cancun
	prague
	osaka
	amsterdam
)

func (f fork) String() string {
	return [...]string{"London", "Shanghai", "Cancun", "Prague", "Osaka", "Amsterdam"}[f]
}

// oldestFork returns the earliest fork whose headers have the fields of h.
func (h *header) oldestFork() fork {
	switch {
	case h.has("blockAccessListHash"):
		return amsterdam
	case h.has("requestsHash"):
		return prague
	case h.has("blobGasUsed"), h.has("randomReveal"):
		return cancun
	case h.has("withdrawalsRoot"):
		return shanghai
	}
	return london // older headers are not read
}

// newestFork returns the latest fork that may apply: Osaka, or Amsterdam if h has its fields.
func (h *header) newestFork() fork { return max(osaka, h.oldestFork()) }

// config returns the configuration of a chain that has been at f since its first block.
func (f fork) config(chainID uint64) *params.ChainConfig {
	c := *params.AllEthashProtocolChanges // up to London
	c.ChainID = new(big.Int).SetUint64(chainID)
	c.Ethash = nil
	c.TerminalTotalDifficulty = new(big.Int)
	for i, when := range []**uint64{&c.ShanghaiTime, &c.CancunTime, &c.PragueTime, &c.OsakaTime, &c.AmsterdamTime} {
		*when = nil
		if int(f) > i+int(london) {
			*when = new(uint64)
		}
	}
	return &c
}
