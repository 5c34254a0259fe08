package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// A bridge is a token that is burned in a quiet town and minted in a busy one.
type bridge struct {
	quiet, busy           *town
	quietToken, busyToken common.Address
	crossed               int64
}

const bridgePath = "bridged"

func buildBridge(ctx context.Context, quiet, busy *town) (*bridge, error) {
	b := &bridge{quiet: quiet, busy: busy}
	for t, token := range map[*town]*common.Address{quiet: &b.quietToken, busy: &b.busyToken} {
		at, _, err := t.deploy(ctx, "Token", "Bridged", "BRIDGED", uint8(18), new(big.Int))
		if err == nil {
			err = t.do(ctx, "Token", at, "mint", t.from, new(big.Int).Mul(big.NewInt(5000), big.NewInt(1e18)))
		}
		if err != nil {
			return nil, err
		}
		*token = at
	}
	return b, nil
}

// config returns the token's part of a service's configuration.
func (b *bridge) config() string {
	return fmt.Sprintf(`  - path: %s
    symbol: BRIDGED
    name: Bridged
    decimals: 18
    bridges: {relay: {count: sum, slack: "1000"}}
    ledger:
      - {label: In the quiet town, bucket: issued, bridge: relay, chain: %s, erc20: %q, reason: What left is burned}
      - {label: In the busy town, bucket: issued, bridge: relay, chain: %s, erc20: %q, reason: What came is minted}
`, bridgePath, b.quiet.name, b.quietToken, b.busy.name, b.busyToken)
}

// total returns the sum of both sides, as the nodes have it now.
func (b *bridge) total(ctx context.Context) (*big.Int, error) {
	quiet, err := b.quiet.totalSupply(ctx, b.quietToken)
	if err != nil {
		return nil, err
	}
	busy, err := b.busy.totalSupply(ctx, b.busyToken)
	return busy.Add(busy, quiet), err
}

// cross burns on the quiet side and mints a little less on the busy one.
func (b *bridge) cross(ctx context.Context) error {
	b.crossed++
	if err := b.quiet.do(ctx, "Token", b.quietToken, "burn", big.NewInt(1e15+b.crossed)); err != nil {
		return err
	}
	return b.busy.do(ctx, "Token", b.busyToken, "mint", b.busy.from, big.NewInt(1e15))
}

// trade changes only the busy town.
func (b *bridge) trade(ctx context.Context) error {
	b.crossed++
	return b.busy.do(ctx, "Token", b.busyToken, "mint", b.busy.from, big.NewInt(1e14+b.crossed))
}
