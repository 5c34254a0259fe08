package index_test

import (
	"context"
	"errors"
	"math/big"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
	"petsupply/testkit/contracts"
	"petsupply/testkit/faultproxy"
	"petsupply/testkit/traits"
)

// mean is a real chain that makes trouble on request.
type mean struct {
	*evm.Chain
	mu     sync.Mutex
	widest uint64 // wider ranges of logs are refused
	ranges []uint64
	spoil  func([]evm.Log) []evm.Log
	forgot uint64 // the state of lower blocks is gone
	garble func([]evm.Call, [][]byte)
	fail   error // error of the next read
	// instead answers the next read, like a node that looks at another block.
	instead func(calls []evm.Call) ([][]byte, error)
}

// now reads calls at the newest block.
func (m *mean) now(ctx context.Context, calls []evm.Call) ([][]byte, error) {
	at, err := m.Chain.Pin(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	return m.Chain.Read(ctx, at, calls)
}

func (m *mean) Logs(ctx context.Context, q evm.LogQuery) ([]evm.Log, error) {
	if m.ranges = append(m.ranges, q.To-q.From+1); m.widest > 0 && q.To-q.From >= m.widest {
		return nil, evm.ErrRange
	}
	logs, err := m.Chain.Logs(ctx, q)
	if m.spoil != nil {
		logs = m.spoil(logs)
	}
	return logs, err
}

func (m *mean) Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.fail; err != nil {
		m.fail = nil
		return nil, err
	}
	if instead := m.instead; instead != nil {
		m.instead = nil
		return instead(calls)
	}
	if at.Number < m.forgot {
		return nil, errors.New("missing trie node")
	}
	answers, err := m.Chain.Read(ctx, at, calls)
	if m.garble != nil && err == nil {
		m.garble(calls, answers)
	}
	return answers, err
}

// trouble opens an archive of a kingdom with one realm behind a mean chain.
func trouble(t *testing.T) (*land, *archive, *mean) {
	t.Helper()
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0), Refresh: true})
	a := k.index(t)
	m := &mean{Chain: k.lands[0].dial(t)}
	x := index.New(k.realms[0], realmsOf(k.realms...), m, a.Store, nil)
	x.SweepEvery = 0
	a.indexers = []*index.Indexer{x}
	return k.lands[0], a, m
}

func TestIndexBearsBadLogs(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(20), num(1))
	a.catchUp(t)
	transfer := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	m.spoil = func(logs []evm.Log) []evm.Log {
		logs = append(logs, logs...) // duplicates
		slices.Reverse(logs)         // and out of order
		if len(logs) == 0 {
			return logs
		}
		at := logs[0]
		odd := func(address common.Address, topics []common.Hash, data []byte) {
			logs = append(logs, evm.Log{Address: address, Topics: topics, Data: data, Block: at.Block, Hash: at.Hash})
		}
		// The first log is of another contract.
		odd(common.Address{66}, []common.Hash{transfer, {}, {}, common.BigToHash(big.NewInt(7))}, nil)
		odd(at.Address, nil, nil)
		odd(at.Address, []common.Hash{transfer}, nil)
		odd(at.Address, []common.Hash{transfer, {}, {}, common.MaxHash}, nil)
		odd(at.Address, []common.Hash{{1}, common.MaxHash, {2}, {3}}, make([]byte, 7))
		odd(at.Address, []common.Hash{crypto.Keccak256Hash([]byte("BatchMetadataUpdate(uint256,uint256)"))},
			slices.Concat(make([]byte, 32), common.MaxHash[:]))
		return logs
	}
	for i := range uint64(6) {
		l.do(t, "feed", num(1+i), uint8(i))
		l.do(t, "hatch", bob, num(2), num(i))
		a.catchUp(t)
		a.check(t)
	}
}

func TestIndexFitsItsWindowToTheNode(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(3), num(1))
	a.catchUp(t)
	m.widest, m.ranges = 40, nil
	must(t, l.Mine(t.Context(), 200))
	l.do(t, "feed", num(2), uint8(9))
	must(t, l.Mine(t.Context(), 200))
	a.catchUp(t)
	a.check(t)
	if first := m.ranges[0]; first <= 40 {
		t.Errorf("the first search of %d blocks was not refused", first)
	}
}

