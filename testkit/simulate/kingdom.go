package simulate

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/world"
	"petsupply/testkit/book"
)

// A kingdom is the world of a scenario: three chains and three tokens. The first token is on one
// chain. The second crosses between two by lock and mint, the third by burn and mint.
type kingdom struct {
	Scenario
	start       time.Time
	chains      []*world.Chain
	books       []*book.Book
	tokens      []ledger.Token
	pets        []*book.Pets             // by realm, if there are pets
	ids         []uint64                 // ids of all pets, as petIDs returns them
	burns       map[uint64]time.Duration // when pets are burned
	changeTimes []petTime                // when pets change, in order
	delay       time.Duration            // the longest delay with which an honest provider sees a block
	closed      [3]atomic.Bool           // by chain: the chain is gone, and its realm is closed
}

var (
	multicall = common.HexToAddress("0xca11bde05977b3631167028862be2a173976ca11")
	holder    = common.HexToAddress("0x4011")
	escrow    = common.HexToAddress("0xe5c0")
	vault     = common.HexToAddress("0x7a017")
	dead      = common.HexToAddress("0xdead")
	treasury  = common.HexToAddress("0x7ea5")
	team      = common.HexToAddress("0x7ea3")
	nobody    = common.Address{}
	names     = []string{"amber", "birch", "cedar"}
	unit      = big.NewInt(1_000_000) // tokens have six decimals
)

// firstSupply is the number of whole tokens at the start.
const firstSupply = 1_000_000

// A change is one transaction: it moves tokens, or changes pets.
type change struct {
	at       time.Duration
	chain    int
	token    common.Address
	from, to common.Address
	amount   *big.Int
	order    int
	act      func(world.Block) // changes pets
	lost     bool              // only in blocks that a reorg removes
}

// tokenAt returns the address of a token, the same on each chain.
func tokenAt(i int) common.Address { return common.BytesToAddress([]byte{0x70, byte(i + 1)}) }

// newKingdom builds the world of a scenario that starts at a time.
func newKingdom(s Scenario, start time.Time) *kingdom {
	k := &kingdom{Scenario: s, start: start, tokens: tokens(s, start)}
	var changes []change
	if s.Pets == nil {
		changes = k.changes()
	} else {
		changes = sorted(k.petChanges())
	}
	for i, c := range s.Chains {
		chain := &world.Chain{Name: names[i], ID: uint64(1001 + i), Finality: c.Depth}
		if c.Multicall {
			chain.Multicall = multicall
		}
		chain.Blocks = k.schedule(i, changes)
		for _, f := range s.Faults {
			if f.Kind == "reorg" && f.Chain == i {
				at := start.Add(time.Duration(f.From) * time.Second)
				newest := chain.Blocks.Newest(at)
				first := max(1, newest-min(newest, uint64(f.Amount))+1)
				chain.Reorgs = append(chain.Reorgs, world.Reorg{At: at, From: first})
			}
		}
		k.chains = append(k.chains, chain)
		k.books = append(k.books, k.fill(i, chain, changes))
		for _, d := range c.Delays {
			k.delay = max(k.delay, time.Duration(d)*time.Millisecond)
		}
	}
	return k
}

