package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/process"
)

// subnetVM is the id by which avalanchego finds subnet-evm among its plugins, as in build.sh.
const subnetVM = "srEXiWaHuhNyGwPUi444Tu47ZEDwxTWrbQiuD7FmgSAQ6X7Dy"

//go:embed subnet-genesis.json
var subnetGenesis []byte

// A client is one kind of node software.
type client struct {
	name     string
	id       uint64
	key      string // private key of a funded account
	onDemand bool   // no blocks without transactions
	start    func(context.Context, *node) error
}

const (
	gethKey = "b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291"
	avaxKey = "56289e99c94b6912bfc12adc093c9b51124f0dc54ac7a766b2bc5ccf558d8027"
	kaiaKey = "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80" // the first key of "test … junk"
)

var clients = []client{
	{name: "geth", id: 1337, key: gethKey, start: startGeth()},
	{name: "geth-hash", id: 1337, key: gethKey, start: startGeth("--state.scheme", "hash")},
	{name: "kaia", id: 88217, key: kaiaKey, start: startKaia},
	{name: "coreth", id: 43112, key: avaxKey, onDemand: true, start: startCoreth},
	{name: "subnet-evm", id: 53935, key: avaxKey, onDemand: true, start: startSubnet},
}

// A node is a running client, with its data in dir. It may be stopped and started again.
type node struct {
	client
	*account
	bin, dir string
	url      string
	version  string
	ports    []string // the same after a restart
	track    []string // avalanchego: the subnets that it follows
	process  *process.Process
}

func (n *node) open(ctx context.Context) error {
	if err := n.start(ctx, n); err != nil {
		return fmt.Errorf("starting %s: %w", n.name, err)
	}
	var err error
	if n.account, err = openAccount(n.url, n.id, n.key); err != nil {
		return err
	}
	return n.rpc.CallContext(ctx, &n.version, "web3_clientVersion")
}

func (n *node) stop() {
	if n.process != nil {
		n.process.Stop()
	}
}

// launch runs a program of the client and waits until it answers with its chain id.
func (n *node) launch(ctx context.Context, name string, args ...string) error {
	cmd := exec.Command(filepath.Join(n.bin, name), args...)
	cmd.Dir = n.dir
	p, err := process.Start(cmd)
	if err != nil {
		return err
	}
	n.process = p
	return p.Until(ctx, func() error {
		c, err := rpc.DialContext(ctx, n.url)
		if err != nil {
			return err
		}
		defer c.Close()
		var id hexutil.Uint64
		if err := c.CallContext(ctx, &id, "eth_chainId"); err != nil {
			return err
		}
		if uint64(id) != n.id {
			return fmt.Errorf("it serves chain %d", uint64(id))
		}
		return nil
	})
}

// listen sets the node's URL. The first call also chooses two free ports for the node.
func (n *node) listen(path string) error {
	for len(n.ports) < 2 {
		address, err := process.FreeAddress()
		if err != nil {
			return err
		}
		_, port, err := net.SplitHostPort(address)
		if err != nil {
			return err
		}
		n.ports = append(n.ports, port)
	}
	n.url = "http://127.0.0.1:" + n.ports[0] + path
	return nil
}

// startGeth returns a function that runs a chain which makes a block every second. With a block for
// every transaction it would run ahead of the clock.
func startGeth(more ...string) func(context.Context, *node) error {
	return func(ctx context.Context, n *node) error {
		if err := n.listen(""); err != nil {
			return err
		}
		return n.launch(ctx, "geth", append([]string{"--dev", "--dev.period", "1", "--datadir", n.dir, "--http",
			"--http.port", n.ports[0], "--http.api", "eth,net,web3,debug", "--authrpc.port", n.ports[1], "--port", "0",
			"--nodiscover", "--ipcdisable"}, more...)...)
	}
}

