package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
	"petsupply/testkit/traits"
)

// A chain is a real node, with a contract on it.
type chain struct {
	name     string
	node     *anvil.Node
	contract common.Address
}

// newChain starts a node, and deploys a contract on it.
func (h *harness) newChain(ctx context.Context, name string, id uint64, contract string, args ...any) (chain, error) {
	node, err := anvil.Start(ctx, anvil.Options{Chain: id, Manual: true})
	if err != nil {
		return chain{}, err
	}
	h.onClose(node.Close)
	at, err := node.Deploy(ctx, contract, args...)
	return chain{name, node, at}, err
}

// dial opens the chain as the service does.
func (c chain) dial(id uint64) (*evm.Chain, error) {
	cfg := config.Chain{ID: id, RPC: []config.Provider{{Name: "node", URL: c.node.Direct}}, Finality: "latest",
		Timeout: time.Minute}
	return evm.Dial(cfg.WithDefaults(c.name).EVM(c.name), nil)
}

// A bareCall is one call of a multicall.
type bareCall struct {
	Target       common.Address
	AllowFailure bool
	CallData     []byte
}

// pack packs calls for Multicall3.
func pack(calls []bareCall) (hexutil.Bytes, error) {
	multicall, err := contracts.Load("Multicall3")
	if err != nil {
		return nil, err
	}
	return multicall.ABI.Pack("aggregate3", calls)
}

// callBare sends a packed multicall at a block, and ignores the answer.
func (c chain) callBare(ctx context.Context, packed hexutil.Bytes, block hexutil.Uint64) error {
	var answer hexutil.Bytes
	return c.node.RPC.CallContext(ctx, &answer, "eth_call", map[string]any{"to": anvil.Multicall3, "data": packed}, block)
}

// refresh measures 1,000 tokens on three chains, and judges their first figures.
func refresh(ctx context.Context, h *harness) (row, error) {
	tokens := make([]ledger.Token, 1000)
	dialled := map[string]supply.Chain{}
	for i, name := range []string{"first", "second", "third"} {
		id := uint64(31001 + i)
		c, err := h.newChain(ctx, name, id, "Token", "Coin", "COIN", uint8(18), new(big.Int))
		if err != nil {
			return row{}, err
		}
		open, err := c.dial(id)
		if err != nil {
			return row{}, err
		}
		defer open.Close()
		dialled[name] = open
		if err := c.issue(ctx, tokens, i); err != nil {
			return row{}, err
		}
	}
	var took []float64
	for range h.rounds {
		each, err := often(func() error { return measureAll(ctx, tokens, dialled) })
		if err != nil {
			return row{}, err
		}
		took = append(took, each)
	}
	return within("refresh of 1,000 tokens on three chains", "ms", 1000, took), nil
}

// issue gives every third token an amount on this chain, beginning with the first.
func (c chain) issue(ctx context.Context, tokens []ledger.Token, first int) error {
	var txs []anvil.Tx
	for i := first; i < len(tokens); i += 3 {
		name := "coin" + strconv.Itoa(i)
		holder := common.BigToAddress(big.NewInt(int64(1_000_000 + i)))
		tokens[i] = ledger.Token{Path: name, Symbol: name, Name: name, Decimals: 18, Ledger: []ledger.Entry{
			{Label: "All", Bucket: ledger.Issued, Chain: c.name, ERC20: c.contract.Hex(), Holder: holder.Hex()}}}
		txs = append(txs, anvil.Tx{To: c.contract, Method: "mint", Args: []any{holder, big.NewInt(1e18)}})
	}
	_, err := c.node.Do(ctx, txs...)
	return err
}

// measureAll measures all tokens, and judges their first figures.
func measureAll(ctx context.Context, tokens []ledger.Token, chains map[string]supply.Chain) error {
	for i, r := range supply.Measure(ctx, tokens, chains, time.Now()) {
		if r.Err != nil {
			return r.Err
		}
		record := supply.Record{Token: tokens[i].Path}
		if _, _, err := record.Judge(&tokens[i], r.Snapshot, supply.Rules{Repeat: time.Hour}); err != nil {
			return err
		}
	}
	return nil
}

