// Package contracts has the Solidity contracts for tests and the devnet. Load one by name, deploy
// its Bytecode, and call it with its ABI. Package testkit/anvil starts nodes for that.
//
// The sources are in src. After a change run go generate, which writes artifacts, and commit both.
package contracts

//go:generate npm ci --silent
//go:generate node compile.mjs

import (
	"embed"
	"encoding/json"
	"fmt"
	"sort"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

//go:embed artifacts/*.json
var artifacts embed.FS

// A Contract is one compiled contract.
type Contract struct {
	Name     string        `json:"contract"`
	Source   string        `json:"source"` // path of the Solidity file
	ABI      abi.ABI       `json:"abi"`
	Bytecode hexutil.Bytes `json:"bytecode"`         // creates the contract; without constructor arguments
	Runtime  hexutil.Bytes `json:"deployedBytecode"` // the code at its address; immutables are zero
}

// Load returns the contract with this name, such as Token or Pets. Names lists all of them. The
// caller owns the result.
func Load(name string) (*Contract, error) {
	file, err := artifacts.ReadFile("artifacts/" + name + ".json")
	if err != nil {
		return nil, fmt.Errorf("no contract %q, only %s", name, strings.Join(Names(), ", "))
	}
	c := new(Contract)
	if err := json.Unmarshal(file, c); err != nil {
		return nil, fmt.Errorf("reading contract %s: %w", name, err)
	}
	return c, nil
}

// Names lists all contracts, sorted.
func Names() []string {
	files, err := artifacts.ReadDir("artifacts")
	if err != nil {
		return nil // cannot happen: the directory is part of the binary
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".json"))
	}
	sort.Strings(names)
	return names
}
