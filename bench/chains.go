package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"
)

// A land is one chain with a token on it: a real node, and a counter of round
// trips before it.
type land struct {
	name  string
	id    uint64
	node  *anvil.Node
	token common.Address
	gate  *faultproxy.Proxy // counts what goes through it
}

// lands starts the three nodes, once.
func (y *yard) lands(ctx context.Context) ([]*land, error) {
	if y.three != nil {
		return y.three, nil
	}
	var three []*land
	for i, name := range []string{"first", "second", "third"} {
		l := &land{name: name, id: uint64(31001 + i)}
		var err error
		if l.node, err = anvil.Start(ctx, anvil.Options{Chain: l.id, Manual: true}); err != nil {
			return nil, err
		}
		y.onClose(l.node.Close)
		if l.gate, err = faultproxy.Listen(l.node.URL); err != nil {
			return nil, err
		}
		y.onClose(l.gate.Close)
		if l.token, err = l.node.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), new(big.Int)); err != nil {
			return nil, err
		}
		if err := l.node.Send(ctx, l.token, "mint", l.node.Accounts[0], big.NewInt(1e18)); err != nil {
			return nil, err
		}
		three = append(three, l)
	}
	y.three = three
	return three, nil
}

// dial opens the chain as the service does; url is the node's or the gate's.
func (l *land) dial(url string) (*evm.Chain, error) {
	c := config.Chain{ID: l.id, RPC: []config.Provider{{Name: "node", URL: url}}, Finality: "latest"}
	return evm.Dial(c.WithDefaults(l.name).EVM(l.name), nil)
}

// holder is the owner of the i-th entry.
func holder(i int) common.Address {
	return common.BigToAddress(big.NewInt(int64(1_000_000 + i)))
}

// book is a token whose ledger has so many entries, spread over the lands: an
// issue on each, and treasuries.
func book(lands []*land, entries int) supply.Token {
	t := supply.Token{Path: "coin", Symbol: "COIN", Name: "Coin", Decimals: 18}
	for i := range entries {
		l := lands[i%len(lands)]
		e := supply.Entry{Label: fmt.Sprintf("Treasury %d", i), Bucket: supply.Reserved, Chain: l.name, ERC20: l.token.Hex(), Holder: holder(i).Hex()}
		if i < len(lands) {
			e.Label, e.Bucket, e.Holder = fmt.Sprintf("Minted %d", i), supply.Issued, ""
		}
		t.Ledger = append(t.Ledger, e)
	}
	return t
}
