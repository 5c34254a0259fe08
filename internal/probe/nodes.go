package probe

import (
	"context"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
)

// reach pins a chain, which proves its id, its finality and its quorum.
func reach(ctx context.Context, c *evm.Chain) (evm.Block, error) {
	block, err := c.Pin(ctx, time.Time{})
	if err == nil { // a read says itself which chain it comes from
		_, err = c.Read(ctx, block, []evm.Call{{To: common.Address{1}, Balance: true}})
	}
	return block, err
}

// limitsText says what a provider gives.
func limitsText(l evm.Limits) string {
	if l.Err != nil {
		return l.Err.Error()
	}
	state := fmt.Sprintf("state of the last %d blocks", l.State)
	if l.AllState {
		state = "state of all blocks"
	}
	return fmt.Sprintf("provider %s: %s, logs of up to %d blocks at once", l.Provider, state, l.Logs)
}
