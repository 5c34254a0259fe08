package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
)

// A chain is a real node with a token on it, behind a proxy that counts round trips.
type chain struct {
	name  string
	id    uint64
	node  *anvil.Node
	token common.Address
	gate  *faultproxy.Proxy // counts round trips
}

// chains starts the three nodes, once.
func (h *harness) chains(ctx context.Context) ([]*chain, error) {
	if h.three != nil {
		return h.three, nil
	}
	var three []*chain
	for i, name := range []string{"first", "second", "third"} {
		l := &chain{name: name, id: uint64(31001 + i)}
		var err error
		if l.node, err = anvil.Start(ctx, anvil.Options{Chain: l.id, Manual: true}); err != nil {
			return nil, err
		}
		h.onClose(l.node.Close)
		if l.gate, err = faultproxy.Listen(l.node.Direct); err != nil {
			return nil, err
		}
		h.onClose(l.gate.Close)
		if l.token, err = l.node.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), new(big.Int)); err != nil {
			return nil, err
		}
		if err := l.node.Send(ctx, l.token, "mint", l.node.Accounts[0], big.NewInt(1e18)); err != nil {
			return nil, err
		}
		three = append(three, l)
	}
	h.three = three
	return three, nil
}

// dial opens the chain as the service does. url is the node's or the proxy's.
func (l *chain) dial(url string) (*evm.Chain, error) {
	c := config.Chain{ID: l.id, RPC: []config.Provider{{Name: "node", URL: url}}, Finality: "latest"}
	return evm.Dial(c.WithDefaults(l.name).EVM(l.name), nil)
}

// holder is the owner of the i-th entry.
func holder(i int) common.Address {
	return common.BigToAddress(big.NewInt(int64(1_000_000 + i)))
}

// book returns a token whose ledger has this many entries, spread over the chains. The first entry
// on each chain is an issued amount. The others are treasuries.
func book(chains []*chain, entries int) ledger.Token {
	t := ledger.Token{Path: "coin", Symbol: "COIN", Name: "Coin", Decimals: 18}
	for i := range entries {
		l := chains[i%len(chains)]
		e := ledger.Entry{Label: fmt.Sprintf("Treasury %d", i), Bucket: ledger.Reserved, Chain: l.name, ERC20: l.token.Hex(),
			Holder: holder(i).Hex()}
		if i < len(chains) {
			e.Label, e.Bucket, e.Holder = fmt.Sprintf("Minted %d", i), ledger.Issued, ""
		}
		t.Ledger = append(t.Ledger, e)
	}
	return t
}
