package demo

import (
	"math/big"
	"time"

	"petsupply/internal/supply/ledger"
)

const (
	decimals = 18
	percent  = ledger.Percent(10_000)
)

// A tide is an amount that changes with time. It grows or shrinks steadily (see hourly). In each
// period it also rises and falls again (see swing). After the kingdom's first months it grows or
// shrinks ever more slowly, so that no amount runs out.
type tide struct {
	name   string
	start  int64 // amount at the kingdom's start, in whole tokens
	hourly int64 // growth in an hour, in thousandths of a token
	swing  int64 // how far it rises in a period, in whole tokens; if negative, it falls first
	period int64 // of the swing, in hours; 0 if there is none
	shape  shape
}

// A shape says how a tide moves.
type shape int

const (
	plain   shape = iota
	sale          // the swing rises over the whole period and then drops at once
	sending       // one side of a bridge: the larger of the amounts now and one crossing ago
	landing       // the other side: the smaller of those amounts, because tokens arrive later than they leave
)

// crossing is how long it takes to cross a bridge.
const crossing = 25 * time.Minute

// at returns the amount in the token's smallest unit.
func (v tide) at(t time.Time) *big.Int {
	now := v.between(t)
	if v.shape != sending && v.shape != landing {
		return now
	}
	before := v.between(t.Add(-crossing))
	if (now.Cmp(before) < 0) == (v.shape == sending) {
		return before
	}
	return now
}

// between returns the amount at t, interpolated between two full hours. The drop at a sale is not
// interpolated.
func (v tide) between(t time.Time) *big.Int {
	since := max(t.Sub(Start), 0)
	hour := uint64(since / time.Hour)
	from := v.full(hour)
	part := since % time.Hour
	if part == 0 || v.shape == sale && int64(hour+1)%v.period == 0 {
		return from
	}
	way := new(big.Int).Sub(v.full(hour+1), from)
	way.Mul(way, big.NewInt(int64(part)))
	return from.Add(from, way.Div(way, big.NewInt(int64(time.Hour))))
}

// The kingdom's age is counted in units of 1/2^hourBits of an hour.
const hourBits = 31

// The kingdom grows steadily for steadyHours, and then ever more slowly. However long it lasts, the
// slow growth adds up to less than slowingHours of steady growth.
const (
	steadyHours  = 2880
	slowingHours = 3000
)

// full returns the amount at a full hour. Without a swing, it never falls if hourly is positive,
// and never rises if hourly is negative.
func (v tide) full(hour uint64) *big.Int {
	milli := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals-3), nil)
	out := big.NewInt(v.start * 1000)
	if v.period > 0 {
		phase := int64(hour) % v.period
		if v.shape != sale {
			phase = min(phase, v.period-phase) * 2
		}
		out.Add(out, big.NewInt(v.swing*1000*phase/v.period))
	}
	out.Mul(out, milli)
	if v.hourly != 0 {
		// The age has a random part of an hour, so that the digits look real.
		age := new(big.Int).SetUint64(hour<<hourBits + toss(v.name, hour)>>(64-hourBits))
		grown := milli.Mul(milli, big.NewInt(v.hourly))
		out.Add(out, grown.Mul(grown, slowed(age)).Rsh(grown, hourBits))
	}
	return out
}

// slowed returns how many hours of steady growth equal the kingdom's growth up to this age. Up to
// steadyHours this is the age itself. After that, it rises ever more slowly. The age and the result
// are in units of 1/2^hourBits of an hour.
func slowed(age *big.Int) *big.Int {
	steady := big.NewInt(steadyHours << hourBits)
	slowing := big.NewInt(slowingHours << hourBits)
	if age.Cmp(steady) <= 0 {
		return age
	}
	more := new(big.Int).Sub(age, steady)
	sum := new(big.Int).Add(more, slowing)
	return steady.Add(steady, more.Mul(more, slowing).Div(more, sum))
}

// salePeriod is the time between two sales of jade by the treasury, in hours. Each sale raises the
// circulating supply by more than max_change, so the figure is held.
const salePeriod = 28 * 24

// Sales returns the times of the treasury's sales after one time and up to another.
func Sales(after, until time.Time) (list []time.Time) {
	for at := Start; !at.After(until); at = at.Add(salePeriod * time.Hour) {
		if at.After(after) {
			list = append(list, at)
		}
	}
	return list
}

// A line is an entry of a ledger, with its amount.
type line struct {
	source ledger.Entry // where the amount is read
	tide   tide

	label         string
	bucket        ledger.Bucket
	since, reason string
}

// native, view and erc20 make the source of a line. erc20 reads a holder's balance, or without a
// holder the total supply.
func native(chain, holder string) ledger.Entry {
	return ledger.Entry{Chain: chain, Native: address(holder).Hex()}
}

func view(chain, contract, call string) ledger.Entry {
	return ledger.Entry{Chain: chain, To: address(contract).Hex(), Call: call}
}

func erc20(chain, contract, holder string) ledger.Entry {
	e := ledger.Entry{Chain: chain, ERC20: address(contract).Hex()}
	switch holder {
	case "":
	case "dead":
		e.Holder = "0x000000000000000000000000000000000000dEaD" // the usual address for burning
	default:
		e.Holder = address(holder).Hex()
	}
	return e
}

