package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/app"
	"petsupply/internal/config"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/terminal"
)

// verifyCmd needs no configuration. The evidence has everything except the addresses of nodes, and
// with its proof no nodes are needed.
type verifyCmd struct {
	Evidence string   `arg:"" help:"A file, - for standard input, or the address of a service's /{token}/evidence."`
	Proof    string   `arg:"" optional:"" help:"A file, - for standard input, or the address of the proof. Default, if the evidence is an address: the proof beside it."`
	Block    []string `sep:"none" placeholder:"CHAINID=HASH" help:"The hash, from a source that you trust, of the block at which the chain was read. It is compared with the evidence."`
	RPC      []string `name:"rpc" sep:"none" placeholder:"CHAINID=URL" help:"A node of this chain that still has the state of the block in the evidence. Several nodes of one chain must agree."`
	Key      string   `placeholder:"KEY" help:"Verifier key of the log that must have the snapshot, in the form of /log/key, or a file with it."`
	Witness  string   `placeholder:"POLICY" help:"Witnesses that must have signed the head of the log: a file with a policy, or the verifier key of one witness."`
	JSON     bool     `help:"Print one JSON document instead of lines."`
}

// verifyReport is the output of --json.
type verifyReport struct {
	Token    string          `json:"token"`
	Snapshot string          `json:"snapshot,omitempty"`
	OK       bool            `json:"ok"` // no finding is false, and none is unproven
	Findings supply.Findings `json:"findings"`
	Believed []string        `json:"believed"` // assumptions that neither nodes nor a proof can confirm
}

// verifierMemory is Go's memory limit while evidence or a service is checked. docs/SUPPLY.md
// promises 100 MB; this is less, because the collector may exceed the limit a little.
const verifierMemory = 80 << 20

// Run prints, for everything in the evidence, whether nodes or the proof confirm it.
func (c *verifyCmd) Run(ctx context.Context, p *program) error {
	if c.Proof == "-" && c.Evidence == "-" {
		return usage("evidence and proof cannot both come from standard input")
	}
	if c.Proof != "" && len(c.RPC) > 0 {
		return usage("with --rpc the nodes are asked and no proof is checked: give a proof or --rpc, not both")
	}
	key, err := logKey(c.Key)
	if err != nil {
		return err
	}
	witnesses, err := witnessPolicy(c.Witness)
	if err != nil {
		return err
	}
	app.LimitMemory(p.getenv, p.warnings(), verifierMemory)
	ev, err := c.evidence(ctx, p)
	if err != nil {
		return err
	}
	with := supply.Against{Key: key, Witnesses: witnesses, Nodes: map[uint64]supply.ChainReader{}}
	with.Blocks, err = c.blocks(ev)
	if err != nil {
		return err
	}
	r := verifyReport{Token: ev.Token, Snapshot: ev.Snapshot}
	if len(c.RPC) == 0 {
		with.Proof, err = c.proof(ctx, p, ev)
		if err != nil {
			return err
		}
	} else {
		chains, err := c.dial()
		if err != nil {
			return err
		}
		defer chains.Close()
		for _, chain := range chains {
			with.Nodes[chain.ID()] = chain
		}
	}
	r.Findings = supply.Verify(ctx, ev, with)
	r.Believed = supply.Believed(ev, with)
	c.compareAddress(ev, &r)
	r.OK = r.Findings.OK() && len(r.Findings.With(supply.Unproven)) == 0
	if c.JSON {
		err = p.printJSON(r)
	} else {
		r.print(p.stdout)
	}
	switch {
	case err != nil:
		return err
	case !r.Findings.OK():
		return errReported
	case !r.OK:
		return errUnreached
	}
	return nil
}

// oneLine escapes text for one line of output, and cuts long text.
func oneLine(text string) string {
	const most = 4000
	if len(text) > most {
		text = text[:most] + "… (cut; --json has all)"
	}
	return terminal.OneLine(text)
}

// outcomeWords are the words that print uses for outcomes.
var outcomeWords = map[supply.Outcome]string{
	supply.Holds: "ok", supply.Claimed: "claimed", supply.Unproven: "not proven", supply.False: "NO",
}

// print writes the findings line by line, how many of them agree, and the remaining assumptions.
func (r *verifyReport) print(out io.Writer) {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s\t%s\t%s\n", outcomeWords[f.Outcome], oneLine(f.What), oneLine(f.Detail))
	}
	w.Flush()
	count := func(o supply.Outcome) int { return len(r.Findings.With(o)) }
	fmt.Fprintf(out, "\n%d agree, %d are false, %d are not proven. %d are claimed: only the evidence says so.\n",
		count(supply.Holds), count(supply.False), count(supply.Unproven), count(supply.Claimed))
	fmt.Fprintln(out, "\nYou still have to believe:")
	for _, line := range r.Believed {
		fmt.Fprintln(out, "-", oneLine(line))
	}
}

func (c *verifyCmd) evidence(ctx context.Context, p *program) (*supply.Evidence, error) {
	ev, err := c.evidenceAt(ctx, p, c.Evidence)
	u, malformed := url.Parse(c.Evidence)
	if err == nil || malformed != nil || !isAddress(c.Evidence) || u.RawQuery != "" {
		return ev, err
	}
	if _, named := cutEvidence(strings.TrimSuffix(u.Path, ".json")); named {
		return ev, err
	}
	below := strings.TrimSuffix(c.Evidence, "/") + "/evidence" // c.Evidence may be the address of the token
	if ev, none := c.evidenceAt(ctx, p, below); none == nil {
		c.Evidence = below
		return ev, nil
	}
	return nil, err
}

