package main

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/contracts"
)

// A town is a token and a realm with a few pets on a node.
type town struct {
	*node
	multicall, token, pets common.Address
	start                  uint64           // the block in which the contract at pets was deployed
	heroes                 map[uint64]int64 // the hero that each pet is equipped to
	next                   int64
}

const petsHatched = 5

func foundTown(ctx context.Context, n *node) (*town, error) {
	t := &town{node: n, heroes: map[uint64]int64{}}
	var err error
	if t.multicall, _, err = n.deploy(ctx, "Multicall3"); err != nil {
		return nil, err
	}
	if t.token, _, err = n.deploy(ctx, "Token", "Coin", "COIN", uint8(18), new(big.Int)); err != nil {
		return nil, err
	}
	t.pets, t.start, err = n.deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: new(big.Int)})
	if err != nil {
		return nil, err
	}
	if err := n.do(ctx, "Pets", t.pets, "hatch", n.from, big.NewInt(petsHatched), big.NewInt(7)); err != nil {
		return nil, err
	}
	return t, t.happen(ctx)
}

// newTown builds and starts a client, and founds a town on it. The argument what distinguishes
// several nodes of one client.
func (s *settings) newTown(ctx context.Context, c client, what string) (*town, error) {
	s.say("%s: building what is missing …", c.name)
	build := exec.CommandContext(ctx, filepath.Join(s.root, "testkit", "nodes", "build.sh"), c.name, s.bin)
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s: %w\n%s", c.name, err, out[max(0, len(out)-4000):])
	}
	n := &node{client: c, bin: s.bin, dir: filepath.Join(s.dir, c.name+what)}
	if err := os.MkdirAll(n.dir, 0o755); err != nil {
		return nil, err
	}
	if err := n.open(ctx); err != nil {
		return nil, err
	}
	s.say("%s: %s at %s", n.name, n.version, n.url)
	t, err := foundTown(ctx, n)
	if err != nil {
		n.stop()
	}
	return t, err
}

// usual returns the usual configuration of the town's chain.
func (t *town) usual() string {
	blocks := "steady"
	if t.onDemand {
		blocks = "on-demand"
	}
	return fmt.Sprintf("finality: latest, multicall: %q, blocks: %s", t.multicall, blocks)
}

// happen mints some tokens and changes a pet.
func (t *town) happen(ctx context.Context) error {
	t.next++
	amount := new(big.Int).Mul(big.NewInt(1000+t.next), big.NewInt(1e18))
	if t.next > 1 { // a small change, which is not held
		amount.SetInt64(1e15 + t.next)
	}
	if err := t.do(ctx, "Token", t.token, "mint", t.from, amount); err != nil {
		return err
	}
	id := 1 + uint64(t.next%petsHatched)
	if err := t.do(ctx, "Pets", t.pets, "equip", new(big.Int).SetUint64(id), big.NewInt(t.next)); err != nil {
		return err
	}
	t.heroes[id] = t.next
	return nil
}

// pass waits for this many blocks.
func (t *town) pass(ctx context.Context, blocks int) error {
	first, err := t.height(ctx)
	if err != nil {
		return err
	}
	for {
		now, err := t.height(ctx)
		if err != nil || now >= first+uint64(blocks) {
			return err
		}
		if !t.onDemand {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
			}
		} else if _, err := t.send(ctx, &t.from, nil); err != nil {
			return fmt.Errorf("making a block: %w", err)
		}
	}
}
