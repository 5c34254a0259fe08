package main

import (
	"context"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
)

// An example is examples/defikingdoms.yaml on nodes with its chain ids, and with our contracts at
// its addresses from the first block on.
type example struct {
	*service
	dfk, kaia *town
}

var (
	crystal = common.HexToAddress("0x04b9dA42306B023f3572e106B11D82aAd9D32EBb")
	jade    = common.HexToAddress("0xB3F5867E277798b50ba7A71C0b24FDcA03045eDF")
	furnace = common.HexToAddress("0xED6dC9FD092190C08e4afF8611496774Ded19D54")
	vesting = common.HexToAddress("0x9a7C710A6E3A86c69F2FE704AD223Ce76934bb37")
	second  = common.HexToAddress("0x1990F87d6BC9D9385917E3EDa0A7674411C3Cd7F")
	third   = common.HexToAddress("0x6362b205b539afb5FC369277365441c1dC6fAa28")
)

// tryExample runs the dfk and kaia parts of the example. Only the addresses of the nodes are
// changed. The example's third chain, metis, has no node.
func (s *settings) tryExample(ctx context.Context) (seen string, err error) {
	cast, err := anvil.Start(ctx, anvil.Options{})
	if err != nil {
		return "", err
	}
	defer cast.Close()
	x := &example{}
	// Slot 0 of Vesting has the variable funded: the tokens that the contract was given.
	vested := map[common.Hash]common.Hash{{}: common.BigToHash(coins(1_000_000))}
	x.dfk, err = s.settleExample(ctx, cast, "subnet-evm", 53935, 1e12, crystal, second,
		standIn{at: furnace, contract: "Furnace"}, standIn{at: vesting, contract: "Vesting",
			args: []any{crystal, crystal, new(big.Int), new(big.Int)}, storage: vested})
	if err != nil {
		return "", err
	}
	defer x.dfk.stop()
	if x.kaia, err = s.settleExample(ctx, cast, "kaia", 8217, 2e12, jade, third); err != nil {
		return "", err
	}
	defer x.kaia.stop()
	if _, err := x.dfk.sendValue(ctx, &furnace, coins(5), nil); err != nil {
		return "", err
	}
	if x.service, err = s.newService((*town).usual, nil); err != nil {
		return "", err
	}
	x.service.config = filepath.Join(s.root, "examples", "defikingdoms.yaml")
	x.env = append(os.Environ(), "METIS_RPC=http://127.0.0.1:1")
	for name, host := range map[string]string{"A": "127.0.0.1", "B": "localhost", "C": "[::ffff:127.0.0.1]"} {
		x.env = append(x.env, "DFK_RPC_"+name+"="+strings.Replace(x.dfk.url, "127.0.0.1", host, 1),
			"KAIA_RPC_"+name+"="+strings.Replace(x.kaia.url, "127.0.0.1", host, 1))
	}
	return x.live(ctx)
}

// settleExample starts a client whose first block has the stand-ins, and makes some changes to
// them.
func (s *settings) settleExample(ctx context.Context, cast *anvil.Node, name string, id, offset uint64, token,
	pets common.Address, more ...standIn) (*town, error) {
	n := &node{bin: s.bin, dir: filepath.Join(s.dir, "example-"+name), alloc: map[common.Address]allocation{}}
	for _, c := range clients {
		if c.name == name {
			n.client = c
		}
	}
	n.id = id
	_, from, err := accountOf(n.key)
	if err != nil {
		return nil, err
	}
	for _, in := range append(more,
		standIn{at: anvil.Multicall3, contract: "Multicall3"},
		standIn{at: token, contract: "Token", args: []any{"Coin", "COIN", uint8(18), new(big.Int)}},
		standIn{at: pets, contract: "Pets", args: []any{contracts.Options{Version: 2,
			Offset: new(big.Int).SetUint64(offset)}}}) {
		if n.alloc[in.at], err = in.make(ctx, cast, from); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(n.dir, 0o755); err != nil {
		return nil, err
	}
	if err := n.open(ctx); err != nil {
		return nil, err
	}
	s.say("example: %s of chain %d at %s", n.name, n.id, n.url)
	t := &town{node: n, multicall: anvil.Multicall3, token: token, pets: pets, offset: offset, heroes: map[uint64]int64{}}
	for _, err := range []error{
		t.do(ctx, "Token", token, "setMinter", t.from, true),
		t.do(ctx, "Token", token, "mint", t.from, coins(2_000_000)),
		t.do(ctx, "Token", token, "transfer", common.HexToAddress("0xdEaD"), coins(1000)),
		t.do(ctx, "Token", token, "lock", t.from, coins(300_000), big.NewInt(time.Now().Add(time.Hour).Unix())),
		t.do(ctx, "Pets", pets, "hatch", t.from, big.NewInt(petsHatched), big.NewInt(7)),
		t.happen(ctx),
	} {
		if err != nil {
			n.stop()
			return nil, err
		}
	}
	return t, nil
}

// live runs the service, and returns the result as text.
func (x *example) live(ctx context.Context) (string, error) {
	check := exec.CommandContext(ctx, x.program, "config", "check", "--online", x.service.config)
	check.Env = x.env
	out, _ := check.CombinedOutput() // fails, because one chain has no node
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasPrefix(line, "FAULT") && !strings.Contains(line, "metis") {
			return "", fmt.Errorf("config check --online: %s", line)
		}
	}
	if err := x.run(ctx); err != nil {
		return "", err
	}
	defer x.stop()
	if err := x.explain(within(ctx, 3*time.Minute, func() error { return x.tellsTruth(ctx) })); err != nil {
		return "", err
	}
	for _, t := range []*town{x.dfk, x.kaia} {
		if err := t.happen(ctx); err != nil {
			return "", err
		}
	}
	if err := x.explain(within(ctx, 3*time.Minute, func() error { return x.tellsTruth(ctx) })); err != nil {
		return "", fmt.Errorf("following: %w", err)
	}
	return "Two chains of this file were tried: `dfk` (id 53935) on subnet-evm, and `kaia` (id 8217) on Kaia.\n" +
		"Our own contracts were at the addresses in the file. Only the addresses of the nodes in the file\n" +
		"were changed. `config check --online` found no fault on these chains. JEWEL, CRYSTAL, JADE and the\n" +
		"pets of both realms were correct, also after a change.\n", nil
}

// tellsTruth compares the published data with the contracts, once.
func (x *example) tellsTruth(ctx context.Context) error {
	figures := map[string]*big.Int{"/jewel/totalsupply": coins(125_000_000 - 5),
		"/jewel/circulatingsupply": coins(125_000_000 - 5 - 1_000_000)}
	for path, t := range map[string]*town{"/crystal": x.dfk, "/jade": x.kaia} {
		minted, err := t.totalSupply(ctx, t.token)
		if err != nil {
			return err
		}
		figures[path+"/totalsupply"] = new(big.Int).Sub(minted, coins(1000))
		figures[path+"/circulatingsupply"] = new(big.Int).Sub(minted, coins(301_000))
	}
	for path, want := range figures {
		body, err := getFrom("supply.example.com", "http://"+x.listen+path)
		if err != nil || string(body) != exact(want) {
			return fmt.Errorf("%s is %s, want %s (%v)", path, body, exact(want), err)
		}
	}
	for _, t := range []*town{x.dfk, x.kaia} {
		for id, hero := range t.heroes {
			if err := x.shows(fmt.Sprintf("/token/%d", id), hero, "pets.example.com"); err != nil {
				return err
			}
		}
	}
	return nil
}

func coins(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(1e18)) }
