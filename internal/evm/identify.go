package evm

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

// Ask asks a node one question, whatever its chain. It decodes the answer into result. No error
// quotes the address.
func Ask(ctx context.Context, url string, timeout time.Duration, method string, result any) error {
	if err := CheckURL(url); err != nil {
		return err
	}
	client := jsonrpc.New(jsonrpc.Config{URL: url, Timeout: timeout, Observe: func(time.Duration) {}})
	defer client.Close()
	question := jsonrpc.Ask(method)
	if err := client.Send(ctx, question); err != nil {
		return err
	}
	if question.Fault != nil {
		return question.Fault
	}
	if json.Unmarshal(question.Result, result) != nil {
		return fmt.Errorf("the node returned no valid answer to %s", method)
	}
	return nil
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
