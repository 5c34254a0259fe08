package proof

import (
	"math/big"

	"github.com/ethereum/go-ethereum/params"
)

// A fork is a set of rules, as Ethereum called them.
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

// oldestFork is the earliest whose rules the block can have been made by: a
// header has the fields of its fork.
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
	return london // an older header is not read
}

// newestFork is the latest that is known, and not ahead of its time.
func (h *header) newestFork() fork { return max(osaka, h.oldestFork()) }

// config is a chain that has been at f from its first block.
func (f fork) config(chainID uint64) *params.ChainConfig {
	c := *params.AllEthashProtocolChanges // up to London
	c.ChainID, c.Ethash = new(big.Int).SetUint64(chainID), nil
	c.TerminalTotalDifficulty = new(big.Int)
	for i, when := range []**uint64{&c.ShanghaiTime, &c.CancunTime, &c.PragueTime, &c.OsakaTime, &c.AmsterdamTime} {
		*when = nil
		if int(f) > i+int(london) {
			*when = new(uint64)
		}
	}
	return &c
}