// tokens returns the configured tokens. The first one expects the events of the scenario.
func tokens(s Scenario, start time.Time) []ledger.Token {
	var events []ledger.Event
	for _, f := range s.Faults {
		if f.Kind == "event" {
			events = append(events, ledger.Event{From: start.Add(time.Duration(f.From) * time.Second),
				To:     start.Add(time.Duration(f.To) * time.Second),
				Change: ledger.SignedPercent(f.Amount * 1000), Reason: "an unlock"})
		}
	}
	slack := ledger.Whole(s.Slack, 0)
	issued := func(i, chain int, bridge string) ledger.Entry {
		return ledger.Entry{Label: "issued on " + names[chain], Bucket: ledger.Issued, Chain: names[chain],
			ERC20: tokenAt(i).Hex(), Bridge: bridge}
	}
	held := func(i, chain int, by common.Address, bucket ledger.Bucket, bridge string) ledger.Entry {
		return ledger.Entry{Label: string(bucket), Bucket: bucket, Chain: names[chain], ERC20: tokenAt(i).Hex(),
			Holder: by.Hex(), Bridge: bridge}
	}
	return []ledger.Token{
		{Path: "jewel", Symbol: "JEWEL", Name: "Jewel", Decimals: 6, Expected: events, Ledger: []ledger.Entry{
			issued(0, 0, ""), held(0, 0, dead, ledger.Burned, ""), held(0, 0, vault, ledger.Locked, "")}},
		{Path: "crystal", Symbol: "CRYSTAL", Name: "Crystal", Decimals: 6,
			Bridges: map[string]ledger.Bridge{"gate": {Count: ledger.CountSource, Slack: &slack}},
			Ledger: []ledger.Entry{
				issued(1, 0, ""), held(1, 0, escrow, ledger.Escrowed, "gate"), issued(1, 1, "gate")}},
		{Path: "jade", Symbol: "JADE", Name: "Jade", Decimals: 6,
			Bridges: map[string]ledger.Bridge{"relay": {Count: ledger.CountSum, Slack: &slack}},
			Ledger: []ledger.Entry{
				issued(2, 1, "relay"), issued(2, 2, "relay"),
				{Label: "treasury", Bucket: ledger.Reserved, Chain: names[2], Native: treasury.Hex()}}},
	}
}

// changes returns all transactions, in the order of their times.
func (k *kingdom) changes() (list []change) {
	end := time.Duration(k.Minutes) * time.Minute
	add := func(at time.Duration, chain, token int, from, to common.Address, amount int64) {
		list = append(list, change{at: at, chain: chain, token: tokenAt(token), from: from, to: to,
			amount: new(big.Int).Mul(big.NewInt(amount), unit), order: len(list)})
	}
	for token := range 3 {
		r := rand.New(rand.NewPCG(k.Seed, uint64(100+token)))
		for at := -10 * time.Minute; at < end; at += time.Duration(1+r.IntN(2*k.Busy)) * time.Second {
			amount := int64(1 + r.IntN(200))
			small := int64(1 + r.IntN(10))
			across := at + time.Duration(90+r.IntN(120))*time.Second
			switch what := r.IntN(4); {
			case token == 0:
				to := []common.Address{dead, vault, holder, nobody}[what]
				from := holder
				if what == 2 {
					from = nobody
				}
				add(at, 0, 0, from, to, amount)
			case token == 1 && what < 2:
				add(at, 0, 1, holder, escrow, amount)
				add(across, 1, 1, nobody, holder, amount)
			case token == 1:
				add(at, 1, 1, holder, nobody, small)
				add(across, 0, 1, escrow, holder, small)
			default:
				add(at, 1+what%2, 2, holder, nobody, small)
				add(across, 2-what%2, 2, nobody, holder, small)
			}
		}
	}
	k.faultyChanges(add)
	return sorted(list)
}

// faultyChanges adds the transactions of faults of tokens. add adds one transaction.
func (k *kingdom) faultyChanges(add func(at time.Duration, chain, token int, from, to common.Address, amount int64)) {
	mint := func(at time.Duration, chain, token int, amount int64) {
		if amount < 0 {
			add(at, chain, token, holder, nobody, -amount)
		} else {
			add(at, chain, token, nobody, holder, amount)
		}
	}
	for _, f := range k.Faults {
		from := time.Duration(f.From) * time.Second
		to := time.Duration(f.To) * time.Second
		chain := f.Token // becomes the chain on which the token is first issued
		if chain == 1 {
			chain = 0
		} else if chain == 2 {
			chain = 1
		}
		amount := firstSupply / 1000 * f.Amount
		switch f.Kind {
		case "swing":
			add(from, chain, f.Token, holder, nobody, -amount)
			add(to, chain, f.Token, nobody, holder, -amount)
		case "jump":
			mint(from, chain, f.Token, amount)
		case "event": // in steps, which go beyond what is expected
			for step := range 6 {
				mint(from+time.Duration(step)*(to-from)/6, chain, f.Token, amount/4)
			}
		case "drip": // more and more on one side of the bridge
			for at := from; at < to; at += 2 * time.Minute {
				add(at, 1, 2, nobody, holder, k.Slack*2/3)
			}
		}
	}
}