// often does something ten times, and returns the median of the milliseconds that it takes.
func often(do func() error) (float64, error) {
	var took []float64
	for range 10 {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		took = append(took, ms(began))
	}
	return median(took), nil
}

func ms(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// firstReading compares indexing a whole realm with the bare calls that read it.
func firstReading(ctx context.Context, h *harness) (row, error) {
	pets := h.collectionSize()
	const id = 31337
	c, err := h.newChain(ctx, "first", id, "Pets", contracts.Options{Version: 2, Offset: new(big.Int)})
	if err != nil {
		return row{}, err
	}
	for done := 0; done < pets; done += 1000 {
		err := c.node.Send(ctx, c.contract, "hatch", c.node.Accounts[1], big.NewInt(1000), big.NewInt(int64(done)))
		if err != nil {
			return row{}, fmt.Errorf("hatching: %w", err)
		}
	}
	// The pets hatched long ago, so that the blocks that the indexer keeps do not mention them.
	if err := c.node.Mine(ctx, 300); err != nil {
		return row{}, err
	}
	open, err := c.dial(id)
	if err != nil {
		return row{}, err
	}
	defer open.Close()
	calls, err := petCalls(c.contract, pets)
	if err != nil {
		return row{}, err
	}
	unit := fmt.Sprintf("s for %s pets", figure(float64(pets)))
	rounds, err := h.takeTurns(unit,
		func() (float64, error) { return h.takeIn(ctx, open, c.contract, pets) },
		func() (float64, error) {
			began := time.Now()
			err := c.readBare(ctx, calls)
			return time.Since(began).Seconds(), err
		})
	return compare("first reading", unit, "bare multicalls", 1/1.3, rounds), err
}

// takeIn indexes the realm into an empty store and returns how many seconds it took.
func (h *harness) takeIn(ctx context.Context, chain index.Chain, contract common.Address, pets int) (float64, error) {
	offset := uint64(0)
	realm := pet.Realm{Key: "first", Name: "First Realm", Offset: &offset, Chain: "first", Contract: contract, Getter: "v2"}
	file := filepath.Join(h.dir, fmt.Sprintf("first-%d.db", time.Now().UnixNano()))
	db, err := store.Open(ctx, "sqlite://"+file, time.Minute, nil)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	x := index.New(realm, &pet.Registry{Collection: traits.Pets(), Realms: []pet.Realm{realm}}, chain, db, nil)
	began := time.Now()
	for more := true; more; {
		if ok, err := db.Campaign(ctx, "bench", time.Minute); err != nil || !ok {
			return 0, errors.Join(err, errors.New("no lease"))
		}
		result, err := x.Step(ctx)
		if err != nil {
			return 0, err
		}
		more = result.More
	}
	took := time.Since(began).Seconds()
	census, err := db.PetCensus(ctx)
	if err == nil && census.Realms()[realm.Key] != uint64(pets) {
		err = fmt.Errorf("only %d of %d pets were indexed", census.Realms()[realm.Key], pets)
	}
	return took, err
}

// petCalls packs the reads of all pets: owner and struct of each. Each multicall has as many calls
// as one of the indexer.
func petCalls(contract common.Address, pets int) ([]hexutil.Bytes, error) {
	const together = 500
	abi, err := contracts.Load("Pets")
	if err != nil {
		return nil, err
	}
	var packed []hexutil.Bytes
	for from := 1; from <= pets; from += together {
		var calls []bareCall
		for id := from; id < min(from+together, pets+1); id++ {
			for _, method := range []string{"ownerOf", "getPetV2"} {
				data, err := abi.ABI.Pack(method, big.NewInt(int64(id)))
				if err != nil {
					return nil, err
				}
				calls = append(calls, bareCall{contract, true, data})
			}
		}
		data, err := pack(calls)
		if err != nil {
			return nil, err
		}
		packed = append(packed, data)
	}
	return packed, nil
}

// readBare sends the multicalls, four at once as the indexer does.
func (c chain) readBare(ctx context.Context, calls []hexutil.Bytes) error {
	head, err := c.node.Height(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for _, data := range calls {
		group.Go(func() error { return c.callBare(ctx, data, hexutil.Uint64(head)) })
	}
	return group.Wait()
}
