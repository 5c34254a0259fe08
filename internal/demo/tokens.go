package demo

import (
	"math/big"

	"petsupply/internal/supply/ledger"
)

const decimals = 18

// A tide is an amount that moves with the hours: from a start, by so many
// thousandths of a token an hour, up and down by swing over period hours.
type tide struct {
	name   string
	start  int64 // whole tokens
	hourly int64 // thousandths of a token an hour
	swing  int64 // whole tokens
	period int64 // hours
}

// at returns the amount in the token's smallest unit. An amount that only
// grows never shrinks from one hour to the next, and the other way about.
func (v tide) at(hour uint64) *big.Int {
	milli := new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals-3), nil)
	out := big.NewInt(v.start * 1000)
	out.Add(out, new(big.Int).Mul(big.NewInt(v.hourly), new(big.Int).SetUint64(hour)))
	if v.period > 0 {
		phase := int64(hour) % v.period
		out.Add(out, big.NewInt(v.swing*1000*min(phase, v.period-phase)*2/v.period))
	}
	out.Mul(out, milli)
	if v.hourly != 0 { // what is left of the hour, so that digits look like real ones
		part := new(big.Int).Mul(big.NewInt(v.hourly), milli)
		out.Add(out, part.Mul(part, new(big.Int).SetUint64(toss(v.name, hour)>>33)).Rsh(part, 31))
	}
	return out
}

// A line is an entry of a ledger, and the amount that is found there.
type line struct {
	source ledger.Entry // where it is read
	tide   tide

	label         string
	bucket        ledger.Bucket
	since, reason string
}

// native, view and erc20 are the places where a line can be read. The last is a
// holder's balance, or without a holder the total supply.
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
		e.Holder = "0x000000000000000000000000000000000000dEaD" // where everyone burns
	default:
		e.Holder = address(holder).Hex()
	}
	return e
}

// over says that a bridge mirrors the amount.
func over(bridge string, e ledger.Entry) ledger.Entry {
	e.Bridge = bridge
	return e
}

// lines are everything of the kingdom that can be measured, by token.
var lines = map[string][]line{
	"jewel": {
		{view("second", "jewel/mint", "totalMinted()"), tide{"jewel minted", 118_402_611, 702_318, 0, 0},
			"Minted", ledger.Issued, "2022-03-30", "Everything that was ever minted, as the mint itself counts it"},
		{over("portal", native("second", "portal")), tide{"jewel portal", 9_120_344, 41_250, 260_000, 720},
			"Held for Cloudharbour", ledger.Escrowed, "2024-07-12", "Locked by the portal; minted again in the third realm"},
		{over("portal", erc20("third", "jewel/third", "")), tide{"jewel portal", 9_118_290, 41_250, 260_000, 720},
			"In Cloudharbour", ledger.Issued, "2024-07-12", "Stands for what the portal holds, so it is not counted again"},
		{view("second", "jewel/fees", "totalBurn()"), tide{"jewel burned", 3_204_877, 96_411, 0, 0},
			"Fees burned", ledger.Burned, "2022-03-30", "Half of every fee is burned"},
		{view("second", "jewel/vesting", "reservedToken()"), tide{"jewel vesting", 21_650_000, -1_204_556, 0, 0},
			"Vesting", ledger.Locked, "2023-01-01", "Unlocks a little with every block until 2028"},
		{native("second", "treasury"), tide{"jewel chest", 7_733_120, 12_400, 540_000, 336},
			"Treasury", ledger.Reserved, "2022-03-30", "Funds that the council spends in public"},
		{ledger.Entry{Amount: whole(2_500_000)}, tide{},
			"Team grant", ledger.Reserved, "2024-01-01", "Promised and not yet handed over; declared, not measured"},
	},
	"crystal": {
		{over("relay", erc20("second", "crystal", "")), tide{"crystal minted", 86_114_902, 4_410_337, 0, 0},
			"In Emberreach", ledger.Issued, "2022-05-01", "Issued in the second realm"},
		{over("relay", erc20("third", "crystal/third", "")), tide{"crystal third", 6_204_118, 388_204, 0, 0},
			"In Cloudharbour", ledger.Issued, "2024-07-12", "The relay burns on one side and mints on the other, so both count"},
		{erc20("second", "crystal", "dead"), tide{"crystal dead", 5_011_326, 640_912, 0, 0},
			"Dead address", ledger.Burned, "2022-05-01", "Sent where nobody has the key"},
		{view("second", "crystal", "totalLock()"), tide{"crystal locks", 18_902_444, -2_915_120, 0, 0},
			"Time locks", ledger.Locked, "2022-05-01", "Rewards that unlock over two years"},
		{erc20("second", "crystal", "treasury"), tide{"crystal chest", 4_388_106, 0, 310_000, 504},
			"Treasury", ledger.Reserved, "2022-05-01", "Funds that the council spends in public"},
	},
	"jade": {
		{erc20("third", "jade", ""), tide{"jade minted", 131_880_450, 6_002_911, 0, 0},
			"Minted", ledger.Issued, "2022-12-01", "Issued in the third realm"},
		{erc20("third", "jade", "dead"), tide{"jade dead", 11_409_230, 903_377, 0, 0},
			"Dead address", ledger.Burned, "2022-12-01", "Sent where nobody has the key"},
		{view("third", "jade", "totalLock()"), tide{"jade locks", 26_118_093, -3_504_208, 0, 0},
			"Time locks", ledger.Locked, "2022-12-01", "Rewards that unlock over two years"},
		{erc20("third", "jade", "treasury"), tide{"jade chest", 9_650_772, 0, 880_000, 240},
			"Treasury", ledger.Reserved, "2022-12-01", "Funds that the council spends in public"},
	},
}

// Tokens are the kingdom's three tokens. Their ledgers use every bucket, every
// kind of source and both kinds of bridge.
func Tokens() []ledger.Token {
	tokens := []ledger.Token{
		{Path: "jewel", Symbol: "JEWEL", Name: "Jewel", MaxSupply: whole(125_000_000),
			Bridges: map[string]ledger.Bridge{"portal": {Count: ledger.CountSource, Slack: whole(5_000)}}},
		{Path: "crystal", Symbol: "CRYSTAL", Name: "Crystal", MaxSupply: whole(250_000_000),
			Bridges: map[string]ledger.Bridge{"relay": {Count: ledger.CountSum, Slack: whole(20_000)}}},
		{Path: "jade", Symbol: "JADE", Name: "Jade", MaxSupply: whole(250_000_000)},
	}
	for i := range tokens {
		t := &tokens[i]
		t.Decimals = decimals
		for _, l := range lines[t.Path] {
			e := l.source
			e.Label, e.Bucket, e.Since, e.Reason = l.label, l.bucket, l.since, l.reason
			t.Ledger = append(t.Ledger, e)
		}
	}
	return tokens
}

func whole(n int64) *ledger.Amount {
	a := ledger.Whole(n, decimals)
	return &a
}