func TestPetsThatMakeNoSenseAreAskedForAgain(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(20), num(1))
	m.garble = func(calls []evm.Call, answers [][]byte) {
		for i, c := range calls {
			if len(c.Data) == 36 && c.Data[35] == 7 && i%2 == 1 {
				answers[i] = answers[i][:64] // pet 7's struct is cut
			}
		}
	}
	x := a.indexers[0]
	x.RetryAfter = time.Millisecond
	a.settle(t, x)
	if n := len(a.everyPet(t)); n != 19 {
		t.Errorf("%d pets while one cannot be read", n)
	}
	m.garble = nil
	for end := time.Now().Add(10 * time.Second); len(a.everyPet(t)) != 20 && time.Now().Before(end); {
		a.catchUp(t)
	}
	if n := a.check(t); n != 20 {
		t.Errorf("%d pets once it can be read", n)
	}
}

func TestNobodyWaitsForPetsThatCannotBeRead(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(1300), num(1))
	// The broken pets are more than one step wants, and fill a whole read.
	broken := func(id uint64) bool { return id > 600 && id <= 1200 }
	m.garble = func(calls []evm.Call, answers [][]byte) {
		for i, c := range calls {
			if len(c.Data) == 36 && i%2 == 1 && broken(new(big.Int).SetBytes(c.Data[4:]).Uint64()) {
				answers[i] = nil // the getter reverts
			}
		}
	}
	x := a.indexers[0]
	x.RetryAfter = time.Hour
	a.catchUp(t)
	l.do(t, "feed", num(1000), uint8(3)) // the only change in its block
	l.do(t, "feed", num(7), uint8(3))
	a.catchUp(t)
	if n := len(a.everyPet(t)); n != 700 {
		t.Errorf("%d pets while 600 cannot be read", n)
	}
	if p := a.everyPet(t)[7]; traits.Number(p.Value, "foodtype") != 3 {
		t.Errorf("a pet that can be read: %+v", p)
	}
	must(t, ignore(step(t, x), errCaughtUp))
	if n := x.Progress().Aside; n != 600 {
		t.Errorf("progress says %d pets are set aside", n)
	}
	reads := 0
	m.garble = func(calls []evm.Call, _ [][]byte) { reads += len(calls) }
	for range 3 {
		must(t, ignore(step(t, x), errCaughtUp))
	}
	if reads != 0 {
		t.Errorf("%d calls for pets whose pause is not over", reads)
	}
}

// ignore returns nil if err is the error but, and otherwise err.
func ignore(err, but error) error {
	if errors.Is(err, but) {
		return nil
	}
	return err
}

// A node that is importing a block may answer for its newest block with the state of the next. If a
// reorg removes that next block, no event mentions the state.
func TestAnAnswerThatIsAheadOfItsBlockIsNotKept(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(20), num(1))
	must(t, l.Mine(t.Context(), 5))
	a.catchUp(t)
	l.do(t, "feed", num(5), uint8(1))
	m.instead = func(calls []evm.Call) ([][]byte, error) {
		l.do(t, "rename", num(5), "ahead")
		return m.now(t.Context(), calls)
	}
	must(t, ignore(step(t, a.indexers[0]), errCaughtUp))
	must(t, l.Reorg(t.Context(), 1))
	a.catchUp(t)
	a.check(t)
}

// A node may answer for a removed block with the state of its replacement. The replacement may be
// removed too, before its events are seen.
func TestAnAnswerOfAReplacementBlockIsNotKept(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(20), num(1))
	must(t, l.Mine(t.Context(), 5))
	a.catchUp(t)
	a.want(t, l, 5)
	m.instead = func(calls []evm.Call) ([][]byte, error) {
		must(t, l.Reorg(t.Context(), 1, l.tx("rename", num(5), "in its place")))
		return m.now(t.Context(), calls)
	}
	if err := step(t, a.indexers[0]); !errors.Is(err, evm.ErrReorg) {
		t.Errorf("a read at a removed block: %v", err)
	}
	must(t, l.Reorg(t.Context(), 1))
	a.catchUp(t)
	a.check(t)
}

