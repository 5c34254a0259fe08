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

// Identify asks the node at an address which chain it is of. No error quotes the
// address.
func Identify(ctx context.Context, url string, timeout time.Duration) (uint64, error) {
	if err := CheckURL(url); err != nil {
		return 0, err
	}
	client := jsonrpc.New(jsonrpc.Config{URL: url, Timeout: timeout, Observe: func(time.Duration) {}})
	defer client.Close()
	id := jsonrpc.Ask("eth_chainId")
	if err := client.Send(ctx, id); err != nil {
		return 0, err
	}
	if id.Fault != nil {
		return 0, id.Fault
	}
	var n hexutil.Uint64
	if json.Unmarshal(id.Result, &n) != nil || n == 0 {
		return 0, fmt.Errorf("the node does not say its chain id")
	}
	return uint64(n), nil
}

// Reach pins a block and reads from it. If that works, the chain has the configured
// id, and a quorum of its providers has a settled block with its state.
func (c *Chain) Reach(ctx context.Context) (Block, error) {
	block, err := c.Pin(ctx, time.Time{})
	if err == nil {
		_, err = c.Read(ctx, block, []Call{{To: common.Address{1}, Balance: true}})
	}
	return block, err
}

// Requests is how many requests were sent so far, to all providers together.
func (c *Chain) Requests() (n uint64) {
	for _, p := range c.providers {
		n += p.Requests()
	}
	return n
}
