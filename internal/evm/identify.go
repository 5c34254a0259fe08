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
	c, err := Dial(Config{Name: "of the node", ID: 1, Providers: []Provider{{Name: "node", URL: url}}, Quorum: 1, Finality: "latest",
		Timeout: timeout, MaxLag: timeout, Multicall: common.Address{1}}, nil)
	if err != nil {
		return 0, CheckURL(url)
	}
	defer c.Close()
	id := jsonrpc.Ask("eth_chainId")
	if err := c.providers[0].Send(ctx, id); err != nil {
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

// Requests is how many requests were sent so far, to all providers together.
func (c *Chain) Requests() (n uint64) {
	for _, p := range c.providers {
		n += p.Requests()
	}
	return n
}
