package anvil

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/google/go-cmp/cmp"

	"petsupply/testkit/contracts"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestNodes(t *testing.T) {
	for name, o := range map[string]Options{
		"a block for each transaction": {Chain: 53935},
		"blocks by hand":               {Chain: 8217, Manual: true},
		"a block each second":          {BlockTime: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, ctx := Test(t, o), t.Context()
			id, err := n.Uint(ctx, Multicall3, "getChainId")
			must(t, err)
			want := o.Chain
			if want == 0 {
				want = 31337
			}
			if id.Uint64() != want {
				t.Errorf("the chain is %s, want %d", id, want)
			}
			token, err := n.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), big.NewInt(1000))
			must(t, err)
			must(t, n.Send(ctx, token, "mint", n.Accounts[1], big.NewInt(600)))
			err = n.Send(ctx, token, "mint", n.Accounts[1], big.NewInt(600))
			if !errors.Is(err, ErrReverted) || !strings.Contains(err.Error(), "cap exceeded") {
				t.Errorf("minting above the cap: %v", err)
			}
			supply, err := n.Uint(ctx, token, "totalSupply")
			must(t, err)
			if supply.Int64() != 600 {
				t.Errorf("the supply is %s, want 600", supply)
			}
		})
	}
}

func TestManyTransactionsInOneBlock(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true}), t.Context()
	token, err := n.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), big.NewInt(0))
	must(t, err)
	before, err := n.Height(ctx)
	must(t, err)
	txs := make([]Tx, 500)
	for i := range txs {
		txs[i] = Tx{To: token, Method: "mint", Args: []any{n.Accounts[0], big.NewInt(1)}}
	}
	// An account without funds may send too, because gas is free.
	txs = append(txs, Tx{From: common.HexToAddress("0x1234"), To: token, Method: "burn", Args: []any{big.NewInt(0)}})
	_, err = n.Do(ctx, txs...)
	must(t, err)
	after, err := n.Height(ctx)
	must(t, err)
	supply, err := n.Uint(ctx, token, "totalSupply")
	must(t, err)
	if supply.Int64() != 500 || after != before+1 {
		t.Errorf("supply %s after %d blocks, want 500 after 1", supply, after-before)
	}
}

func TestReorg(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true}), t.Context()
	token, err := n.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), big.NewInt(0))
	must(t, err)
	must(t, n.Send(ctx, token, "mint", n.Accounts[0], big.NewInt(5)))
	must(t, n.Mine(ctx, 3))
	old, err := n.Block(ctx, rpc.LatestBlockNumber)
	must(t, err)
	must(t, n.Reorg(ctx, 4, Tx{To: token, Method: "mint", Args: []any{n.Accounts[0], big.NewInt(7)}}))
	now, err := n.Block(ctx, rpc.LatestBlockNumber)
	must(t, err)
	if now.Number != old.Number || now.Hash == old.Hash {
		t.Errorf("block %d %s became %d %s, want another at the same height", old.Number, old.Hash, now.Number, now.Hash)
	}
	supply, err := n.Uint(ctx, token, "totalSupply")
	must(t, err)
	if supply.Int64() != 7 {
		t.Errorf("the supply is %s, want 7: the reorg replaced the mint of 5 by one of 7", supply)
	}
	must(t, n.Send(ctx, token, "mint", n.Accounts[0], big.NewInt(1)))
}

func TestPets(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true}), t.Context()
	home, err := n.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: big.NewInt(1e12)})
	must(t, err)
	host, err := n.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: big.NewInt(0), Enumerable: true})
	must(t, err)
	must(t, n.Send(ctx, home, "hatch", n.Accounts[1], big.NewInt(3), big.NewInt(42)))
	id := big.NewInt(1e12 + 2)
	must(t, n.Send(ctx, home, "rename", id, "Bramble 🌿"))
	must(t, n.Send(ctx, home, "feed", id, uint8(4)))
	out, err := n.Call(ctx, home, "getPetV2", id)
	must(t, err)
	pet := contracts.PetOf(out[0])
	if pet.Name != "Bramble 🌿" || pet.FoodType != 4 || pet.FedBy != n.Accounts[0] || pet.Id.Cmp(id) != 0 ||
		pet.Appearance == 0 {
		t.Errorf("the pet is %+v", pet)
	}

	must(t, n.Send(ctx, home, "send", id, big.NewInt(1)))
	must(t, n.Send(ctx, host, "arrive", n.Accounts[1], pet))
	out, err = n.Call(ctx, host, "getPetV2", id)
	must(t, err)
	same := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	if diff := cmp.Diff(pet, contracts.PetOf(out[0]), same); diff != "" {
		t.Errorf("the pet changed on its way:\n%s", diff)
	}
	out, err = n.Call(ctx, home, "ownerOf", id)
	must(t, err)
	if out[0] != home {
		t.Errorf("the owner at home is %s, want the custody %s", out[0], home)
	}
	out, err = n.Call(ctx, host, "tokenByIndex", big.NewInt(0))
	must(t, err)
	if out[0].(*big.Int).Cmp(id) != 0 {
		t.Errorf("the host's first guest is %s, want %s", out[0], id)
	}

	must(t, n.Send(ctx, host, "send", id, big.NewInt(1)))
	must(t, n.Send(ctx, home, "arrive", n.Accounts[2], pet))
	_, err = n.Call(ctx, host, "ownerOf", id)
	if err == nil || !strings.Contains(err.Error(), "ERC721: owner query for nonexistent token") {
		t.Errorf("the host's answer for a guest that left is %v", err)
	}
	next, err := n.Uint(ctx, home, "nextPetId")
	must(t, err)
	if next.Int64() != 1e12+4 {
		t.Errorf("the next pet is %s, want %d", next, int64(1e12+4))
	}
}

func TestFirstStruct(t *testing.T) {
	n, ctx := Test(t, Options{Manual: true}), t.Context()
	pets, err := n.Deploy(ctx, "Pets", contracts.Options{Version: 1, Offset: new(big.Int)})
	must(t, err)
	must(t, n.Send(ctx, pets, "hatch", n.Accounts[1], big.NewInt(1), big.NewInt(1)))
	out, err := n.Call(ctx, pets, "getPet", big.NewInt(1))
	must(t, err)
	if pet := contracts.PetOf(out[0]); pet.Id.Int64() != 1 || pet.HungryAt == 0 {
		t.Errorf("the pet is %+v", pet)
	}
	if _, err := n.Call(ctx, pets, "getPetV2", big.NewInt(1)); err == nil {
		t.Error("a contract with the first struct answered for the second")
	}
}
