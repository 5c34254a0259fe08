package supply

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// EvidenceFormat tags evidence files, so that a reader knows what it holds.
const EvidenceFormat = "petsupply-evidence/1"

// Formula is how figures follow from entries, in words.
const Formula = "total = sum of counted issued - sum of burned; circulating = total - sum of locked - sum of reserved; " +
	"issued counts unless it carries a bridge with count source; escrowed is never counted; " +
	"an amount is its return value divided by 10^decimals"

// Evidence is everything needed to recompute a snapshot from any node that
// still holds the state of its blocks: it stands alone, without config or store.
type Evidence struct {
	Format     string            `json:"format"`
	Token      string            `json:"token"`
	Symbol     string            `json:"symbol"`
	Decimals   int               `json:"decimals"`
	AsOf       time.Time         `json:"asOf"`
	Snapshot   string            `json:"snapshot"`
	LedgerHash string            `json:"ledger"` // hash of decimals, maximum, bridges and entries below
	MaxSupply  *Amount           `json:"maxSupply"`
	Formula    string            `json:"formula"`
	Bridges    map[string]Bridge `json:"bridges"`
	Chains     []EvidenceBlock   `json:"chains"`
	Entries    []EvidenceEntry   `json:"entries"`
	Figures    Figures           `json:"figures"`
}

// EvidenceChain is the block of one chain that all its entries were read at.
type EvidenceBlock struct {
	Chain   string      `json:"name"`
	ChainID uint64      `json:"chainId"`
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Parent  common.Hash `json:"parentHash"`
	Time    time.Time   `json:"time"`
}

// EvidenceEntry is one ledger entry with what the chain answered.
type EvidenceEntry struct {
	Entry          Entry           `json:"entry"`                    // as in the ledger
	Contract       *common.Address `json:"contract,omitempty"`       // nil: a declared amount, no chain
	Calldata       hexutil.Bytes   `json:"calldata,omitempty"`       // none: the balance of the gas token
	Return         hexutil.Bytes   `json:"return,omitempty"`         // 32 bytes
	DecimalsReturn hexutil.Bytes   `json:"decimalsReturn,omitempty"` // of decimals() (0x313ce567), for erc20
	Decimals       int             `json:"decimals"`
	Amount         Amount          `json:"amount"`
	Counted        bool            `json:"counted"`
}
