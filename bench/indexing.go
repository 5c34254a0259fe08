package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/contracts"
	"petsupply/testkit/process"
)

// indexingMemory compares the memory for indexing many pets with that for few, each in its own
// process.
func indexingMemory(ctx context.Context, h *harness) ([]row, error) {
	few, many := 100_000, 1_000_000
	if h.quick {
		few, many = 10_000, 40_000
	}
	small, err := h.indexing(ctx, few)
	if err != nil {
		return nil, err
	}
	large, err := h.indexing(ctx, many)
	if err != nil {
		return nil, err
	}
	h.say("  indexing %d pets: %.0f MB, %d pets: %.0f MB", few, small/1e6, many, large/1e6)
	r := compare(fmt.Sprintf("memory during the first reading of %s pets", ledger.Grouped(strconv.Itoa(many))),
		"MB resident at most", 1/1.5, []pairing{{large / 1e6, small / 1e6}})
	r.Against = ledger.Grouped(strconv.Itoa(few)) + " pets"
	return []row{r}, nil
}

// indexing indexes this many pets in another process of this program, and returns its peak memory.
func (h *harness) indexing(ctx context.Context, pets int) (most float64, err error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	out, err := exec.CommandContext(ctx, self, "-index", strconv.Itoa(pets)).Output()
	if err == nil {
		err = json.Unmarshal(out, &most)
	}
	if err != nil {
		return 0, fmt.Errorf("indexing %d pets in another process: %w: %s", pets, err, out)
	}
	return most, nil
}

// indexMadeUp indexes the pets of a madeUp chain, and prints the peak memory of this process.
func indexMadeUp(ctx context.Context, pets int, out io.Writer) error {
	abi, err := contracts.Load("Pets")
	if err != nil {
		return err
	}
	sample := contracts.Pet{Id: new(big.Int), EquippedTo: new(big.Int), Name: "Burr", Season: 1}
	answer, err := abi.ABI.Methods["getPetV2"].Outputs.Pack(sample)
	if err != nil {
		return err
	}
	if _, err := takeIn(ctx, &madeUp{pets, answer}, nativeRealm(common.Address{1}), pets); err != nil {
		return err
	}
	self := process.Process{Cmd: &exec.Cmd{Process: &os.Process{Pid: os.Getpid()}}}
	_, most, err := self.Memory()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(most)
}

// A madeUp is a chain of one block with one contract of pets. It invents each pet when it is read.
type madeUp struct {
	pets   int
	answer []byte // an answer of getPetV2; Read puts the id of the pet into it
}

var onlyBlock = evm.Block{Number: 9, Hash: common.Hash{9}, Parent: common.Hash{8}, Time: time.Unix(1_700_000_000,
	0).UTC()}

func (m *madeUp) Pin(context.Context, time.Time) (evm.Block, error)     { return onlyBlock, nil }
func (m *madeUp) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) { return nil, nil }
func (m *madeUp) Blocks(_ context.Context, numbers ...uint64) ([]evm.Block, error) {
	return slices.Repeat([]evm.Block{onlyBlock}, len(numbers)), nil
}

// Read answers nextPetId, or an owner and a struct for each pet.
func (m *madeUp) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	answers := make([][]byte, len(calls))
	for i, c := range calls {
		switch {
		case len(c.Data) == 36 && common.BytesToHash(c.Data[4:]) == (common.Hash{}):
			// no answer, because there is no pet 0
		case len(c.Data) == 4:
			answers[i] = common.BigToHash(big.NewInt(int64(m.pets + 1))).Bytes()
		case i%2 == 0:
			answers[i] = common.BytesToHash([]byte{7}).Bytes()
		default:
			answers[i] = append([]byte{}, m.answer...)
			copy(answers[i][32:64], c.Data[4:])
		}
	}
	return answers, nil
}
