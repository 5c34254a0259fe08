// Package anvil runs real EVM nodes for tests and the devnet. In a test call Test, elsewhere Start.
// Then Deploy contracts on the Node by name, Send them transactions, and Mine or Reorg the
// chain.
package anvil

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/contracts"
	"petsupply/testkit/process"
	"petsupply/testkit/tools"
)

// Multicall3 is the address of the Multicall3 contract on nearly every chain.
var Multicall3 = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

// Options describe the chain. The zero value is chain 31337 with a block for every transaction and
// with Multicall3, on a port that the system chooses.
type Options struct {
	Chain     uint64
	BlockTime time.Duration // a block this often, in whole seconds
	Manual    bool          // only methods of the Node make blocks, such as Do, Send and Mine
	Bare      bool          // no Multicall3
	Genesis   time.Time     // time of the first block; zero means now
}

// A Node is a running anvil with its own chain. Its methods may be called from several goroutines;
// the order of transactions is then not defined.
type Node struct {
	URL      string // HTTP address: the guard's if Manual is set, otherwise the node's
	Direct   string // the node's own address, for benchmarks that mine nothing meanwhile; the guard takes time
	RPC      *rpc.Client
	Accounts []common.Address // funded; the first deploys and sends by default

	options Options
	guard   guard
	cache   string
	process *process.Process // nil until it runs

	sending sync.Mutex // held from reading nonces until the transactions are in the pool

	mu    sync.Mutex
	bound map[common.Address]*contracts.Contract
}

// Test starts a node that ends with the test. A node that cannot be started
// fails the test.
func Test(t testing.TB, o Options) *Node {
	t.Helper()
	process.SkipShort(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	n, err := Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// Start starts a node and waits until it answers. The context bounds only the start: the node runs
// until Close, or until this process ends.
func Start(ctx context.Context, o Options) (*Node, error) {
	dir, err := tools.NPM(ctx, "testkit/contracts")
	if err != nil {
		return nil, err
	}
	program, err := find(dir)
	if err != nil {
		return nil, err
	}
	cache, err := os.MkdirTemp("", "anvil-")
	if err != nil {
		return nil, fmt.Errorf("starting anvil: %w", err)
	}
	n := &Node{
		options: o,
		cache:   cache,
		bound:   map[common.Address]*contracts.Contract{},
	}
	if err := n.start(ctx, exec.Command(program, append(o.args(), "--cache-path", cache)...)); err != nil {
		n.Close()
		return nil, fmt.Errorf("starting anvil: %w", err)
	}
	return n, nil
}

// Close ends the node and waits for its end.
func (n *Node) Close() {
	n.guard.close()
	if n.RPC != nil {
		n.RPC.Close()
	}
	if n.process != nil {
		n.process.Kill() // it has nothing to save
	}
	os.RemoveAll(n.cache)
}

func (o Options) args() []string {
	chain := o.Chain
	if chain == 0 {
		chain = 31337
	}
	// Gas is free, so that balances of the gas token change only when it is sent.
	args := []string{
		"--host", "127.0.0.1", "--port", "0",
		"--chain-id", strconv.FormatUint(chain, 10),
		"--accounts", "10", "--balance", "1000000000000",
		"--slots-in-an-epoch", "1",
		"--gas-price", "0", "--block-base-fee-per-gas", "0", "--disable-min-priority-fee",
		"--gas-limit", "1000000000000", "--no-request-size-limit",
		"--auto-impersonate", "--order", "fifo", "--threads", "2",
	}
	switch {
	case o.Manual:
		args = append(args, "--no-mining")
	case o.BlockTime > 0:
		args = append(args, "--block-time", strconv.Itoa(max(1, int(o.BlockTime.Seconds()))))
	}
	if !o.Genesis.IsZero() {
		args = append(args, "--timestamp", strconv.FormatInt(o.Genesis.Unix(), 10))
	}
	return args
}

// find returns the node's program in node_modules: the binary of this platform and not the script
// that calls it, so that a signal reaches the node.
func find(dir string) (string, error) {
	pattern := filepath.Join(dir, "node_modules", "@foundry-rs", "anvil-*", "bin", "anvil*")
	found, err := filepath.Glob(pattern)
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", fmt.Errorf("finding anvil: nothing matches %s; is there a package for %s/%s?", pattern, runtime.GOOS,
			runtime.GOARCH)
	}
	return found[0], nil
}

func (n *Node) start(ctx context.Context, cmd *exec.Cmd) error {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if n.process, err = process.Start(cmd); err != nil {
		return err
	}
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewReader(out)
		address <- listening(lines)
		io.Copy(io.Discard, lines)
	}()
	select {
	case at := <-address:
		if at == "" {
			<-n.process.Done()
			return fmt.Errorf("it ended at once: %s", n.process.Output.Tail())
		}
		return n.prepare(ctx, "http://"+at)
	case <-ctx.Done():
		return ctx.Err()
	}
}

var announcement = regexp.MustCompile(`^Listening on (\S+)`)

// listening reads the node's output until it names the address that it listens on.
func listening(lines *bufio.Reader) string {
	for {
		line, err := lines.ReadString('\n')
		if found := announcement.FindStringSubmatch(line); found != nil {
			return found[1]
		}
		if err != nil {
			return ""
		}
	}
}

func (n *Node) prepare(ctx context.Context, address string) error {
	client, err := rpc.DialContext(ctx, address)
	if err != nil {
		return err
	}
	n.RPC, n.URL, n.Direct = client, address, address
	if n.options.Manual {
		if n.URL, err = n.guard.watch(address); err != nil {
			return err
		}
	}
	if err := client.CallContext(ctx, &n.Accounts, "eth_accounts"); err != nil {
		return err
	}
	if len(n.Accounts) == 0 {
		return errors.New("it has no accounts")
	}
	if n.options.Bare {
		return nil
	}
	return n.Place(ctx, Multicall3, "Multicall3")
}
