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

// Identify asks the node at an address which chain it is of, and which program it is
// (web3_clientVersion, "" if it does not say). No error quotes the address.
func Identify(ctx context.Context, url string, timeout time.Duration) (id uint64, version string, err error) {
	if err := CheckURL(url); err != nil {
		return 0, "", err
	}
	client := jsonrpc.New(jsonrpc.Config{URL: url, Timeout: timeout, Observe: func(time.Duration) {}})
	defer client.Close()
	chain, program := jsonrpc.Ask("eth_chainId"), jsonrpc.Ask("web3_clientVersion")
	if err := client.Send(ctx, chain); err != nil {
		return 0, "", err
	}
	if chain.Fault != nil {
		return 0, "", chain.Fault
	}
	var n hexutil.Uint64
	if json.Unmarshal(chain.Result, &n) != nil || n == 0 {
		return 0, "", fmt.Errorf("the node does not say its chain id")
	}
	if client.Send(ctx, program) == nil && program.Fault == nil {
		_ = json.Unmarshal(program.Result, &version)
	}
	return uint64(n), version, nil
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
