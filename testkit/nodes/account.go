package main

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/contracts"
)

// An account sends transactions of the oldest kind, which every client accepts.
type account struct {
	rpc     *rpc.Client
	chainID uint64
	private *ecdsa.PrivateKey
	from    common.Address
}

func openAccount(url string, id uint64, key string) (*account, error) {
	client, err := rpc.Dial(url)
	if err != nil {
		return nil, err
	}
	k, err := crypto.HexToECDSA(key)
	if err != nil {
		return nil, err
	}
	return &account{client, id, k, crypto.PubkeyToAddress(k.PublicKey)}, nil
}

// deploy creates one of our contracts, and returns its address and block.
func (a *account) deploy(ctx context.Context, name string, args ...any) (common.Address, uint64, error) {
	c, err := contracts.Load(name)
	if err != nil {
		return common.Address{}, 0, err
	}
	packed, err := c.ABI.Pack("", args...)
	if err != nil {
		return common.Address{}, 0, err
	}
	r, err := a.send(ctx, nil, append(c.Bytecode, packed...))
	if err != nil {
		return common.Address{}, 0, fmt.Errorf("deploying %s: %w", name, err)
	}
	if r.ContractAddress == nil {
		return common.Address{}, 0, fmt.Errorf("deploying %s: the receipt names no address", name)
	}
	return *r.ContractAddress, uint64(r.BlockNumber), nil
}

// do calls a method of a contract in a transaction.
func (a *account) do(ctx context.Context, contract string, to common.Address, method string, args ...any) error {
	c, err := contracts.Load(contract)
	if err != nil {
		return err
	}
	data, err := c.ABI.Pack(method, args...)
	if err != nil {
		return err
	}
	if _, err = a.send(ctx, &to, data); err != nil {
		return fmt.Errorf("%s of %s: %w", method, contract, err)
	}
	return nil
}

// totalSupply asks the node itself, at its newest block.
func (a *account) totalSupply(ctx context.Context, token common.Address) (*big.Int, error) {
	var out hexutil.Bytes
	err := a.rpc.CallContext(ctx, &out, "eth_call", map[string]any{"to": token, "data": "0x18160ddd"}, "latest")
	return new(big.Int).SetBytes(out), err
}

func (a *account) height(ctx context.Context) (uint64, error) {
	var n hexutil.Uint64
	err := a.rpc.CallContext(ctx, &n, "eth_blockNumber")
	return uint64(n), err
}

type receipt struct {
	Status          hexutil.Uint64
	BlockNumber     hexutil.Uint64
	ContractAddress *common.Address
}

// send signs, sends, and waits until the transaction is in a block.
func (a *account) send(ctx context.Context, to *common.Address, data []byte) (*receipt, error) {
	var nonce hexutil.Uint64
	var price hexutil.Big
	if err := a.rpc.CallContext(ctx, &nonce, "eth_getTransactionCount", a.from, "pending"); err != nil {
		return nil, err
	}
	if err := a.rpc.CallContext(ctx, &price, "eth_gasPrice"); err != nil {
		return nil, err
	}
	signer := types.NewEIP155Signer(new(big.Int).SetUint64(a.chainID))
	tx, err := types.SignNewTx(a.private, signer, &types.LegacyTx{Nonce: uint64(nonce), To: to, Data: data, Gas: 7_000_000,
		GasPrice: new(big.Int).Mul(price.ToInt(), big.NewInt(2))})
	if err != nil {
		return nil, err
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, err
	}
	var hash common.Hash
	if err := a.rpc.CallContext(ctx, &hash, "eth_sendRawTransaction", hexutil.Bytes(raw)); err != nil {
		return nil, err
	}
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		var r *receipt
		// An error may mean that the node is still busy with the transaction.
		if err = a.rpc.CallContext(ctx, &r, "eth_getTransactionReceipt", hash); r != nil {
			if r.Status != 1 {
				return nil, errors.New("the transaction failed")
			}
			return r, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, fmt.Errorf("the transaction is in no block after a minute; last error: %v", err)
}
