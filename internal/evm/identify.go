package evm

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Identify asks a node for its chain id and its client version (web3_clientVersion, "" if it gives
// none). No error quotes the address.
func Identify(ctx context.Context, url string, timeout time.Duration) (id uint64, version string, err error) {
	if err := CheckURL(url); err != nil {
		return 0, "", err
	}
	client := jsonrpc.New(jsonrpc.Config{URL: url, Timeout: timeout, Observe: func(time.Duration) {}})
	defer client.Close()
	chain := jsonrpc.Ask("eth_chainId")
	program := jsonrpc.Ask("web3_clientVersion")
	if err := client.Send(ctx, chain); err != nil {
		return 0, "", err
	}
	if chain.Fault != nil {
		return 0, "", chain.Fault
	}
	var n hexutil.Uint64
	if json.Unmarshal(chain.Result, &n) != nil || n == 0 {
		return 0, "", fmt.Errorf("the node returned no valid chain id")
	}
	if client.Send(ctx, program) == nil && program.Fault == nil {
		_ = json.Unmarshal(program.Result, &version)
	}
	return uint64(n), version, nil
}

// Reach pins a block and reads from it. Success means that the chain has the configured id, and
// that a quorum has a settled block and its state.
func (c *Chain) Reach(ctx context.Context) (Block, error) {
	block, err := c.Pin(ctx, time.Time{})
	if err == nil {
		_, err = c.Read(ctx, block, []Call{{To: common.Address{1}, Balance: true}})
	}
	return block, err
}
