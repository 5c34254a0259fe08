package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// oldRealm starts a node whose chain has a realm of this many pets that hatched long ago. As with
// any real collection, the blocks that the indexer keeps for a rewind do not mention them. For
// this, one node hatches the pets, and another gets its state without the blocks. The caller closes
// the node.
func (h *harness) oldRealm(ctx context.Context, pets int) (*anvil.Node, common.Address, error) {
	began := time.Now()
	first, err := anvil.Start(ctx, anvil.Options{Manual: true})
	if err != nil {
		return nil, common.Address{}, err
	}
	defer first.Close()
	contract, err := first.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: new(big.Int)})
	if err != nil {
		return nil, contract, err
	}
	for done := 0; done < pets; done += 1000 {
		if err := first.Send(ctx, contract, "hatch", first.Accounts[1], big.NewInt(1000),
			big.NewInt(int64(done))); err != nil {
			return nil, contract, fmt.Errorf("hatching: %w", err)
		}
	}
	h.say("  %d pets hatched in %s", pets, time.Since(began).Round(time.Second))
	var state hexutil.Bytes
	if err := first.RPC.CallContext(ctx, &state, "anvil_dumpState", false); err != nil {
		return nil, contract, fmt.Errorf("taking the state: %w", err)
	}
	if state, err = withoutPast(state); err != nil {
		return nil, contract, err
	}
	node, err := anvil.Start(ctx, anvil.Options{Manual: true})
	if err != nil {
		return nil, contract, err
	}
	var done bool
	err = node.RPC.CallContext(ctx, &done, "anvil_loadState", state)
	if err == nil && !done {
		err = errors.New("anvil refuses the state")
	}
	if err == nil {
		err = node.Mine(ctx, 2)
	}
	if err == nil {
		err = node.Bind(contract, "Pets")
	}
	if err != nil {
		node.Close()
		return nil, contract, fmt.Errorf("giving the state to a new node: %w", err)
	}
	h.say("  given to a new node after %s", time.Since(began).Round(time.Second))
	return node, contract, nil
}

// withoutPast removes the blocks and transactions from a node's state.
func withoutPast(packed []byte) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("reading a state: %w", err)
	}
	var state map[string]json.RawMessage
	if err := json.NewDecoder(in).Decode(&state); err != nil {
		return nil, fmt.Errorf("reading a state: %w", err)
	}
	var head map[string]json.RawMessage
	if err := json.Unmarshal(state["block"], &head); err != nil {
		return nil, fmt.Errorf("reading a state: %w", err)
	}
	head["number"] = json.RawMessage(`"0x0"`) // the new node begins at block 0
	if state["block"], err = json.Marshal(head); err != nil {
		return nil, err
	}
	state["best_block_number"] = json.RawMessage("0")
	state["blocks"], state["transactions"] = json.RawMessage("[]"), json.RawMessage("[]")
	delete(state, "historical_states")
	text, err := json.Marshal(state)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return out.Bytes(), err
}
