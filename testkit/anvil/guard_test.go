package anvil

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// TestWhileItMines reads the latest block all the time, as a service does. Each block must have the
// state that the chain later says it had.
func TestWhileItMines(t *testing.T) {
	n := Test(t, Options{Manual: true})
	ctx := t.Context()
	furnace, err := n.Deploy(ctx, "Furnace")
	must(t, err)
	caller, err := rpc.DialContext(ctx, n.URL)
	must(t, err)
	defer caller.Close()
	seen := map[Block]*hexutil.Big{}
	mined := make(chan error)
	go func() {
		fire := make([]Tx, 50)
		for i := range fire {
			fire[i] = Tx{To: furnace, Value: big.NewInt(1)}
		}
		var err error
		for i := 0; i < 100 && err == nil; i++ {
			_, err = n.Do(ctx, fire...)
		}
		mined <- err
	}()
	for mining := true; mining; {
		select {
		case err := <-mined:
			must(t, err)
			mining = false
		default:
		}
		var head Block
		must(t, caller.CallContext(ctx, &head, "eth_getBlockByNumber", "latest", false))
		var value hexutil.Big
		must(t, caller.CallContext(ctx, &value, "eth_getBalance", furnace, map[string]any{"blockHash": head.Hash}))
		seen[head] = &value
	}
	for b, value := range seen {
		var want hexutil.Big
		must(t, caller.CallContext(ctx, &want, "eth_getBalance", furnace, b.Number))
		if want.ToInt().Cmp(value.ToInt()) != 0 {
			t.Errorf("at block %d there was %s, later %s", b.Number, value, &want)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d blocks were seen", len(seen))
	}
}