// over marks an entry as one side of a bridge.
func over(bridge string, e ledger.Entry) ledger.Entry {
	e.Bridge = bridge
	return e
}

// lines has the ledger of each token.
var lines = map[string][]line{
	"jewel": {
		{view("second", "jewel/mint", "totalMinted()"), tide{"jewel minted", 118_402_611, 702_318, 0, 0, plain},
			"Minted", ledger.Issued, "2022-03-30", "Everything that was ever minted, as the mint itself counts it"},
		{over("portal", native("second", "portal")), tide{"jewel portal", 9_120_344, 41_250, 260_000, 720, sending},
			"Held for Cloudharbour", ledger.Escrowed, "2024-07-12",
			"Locked by the portal; minted again in Cloudharbour"},
		{over("portal", erc20("third", "jewel/third", "")),
			tide{"jewel portal", 9_118_290, 41_250, 260_000, 720, landing},
			"In Cloudharbour", ledger.Issued, "2024-07-12",
			"Stands for what the portal holds, so it is not counted again"},
		{view("second", "jewel/fees", "totalBurn()"), tide{"jewel burned", 3_204_877, 96_411, 0, 0, plain},
			"Fees burned", ledger.Burned, "2022-03-30", "Half of every fee is burned"},
		{view("second", "jewel/vesting", "reservedToken()"), tide{"jewel vesting", 21_650_000, -1_204_556, 0, 0, plain},
			"Vesting", ledger.Locked, "2023-01-01", "Unlocks a little with every block"},
		{native("second", "treasury"), tide{"jewel chest", 7_733_120, 12_400, 540_000, 336, plain},
			"Treasury", ledger.Reserved, "2022-03-30", "Funds that the council spends in public"},
		{ledger.Entry{Amount: whole(2_500_000)}, tide{},
			"Team grant", ledger.Reserved, "2024-01-01", "Promised and not yet handed over; declared, not measured"},
	},
	"crystal": {
		{over("relay", erc20("second", "crystal", "")),
			tide{"crystal minted", 86_114_902, 210_337, -180_000, 312, landing},
			"In Emberreach", ledger.Issued, "2022-05-01", "Issued in Emberreach"},
		{over("relay", erc20("third", "crystal/third", "")),
			tide{"crystal third", 6_204_118, 18_204, 180_000, 312, landing},
			"In Cloudharbour", ledger.Issued, "2024-07-12",
			"The relay burns on one side and mints on the other, so both count"},
		{erc20("second", "crystal", "dead"), tide{"crystal dead", 5_011_326, 40_912, 0, 0, plain},
			"Dead address", ledger.Burned, "2022-05-01", "Sent where nobody has the key"},
		{view("second", "crystal", "totalLock()"), tide{"crystal locks", 18_902_444, -291_120, 0, 0, plain},
			"Time locks", ledger.Locked, "2022-05-01", "Rewards that unlock a little every hour"},
		{erc20("second", "crystal", "treasury"), tide{"crystal chest", 4_388_106, 0, 310_000, 504, plain},
			"Treasury", ledger.Reserved, "2022-05-01", "Funds that the council spends in public"},
	},
	"jade": {
		{erc20("third", "jade", ""), tide{"jade minted", 131_880_450, 6_002_911, 0, 0, plain},
			"Minted", ledger.Issued, "2022-12-01", "Issued in Cloudharbour"},
		{erc20("third", "jade", "dead"), tide{"jade dead", 11_409_230, 903_377, 0, 0, plain},
			"Dead address", ledger.Burned, "2022-12-01", "Sent where nobody has the key"},
		{view("third", "jade", "totalLock()"), tide{"jade locks", 26_118_093, -3_504_208, 0, 0, plain},
			"Time locks", ledger.Locked, "2022-12-01", "Rewards that unlock a little every hour"},
		{erc20("third", "jade", "treasury"), tide{"jade chest", 9_650_772, 0, 6_200_000, salePeriod, sale},
			"Treasury", ledger.Reserved, "2022-12-01", "Funds that the council spends in public"},
	},
}

// Tokens returns the kingdom's three tokens. Their ledgers use every bucket, every kind of source
// and both kinds of bridge.
func Tokens() []ledger.Token {
	tokens := []ledger.Token{
		{Path: "jewel", Symbol: "JEWEL", Name: "Jewel", MaxSupply: whole(125_000_000),
			Bridges: map[string]ledger.Bridge{"portal": {Count: ledger.CountSource, Slack: whole(5_000)}}},
		{Path: "crystal", Symbol: "CRYSTAL", Name: "Crystal", MaxSupply: whole(250_000_000),
			Bridges: map[string]ledger.Bridge{"relay": {Count: ledger.CountSum, Slack: whole(60_000)}}},
		{Path: "jade", Symbol: "JADE", Name: "Jade", MaxSupply: whole(250_000_000), MaxChange: 3 * percent},
	}
	for i := range tokens {
		t := &tokens[i]
		t.Decimals = decimals
		for _, l := range lines[t.Path] {
			e := l.source
			e.Label = l.label
			e.Bucket = l.bucket
			e.Since = l.since
			e.Reason = l.reason
			t.Ledger = append(t.Ledger, e)
		}
	}
	return tokens
}

func whole(n int64) *ledger.Amount {
	a := ledger.Whole(n, decimals)
	return &a
}
