package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"golang.org/x/sync/errgroup"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
	"petsupply/testkit/traits"
)

// nativeRealm is the realm that is bootstrapped.
func nativeRealm(contract common.Address) pet.Realm {
	offset := uint64(0)
	return pet.Realm{Key: "first", Name: "First Realm", Offset: &offset, Chain: "first", Contract: contract,
		Getter: "v2"}
}

// bootstrap compares indexing a whole realm with the bare calls that read it.
func bootstrap(ctx context.Context, h *harness) ([]row, error) {
	pets := h.collectionSize()
	node, contract, err := h.oldRealm(ctx, pets)
	if err != nil {
		return nil, err
	}
	defer node.Close()
	cfg := config.Chain{ID: 31337, RPC: []config.Provider{{Name: "node", URL: node.Direct}}, Finality: "latest",
		Timeout: time.Minute}
	chain, err := evm.Dial(cfg.WithDefaults("first").EVM("first"), nil)
	if err != nil {
		return nil, err
	}
	defer chain.Close()
	calls, err := petCalls(contract, pets)
	if err != nil {
		return nil, err
	}
	var rounds []pairing
	for round := range min(h.rounds, 3) {
		began := time.Now()
		if err := readBare(ctx, node, calls); err != nil {
			return nil, err
		}
		bare := time.Since(began)
		ours, err := takeIn(ctx, chain, nativeRealm(contract), pets)
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, pairing{ours.Seconds(), bare.Seconds()})
		h.say("  bootstrap round %d: ours %.2f s, bare multicalls %.2f s", round+1, ours.Seconds(), bare.Seconds())
	}
	r := compare(fmt.Sprintf("first reading of %s pets", ledger.Grouped(fmt.Sprint(pets))), "s", 1/1.3, rounds)
	r.Against = "bare multicalls"
	return []row{r}, nil
}

// emptyStore makes a store in a file. drop deletes it.
func emptyStore(ctx context.Context) (db *store.Store, drop func(), err error) {
	dir, err := os.MkdirTemp("", "petsupply-store-")
	if err != nil {
		return nil, nil, err
	}
	db, err = store.Open(ctx, "sqlite://"+filepath.Join(dir, "s.db"), time.Minute, nil)
	if err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return db, func() { db.Close(); os.RemoveAll(dir) }, nil
}

// takeIn indexes the realm into an empty store and returns how long it took.
func takeIn(ctx context.Context, chain index.Chain, realm pet.Realm, pets int) (time.Duration, error) {
	db, drop, err := emptyStore(ctx)
	if err != nil {
		return 0, err
	}
	defer drop()
	x := index.New(realm, &pet.Kingdom{Collection: traits.Pets(), Realms: []pet.Realm{realm}}, chain, db, nil)
	began := time.Now()
	for {
		if ok, err := db.Campaign(ctx, "bench", time.Minute); err != nil || !ok {
			return 0, errors.Join(err, errors.New("no lease"))
		}
		result, err := x.Step(ctx)
		if err != nil {
			return 0, err
		}
		if !result.More {
			break
		}
	}
	took := time.Since(began)
	census, err := db.PetCensus(ctx)
	if err != nil {
		return 0, err
	}
	if n := census.Realms()[realm.Key]; n != uint64(pets) {
		return 0, fmt.Errorf("only %d of %d pets were indexed", n, pets)
	}
	return took, nil
}

// petCalls packs the reads of all pets: owner and struct of each. Each multicall has as many calls
// as one of the indexer.
func petCalls(contract common.Address, pets int) ([]hexutil.Bytes, error) {
	const together = 500
	type call struct {
		Target       common.Address
		AllowFailure bool
		CallData     []byte
	}
	multicall, err := contracts.Load("Multicall3")
	if err != nil {
		return nil, err
	}
	abi, err := contracts.Load("Pets")
	if err != nil {
		return nil, err
	}
	var packed []hexutil.Bytes
	for from := 1; from <= pets; from += together {
		var list []call
		for id := from; id < min(from+together, pets+1); id++ {
			for _, method := range []string{"ownerOf", "getPetV2"} {
				data, err := abi.ABI.Pack(method, big.NewInt(int64(id)))
				if err != nil {
					return nil, err
				}
				list = append(list, call{contract, true, data})
			}
		}
		data, err := multicall.ABI.Pack("aggregate3", list)
		if err != nil {
			return nil, err
		}
		packed = append(packed, data)
	}
	return packed, nil
}

// readBare sends the multicalls, four at once as the indexer does, and ignores the answers.
func readBare(ctx context.Context, node *anvil.Node, calls []hexutil.Bytes) error {
	head, err := node.Height(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(4)
	for _, data := range calls {
		group.Go(func() error {
			var answer hexutil.Bytes
			return node.RPC.CallContext(ctx, &answer, "eth_call", map[string]any{"to": anvil.Multicall3, "data": data},
				hexutil.Uint64(head))
		})
	}
	return group.Wait()
}
