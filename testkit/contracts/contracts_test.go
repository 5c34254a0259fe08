package contracts

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/testkit/check"
	"petsupply/testkit/tools"
)

// The committed artifacts were made from these sources by this compiler, and were not changed
// since. In make soak the test compiles them again, which takes half a minute.
func TestArtifactsMatchSources(t *testing.T) {
	kept, err := os.ReadFile("artifacts.sum")
	if err != nil {
		t.Fatal(err)
	}
	files := []string{"compile.mjs", "package-lock.json"}
	for _, pattern := range []string{"artifacts/*", "src/*"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var sums bytes.Buffer
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	if !bytes.Equal(sums.Bytes(), kept) {
		t.Errorf("artifacts.sum names other files: run go generate ./testkit/contracts\n%s", sums.Bytes())
	}
	if check.Soak {
		compareCompiled(t)
	}
}

func compareCompiled(t *testing.T) {
	t.Helper()
	dir, err := tools.NPM(t.Context(), "testkit/contracts")
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Join(t.TempDir(), "artifacts")
	cmd := exec.CommandContext(t.Context(), "node", "compile.mjs", made)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("compiling: %v\n%s", err, out)
	}
	files, err := os.ReadDir(made)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(Names()) {
		t.Errorf("the sources make %d contracts, %d are committed: run go generate ./testkit/contracts", len(files),
			len(Names()))
	}
	for _, f := range files {
		fresh, err := os.ReadFile(filepath.Join(made, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := artifacts.ReadFile("artifacts/" + f.Name())
		if err != nil || !bytes.Equal(fresh, kept) {
			t.Errorf("artifacts/%s is not what its source compiles to: run go generate ./testkit/contracts (%v)", f.Name(), err)
		}
	}
}

// Our contracts have the same functions as the real ones.
func TestSelectors(t *testing.T) {
	for _, row := range []struct{ contract, method, selector string }{
		{"Multicall3", "aggregate3", "0x82ad56cb"},
		{"Multicall3", "getChainId", "0x3408e470"},
		{"Multicall3", "getBlockNumber", "0x42cbb15c"},
		{"Multicall3", "getCurrentBlockTimestamp", "0x0f28c97d"},
		{"Multicall3", "getLastBlockHash", "0x27e86d6e"},
		{"Multicall3", "getEthBalance", "0x4d2301cc"},
		{"Token", "totalSupply", "0x18160ddd"},
		{"Token", "unlockedSupply", "0xfd3d27b8"},
		{"Token", "totalLock", "0x3a1aae35"},
		{"Token", "cap", "0x355274ea"},
		{"Token", "lockOf", "0x5a46d3b5"},
		{"Vesting", "reservedToken", "0xc6f25670"},
		{"Furnace", "totalBurn", "0x3c9f861d"},
		{"Pets", "getPetV2", "0xa00df8a1"},
		{"Pets", "getPet", "0x59d55194"},
		{"Pets", "getPetsV2", "0x746838bd"},
		{"Pets", "nextPetId", "0x403f8cc7"},
		{"Pets", "ownerOf", "0x6352211e"},
	} {
		c, err := Load(row.contract)
		if err != nil {
			t.Fatal(err)
		}
		if got := hexutil.Encode(c.ABI.Methods[row.method].ID); got != row.selector {
			t.Errorf("%s.%s is %s, want %s", row.contract, row.method, got, row.selector)
		}
	}
}

func TestUnknownContract(t *testing.T) {
	if _, err := Load("Nothing"); err == nil {
		t.Error("a contract that does not exist was loaded")
	}
}