func TestSweepFindsDrift(t *testing.T) {
	l, a, _ := trouble(t)
	l.do(t, "hatch", alice, num(50), num(1))
	a.catchUp(t)
	wrong := a.everyPet(t)[33]
	wrong.Value, wrong.Owner = traits.V2("season", 99), bob
	if _, err := a.ImportPets(t.Context(), realmsOf(a.k.realms...), []pet.Pet{wrong}); err != nil {
		t.Fatal(err)
	}
	x := a.indexers[0]
	x.SweepEvery, x.SweepIDs = time.Nanosecond, 20
	for range 4 {
		if err := step(t, x); err != nil && !errors.Is(err, errCaughtUp) {
			t.Fatal(err)
		}
	}
	if n := a.check(t); n != 50 {
		t.Errorf("%d pets", n)
	}
	for _, c := range x.Collectors() {
		if testutil.CollectAndCount(c, "petsupply_index_drift_total") == 1 && testutil.ToFloat64(c) != 1 {
			t.Errorf("drift is counted as %v", testutil.ToFloat64(c))
		}
	}
}

func TestAPassingErrorDoesNotMoveThePin(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(2200), num(1))
	x := a.indexers[0]
	must(t, step(t, x)) // pins a block
	pinned, err := a.PetWork(t.Context(), "first", 1)
	must(t, err)
	must(t, l.Mine(t.Context(), 100))
	m.fail = evm.ErrUnavailable
	if err := step(t, x); !errors.Is(err, evm.ErrUnavailable) {
		t.Errorf("a step whose read failed: %v", err)
	}
	after, err := a.PetWork(t.Context(), "first", 1)
	must(t, err)
	if after.Position.Pin != pinned.Position.Pin {
		t.Errorf("the pin went from %d to %d", pinned.Position.Pin.Number, after.Position.Pin.Number)
	}
	height, err := l.Height(t.Context())
	must(t, err)
	m.forgot = height - 10 // now the pin's state is gone
	must(t, step(t, x))
	if after, err = a.PetWork(t.Context(), "first", 1); err != nil || after.Position.Pin.Number != height {
		t.Errorf("the pin is %d of %d, %v", after.Position.Pin.Number, height, err)
	}
	a.catchUp(t)
	a.check(t)
}

func TestTheSweepFindsPetsWhoseHatchingWasMissed(t *testing.T) {
	l, a, m := trouble(t)
	l.do(t, "hatch", alice, num(5), num(1))
	a.catchUp(t)
	m.spoil = func([]evm.Log) []evm.Log { return nil } // the node lost the logs
	l.do(t, "hatch", bob, num(30), num(2))
	a.catchUp(t)
	x := a.indexers[0]
	x.SweepEvery, x.SweepIDs = time.Nanosecond, 20
	for range 8 { // each sweep follows a step that reached the head
		must(t, ignore(step(t, x), errCaughtUp))
	}
	if n := a.check(t); n != 35 {
		t.Errorf("%d pets", n)
	}
}

func TestABlockWithMoreLogsThanTheNodeGivesAtOnce(t *testing.T) {
	k := found(t, "latest", contracts.Options{Version: 2, Offset: big.NewInt(0), Refresh: true})
	l := k.lands[0]
	proxy := faultproxy.Test(t, l.URL)
	proxy.Set(faultproxy.LogSize(10, "query returned more than 10 results"))
	l.evm.Providers[0].URL = proxy.URL
	l.do(t, "hatch", alice, num(20), num(1))
	a := k.index(t)
	a.catchUp(t)
	l.do(t, "hatch", bob, num(30), num(2))
	l.do(t, "rename", num(7), "Reader")
	a.catchUp(t)
	if n := a.check(t); n != 50 {
		t.Errorf("%d pets", n)
	}
}
