package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/testkit/anvil"
)

// An allocation is the state of an address in a chain's first block.
type allocation struct {
	Balance string                      `json:"balance"`
	Code    hexutil.Bytes               `json:"code"`
	Storage map[common.Hash]common.Hash `json:"storage,omitempty"`
}

// allocate adds allocations to a genesis file.
func allocate(genesis []byte, alloc map[common.Address]allocation) ([]byte, error) {
	var whole, given map[string]json.RawMessage
	if err := json.Unmarshal(genesis, &whole); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(whole["alloc"], &given); err != nil {
		return nil, err
	}
	for at, a := range alloc {
		text, err := json.Marshal(a)
		if err != nil {
			return nil, err
		}
		given[strings.ToLower(at.Hex())[2:]] = text
	}
	var err error
	if whole["alloc"], err = json.Marshal(given); err != nil {
		return nil, err
	}
	return json.Marshal(whole)
}

// A standIn is a contract of ours at the address of a real one.
type standIn struct {
	at       common.Address
	contract string
	args     []any
	storage  map[common.Hash]common.Hash // besides what its constructor writes
}

// plainSlots is at least the number of variables of our contracts.
const plainSlots = 16

// make deploys the contract on cast, a node of ours, and returns its code and its plain variables.
// In both it replaces the deployer's address with steward.
func (in standIn) make(ctx context.Context, cast *anvil.Node, steward common.Address) (a allocation, err error) {
	at, err := cast.Deploy(ctx, in.contract, in.args...)
	if err != nil {
		return a, fmt.Errorf("deploying %s to copy its code: %w", in.contract, err)
	}
	maker := cast.Accounts[0]
	a.Balance, a.Storage = "0x0", map[common.Hash]common.Hash{}
	if err := cast.RPC.CallContext(ctx, &a.Code, "eth_getCode", at, "latest"); err != nil {
		return a, err
	}
	a.Code = bytes.ReplaceAll(a.Code, maker[:], steward[:])
	for i := range byte(plainSlots) {
		slot := common.BytesToHash([]byte{i})
		var value common.Hash
		if err := cast.RPC.CallContext(ctx, &value, "eth_getStorageAt", at, slot, "latest"); err != nil {
			return a, err
		}
		if value != (common.Hash{}) {
			a.Storage[slot] = common.Hash(bytes.ReplaceAll(value[:], maker[:], steward[:]))
		}
	}
	for slot, value := range in.storage {
		a.Storage[slot] = value
	}
	return a, nil
}