// evidenceAt reads the evidence in a file or at an address.
func (c *verifyCmd) evidenceAt(ctx context.Context, p *program, name string) (*supply.Evidence, error) {
	in, err := p.fetch(ctx, name)
	if err != nil {
		return nil, opening("the evidence", err)
	}
	defer in.Close()
	return supply.ParseEvidence(in)
}

// dial prepares the given nodes. All nodes of a chain have to agree. Each call is sent by itself,
// because a contract may recognize Multicall3 and answer it differently.
func (c *verifyCmd) dial() (app.Chains, error) {
	configs := map[string]config.Chain{}
	for _, arg := range c.RPC {
		number, address, ok := strings.Cut(arg, "=")
		id, err := strconv.ParseUint(number, 10, 64)
		if !ok || err != nil {
			return nil, usage("--rpc wants CHAINID=URL, such as 53935=https://node.example.com")
		}
		name := strconv.FormatUint(id, 10) // 01 is the same chain as 1
		rpc := append(configs[name].RPC, config.Provider{URL: address})
		configs[name] = config.Chain{ID: id, RPC: rpc, Quorum: len(rpc), Timeout: 30 * time.Second}
	}
	for name, chain := range configs {
		if err := chain.Multicall.UnmarshalText([]byte("none")); err != nil {
			return nil, err
		}
		configs[name] = chain.WithDefaults(name)
	}
	return app.Dial(configs, nil, nil, nil)
}

// proof reads the proof of the evidence.
func (c *verifyCmd) proof(ctx context.Context, p *program, ev *supply.Evidence) (*proof.Document, error) {
	address, err := c.proofAddress(ev)
	if err != nil {
		return nil, err
	}
	in, err := p.fetch(ctx, address)
	if err != nil {
		return nil, opening("the proof", err)
	}
	defer in.Close()
	return proof.Parse(in)
}

// proofAddress returns where the proof is: as given or, if the evidence comes from a web address,
// beside the evidence.
func (c *verifyCmd) proofAddress(ev *supply.Evidence) (string, error) {
	if c.Proof != "" {
		return c.Proof, nil
	}
	if u, err := url.Parse(c.Evidence); err == nil && isAddress(c.Evidence) {
		if base, ok := cutEvidence(u.Path); ok {
			u.Path = base + "/proof"
			u.RawQuery = url.Values{"snapshot": {ev.Snapshot}}.Encode()
			return u.String(), nil
		}
	}
	return "", usage("where is the proof? Give its file or address after the evidence, or nodes to ask with --rpc " +
		"CHAINID=URL")
}

// cutEvidence cuts /evidence from the end of a path. It ignores case, as services do.
func cutEvidence(file string) (token string, is bool) {
	token, name := path.Split(strings.TrimSuffix(file, "/"))
	return strings.TrimSuffix(token, "/"), strings.EqualFold(name, "evidence")
}

// compareAddress checks that the evidence is for the token and the snapshot that its address names.
func (c *verifyCmd) compareAddress(ev *supply.Evidence, r *verifyReport) {
	u, err := url.Parse(c.Evidence)
	if err != nil || !isAddress(c.Evidence) {
		return
	}
	// In a frozen copy the name of the file ends in .json.
	token, is := cutEvidence(strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), ".json"))
	if is && token != "" && !strings.EqualFold(path.Base(token), ev.Token) {
		r.Findings = append(r.Findings, supply.Finding{What: "address", Outcome: supply.False,
			Detail: fmt.Sprintf("the evidence is for another token, %q", ledger.Clip(ev.Token))})
	}
	if asked := u.Query().Get("snapshot"); asked != "" && asked != ev.Snapshot {
		r.Findings = append(r.Findings, supply.Finding{What: "address", Outcome: supply.False,
			Detail: fmt.Sprintf("the evidence is for another snapshot, %q", ev.Snapshot)})
	} else if asked == "" && u.RawQuery != "" {
		r.Believed = append(r.Believed, fmt.Sprintf("that this is the evidence for %q", ledger.Clip(u.RawQuery)))
	}
}

// blocks reads the hashes that were given with --block, by chain id.
func (c *verifyCmd) blocks(ev *supply.Evidence) (map[uint64]common.Hash, error) {
	out := map[uint64]common.Hash{}
	for _, arg := range c.Block {
		name, text, _ := strings.Cut(arg, "=")
		id, err := strconv.ParseUint(name, 10, 64)
		hash, bad := hexutil.Decode(text)
		if err != nil || bad != nil || len(hash) != common.HashLength {
			return nil, usage("--block wants CHAINID=HASH, such as 53935=0x followed by 64 digits")
		}
		if !slices.ContainsFunc(ev.Chains, func(c supply.Block) bool { return c.ChainID == id }) {
			return nil, usage("--block %d: the evidence has no such chain", id)
		}
		if _, twice := out[id]; twice {
			return nil, usage("--block %d is given twice", id)
		}
		out[id] = common.BytesToHash(hash)
	}
	return out, nil
}