func startKaia(ctx context.Context, n *node) error {
	data := filepath.Join(n.dir, "data")
	if _, err := os.Stat(data); err != nil {
		if err := n.setUpKaia(ctx, data); err != nil {
			return err
		}
	}
	if err := n.listen(""); err != nil {
		return err
	}
	return n.launch(ctx, "kcn", "--datadir", data, "--networkid", fmt.Sprint(n.id), "--nodiscover", "--port", n.ports[1],
		"--rpc", "--rpcport", n.ports[0], "--rpcapi", "eth,klay,kaia,net,web3,debug")
}

// setUpKaia makes a chain with one validator.
func (n *node) setUpKaia(ctx context.Context, data string) error {
	home := filepath.Join(n.dir, "setup")
	id := fmt.Sprint(n.id)
	run := func(name string, args ...string) error {
		if out, err := exec.CommandContext(ctx, filepath.Join(n.bin, name), args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", name, err, out[max(0, len(out)-2000):])
		}
		return nil
	}
	if err := run("homi", "setup", "--gen-type", "local", "--cn-num", "1", "--mnemonic", "test junk", "--mnemonic-path",
		"eth",
		"--chainID", id, "--network-id", id, "--output", home); err != nil {
		return err
	}
	file := filepath.Join(home, "scripts", "genesis.json")
	if err := run("kcn", "--datadir", data, "init", file); err != nil {
		return err
	}
	key, err := os.ReadFile(filepath.Join(home, "keys", "nodekey1"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(data, "klay", "nodekey"), key, 0o600)
}

func startCoreth(ctx context.Context, n *node) error { return startAvalanche(ctx, n, "C") }

// startAvalanche runs a network of one node, and serves one chain of it.
func startAvalanche(ctx context.Context, n *node, chain string) error {
	if err := n.listen("/ext/bc/" + chain + "/rpc"); err != nil {
		return err
	}
	for _, dir := range []string{"chains", "plugins"} {
		if err := os.MkdirAll(filepath.Join(n.dir, dir), 0o755); err != nil {
			return err
		}
	}
	plugins := filepath.Join(n.bin, "plugins")
	if err := os.MkdirAll(plugins, 0o755); err != nil {
		return err
	}
	return n.launch(ctx, "avalanchego", "--network-id=local", "--data-dir="+n.dir, "--public-ip=127.0.0.1",
		"--http-port="+n.ports[0], "--staking-port="+n.ports[1], "--sybil-protection-enabled=false", "--bootstrap-ips=",
		"--bootstrap-ids=", "--snow-sample-size=1", "--snow-quorum-size=1", "--staking-ephemeral-cert-enabled",
		"--staking-ephemeral-signer-enabled", "--chain-config-dir="+filepath.Join(n.dir, "chains"), "--plugin-dir="+plugins,
		"--fd-limit=16384", "--track-subnets="+strings.Join(n.track, ","))
}

// startSubnet runs a network of one node, and serves the chain of its subnet. The first time, it
// creates the subnet and the chain.
func startSubnet(ctx context.Context, n *node) error {
	file := filepath.Join(n.dir, "subnet")
	made, err := os.ReadFile(file)
	if err != nil {
		first := *n
		first.id = 43112 // the C-Chain, because there is no subnet yet
		if err := startCoreth(ctx, &first); err != nil {
			return err
		}
		defer first.stop()
		genesis := filepath.Join(n.dir, "genesis.json")
		if err := os.WriteFile(genesis, subnetGenesis, 0o644); err != nil {
			return err
		}
		base, _, _ := strings.Cut(first.url, "/ext/")
		var stderr bytes.Buffer
		create := exec.CommandContext(ctx, filepath.Join(n.bin, "subnet-create"), base, genesis, subnetVM, "kingdom")
		create.Stderr = &stderr
		if made, err = create.Output(); err != nil {
			return fmt.Errorf("creating a subnet: %w: %s", err, stderr.Bytes())
		}
		first.stop()
		if err := os.WriteFile(file, made, 0o644); err != nil {
			return err
		}
	}
	ids := strings.Fields(string(made))
	if len(ids) != 2 {
		return fmt.Errorf("creating a subnet: %q is not a pair of ids", made)
	}
	n.track = ids[:1]
	return startAvalanche(ctx, n, ids[1])
}