// sorted sorts transactions by their times.
func sorted(list []change) []change {
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), a.order-b.order) })
	return list
}

// schedule returns the schedule of the blocks of chain i.
func (k *kingdom) schedule(i int, changes []change) world.Schedule {
	genesis := k.start.Add(-3 * time.Hour)
	if every := k.Chains[i].BlockTime; every > 0 {
		return world.Steady{Genesis: genesis, Every: time.Duration(every) * time.Second}
	}
	times := world.OnDemand{genesis}
	for _, c := range changes {
		if at := k.start.Add(c.at).Truncate(time.Second); c.chain == i && at.After(times[len(times)-1]) {
			times = append(times, at)
		}
	}
	return times
}

// fill puts the changes into the blocks of chain i. A reorg puts the transactions of the blocks that
// it replaces into new blocks.
func (k *kingdom) fill(i int, chain *world.Chain, changes []change) *book.Book {
	state := book.New(chain)
	if k.Pets != nil {
		k.addPets(i, state)
	} else {
		k.addTokens(i, state)
	}
	type included struct {
		change
		number uint64
		branch int
	}
	var all []included
	steady := k.Chains[i].BlockTime > 0
	for _, c := range changes {
		if c.chain != i {
			continue
		}
		at := k.start.Add(c.at)
		number := chain.Blocks.Newest(at)
		if steady {
			number++
			at = chain.Blocks.Time(number)
		} else {
			at = at.Truncate(time.Second)
			number = chain.Blocks.Newest(at)
		}
		now := included{c, number, world.View{Chain: chain, At: at}.Block(number).Branch}
		if c.lost {
			if now.branch < len(chain.Reorgs) && removes(chain.Reorgs[now.branch], number, at) {
				all = append(all, now)
			}
			continue
		}
		all = append(all, now)
		for j := now.branch; j < len(chain.Reorgs); j++ {
			if removes(chain.Reorgs[j], now.number, at) {
				if steady {
					now.number += uint64(c.order % 3)
				}
				now.branch = j + 1
				all = append(all, now)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b included) int {
		return cmp.Or(a.branch-b.branch, cmp.Compare(a.number, b.number), cmp.Compare(a.at, b.at), a.order-b.order)
	})
	for _, c := range all {
		if at := (world.Block{Number: c.number, Branch: c.branch}); c.act != nil {
			c.act(at)
		} else {
			state.Move(at, c.token, c.from, c.to, c.amount)
		}
	}
	return state
}

// removes reports whether a reorg removes a block that was made at a time.
func removes(r world.Reorg, number uint64, made time.Time) bool {
	return r.From <= number && !r.At.Before(made)
}

// addTokens adds the tokens to chain i.
func (k *kingdom) addTokens(i int, state *book.Book) {
	for token := range 3 {
		state.AddToken(tokenAt(token), 6)
		amount := new(big.Int).Mul(big.NewInt(firstSupply), unit)
		if token == 1 && i == 1 { // these tokens have crossed the bridge
			amount.Div(amount, big.NewInt(100))
		}
		state.Move(world.Block{}, tokenAt(token), nobody, holder, amount)
	}
	if i == 0 {
		state.Move(world.Block{}, tokenAt(1), holder, escrow, new(big.Int).Mul(big.NewInt(firstSupply/100), unit))
	}
	state.Give(world.Block{}, treasury, new(big.Int).Exp(big.NewInt(10), big.NewInt(22), nil))
}

// truth returns the amount of an entry at a block of its chain.
func (k *kingdom) truth(chain int, at world.Block, e ledger.Entry) (ledger.Amount, error) {
	call, _, err := e.ChainCall()
	if err != nil {
		return ledger.Amount{}, err
	}
	if call.Balance {
		return ledger.Amount{Units: k.books[chain].Balance(at, call.To), Decimals: 18}.Rescale(6)
	}
	out, ok := k.books[chain].Call(at, call.To, call.Data)
	if !ok {
		return ledger.Amount{}, fmt.Errorf("%s reverts", e.Label)
	}
	return ledger.Amount{Units: new(big.Int).SetBytes(out), Decimals: 6}, nil
}
