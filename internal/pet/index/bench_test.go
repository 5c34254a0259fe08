package index_test

import (
	"context"
	"errors"
	"flag"
	"math/big"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/internal/store"
	"petsupply/testkit/contracts"
)

var size = flag.Int("pets", 10_000, "how many pets the benchmarks index")

// BenchmarkIndexMemory indexes a realm on an invented chain within the process, and reports the
// peak memory.
//
//	go test ./internal/pet/index -run - -bench IndexMemory -benchtime 1x -pets 1000000
func BenchmarkIndexMemory(b *testing.B) {
	c, err := contracts.Load("Pets")
	if err != nil {
		b.Fatal(err)
	}
	answer, err := c.ABI.Methods["getPetV2"].Outputs.Pack(contracts.Pet{Id: new(big.Int), EquippedTo: new(big.Int),
		Name: "Burr"})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		s, err := store.Open(b.Context(), "sqlite://"+filepath.Join(b.TempDir(), "pets.db"), 10*time.Second, nil)
		if err != nil {
			b.Fatal(err)
		}
		realm := pet.Realm{Key: "first", Offset: offset(0), Getter: "v2", Contract: common.Address{1}}
		x := index.New(realm, realmsOf(realm), &madeUp{pets: *size, answer: answer}, s, nil)
		began, most := time.Now(), uint64(0)
		for steps := 0; ; steps++ {
			if ok, err := s.Campaign(b.Context(), "bench", time.Minute); err != nil || !ok {
				b.Fatalf("taking the lease: %v, %v", ok, err)
			}
			if err := step(b, x); errors.Is(err, errCaughtUp) {
				break
			} else if err != nil {
				b.Fatal(err)
			}
			var m runtime.MemStats
			if runtime.ReadMemStats(&m); steps > 0 {
				most = max(most, m.Sys-m.HeapReleased)
			}
		}
		b.ReportMetric(float64(*size)/time.Since(began).Seconds(), "pets/s")
		b.ReportMetric(float64(most)/(1<<20), "MiB")
		s.Close()
	}
}

// madeUp is a chain of one block with a contract of pets.
type madeUp struct {
	pets   int
	answer []byte // result of getPetV2 for pet 0
}

var only = evm.Block{Number: 9, Hash: common.Hash{9}, Parent: common.Hash{8}, Time: time.Unix(1_700_000_000, 0).UTC()}

func (m *madeUp) Pin(context.Context, time.Time) (evm.Block, error)     { return only, nil }
func (m *madeUp) Logs(context.Context, evm.LogQuery) ([]evm.Log, error) { return nil, nil }
func (m *madeUp) Blocks(_ context.Context, numbers ...uint64) ([]evm.Block, error) {
	return slices.Repeat([]evm.Block{only}, len(numbers)), nil
}
func (m *madeUp) Read(_ context.Context, _ evm.Block, calls []evm.Call) ([][]byte, error) {
	answers := make([][]byte, len(calls))
	owner := common.BytesToHash(alice[:])
	for i, c := range calls {
		switch {
		case len(c.Data) == 4: // nextPetId()
			answers[i] = common.BigToHash(big.NewInt(int64(m.pets + 1))).Bytes()
		case i%2 == 0:
			answers[i] = owner.Bytes()
		default:
			answers[i] = append([]byte{}, m.answer...)
			copy(answers[i][32:64], c.Data[4:])
		}
	}
	return answers, nil
}
