package demo

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
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

// A flow is an amount at a place on a chain.
type flow struct {
	chain  string
	tide   tide
	erc20  string // its totalSupply, or of holder the balance
	holder string
	native string
	to     string // a contract's own view
	view   string
}

// call is the read that finds the flow.
func (f flow) call() evm.Call {
	switch {
	case f.native != "":
		return evm.Call{To: address(f.native), Balance: true}
	case f.view != "":
		return evm.Call{To: address(f.to), Data: selector(f.view)}
	case f.holder != "":
		return evm.Call{To: address(f.erc20), Data: append(selector("balanceOf(address)"), common.LeftPadBytes(holder(f.holder).Bytes(), 32)...)}
	default:
		return evm.Call{To: address(f.erc20), Data: selector("totalSupply()")}
	}
}

// entry is the ledger's line for the flow.
func (f flow) entry(label string, bucket supply.Bucket, bridge, since, reason string) supply.Entry {
	e := supply.Entry{Label: label, Bucket: bucket, Bridge: bridge, Chain: f.chain, Since: since, Reason: reason}
	switch {
	case f.native != "":
		e.Native = address(f.native).Hex()
	case f.view != "":
		e.To, e.Call = address(f.to).Hex(), f.view
	default:
		e.ERC20 = address(f.erc20).Hex()
		if f.holder != "" {
			e.Holder = holder(f.holder).Hex()
		}
	}
	return e
}

// holder is an invented address, but for the one where everyone burns.
func holder(name string) common.Address {
	if name == "dead" {
		return common.HexToAddress("0x000000000000000000000000000000000000dEaD")
	}
	return address(name)
}

// flows is everything of the kingdom that can be measured.
var flows = map[string]flow{
	"jewel minted":  {chain: "second", to: "jewel/mint", view: "totalMinted()", tide: tide{"jewel minted", 118_402_611, 702_318, 0, 0}},
	"jewel escrow":  {chain: "second", native: "portal", tide: tide{"jewel portal", 9_120_344, 41_250, 260_000, 720}},
	"jewel remote":  {chain: "third", erc20: "jewel/third", tide: tide{"jewel portal", 9_118_290, 41_250, 260_000, 720}},
	"jewel burned":  {chain: "second", to: "jewel/fees", view: "totalBurn()", tide: tide{"jewel burned", 3_204_877, 96_411, 0, 0}},
	"jewel vesting": {chain: "second", to: "jewel/vesting", view: "reservedToken()", tide: tide{"jewel vesting", 21_650_000, -1_204_556, 0, 0}},
	"jewel chest":   {chain: "second", native: "treasury", tide: tide{"jewel chest", 7_733_120, 12_400, 540_000, 336}},

	"crystal minted": {chain: "second", erc20: "crystal", tide: tide{"crystal minted", 86_114_902, 4_410_337, 0, 0}},
	"crystal third":  {chain: "third", erc20: "crystal/third", tide: tide{"crystal third", 6_204_118, 388_204, 0, 0}},
	"crystal dead":   {chain: "second", erc20: "crystal", holder: "dead", tide: tide{"crystal dead", 5_011_326, 640_912, 0, 0}},
	"crystal locks":  {chain: "second", to: "crystal", view: "totalLock()", tide: tide{"crystal locks", 18_902_444, -2_915_120, 0, 0}},
	"crystal chest":  {chain: "second", erc20: "crystal", holder: "treasury", tide: tide{"crystal chest", 4_388_106, 0, 310_000, 504}},

	"jade minted": {chain: "third", erc20: "jade", tide: tide{"jade minted", 131_880_450, 6_002_911, 0, 0}},
	"jade dead":   {chain: "third", erc20: "jade", holder: "dead", tide: tide{"jade dead", 11_409_230, 903_377, 0, 0}},
	"jade locks":  {chain: "third", to: "jade", view: "totalLock()", tide: tide{"jade locks", 26_118_093, -3_504_208, 0, 0}},
	"jade chest":  {chain: "third", erc20: "jade", holder: "treasury", tide: tide{"jade chest", 9_650_772, 0, 880_000, 240}},
}

// Tokens are the kingdom's three tokens. Their ledgers use every bucket, every
// kind of source and both kinds of bridge.
func Tokens() []supply.Token {
	tokens := []supply.Token{jewel(), crystal(), jade()}
	for i := range tokens {
		tokens[i].Decimals = decimals
	}
	return tokens
}

func jewel() supply.Token {
	team := supply.Whole(2_500_000, decimals)
	return supply.Token{
		Path: "jewel", Symbol: "JEWEL", Name: "Jewel", MaxSupply: whole(125_000_000),
		Bridges: map[string]supply.Bridge{"portal": {Count: supply.CountSource, Slack: whole(5_000)}},
		Ledger: []supply.Entry{
			flows["jewel minted"].entry("Minted", supply.Issued, "", "2022-03-30", "Everything that was ever minted, as the mint itself counts it"),
			flows["jewel escrow"].entry("Held for Cloudharbour", supply.Escrowed, "portal", "2024-07-12", "Locked by the portal; minted again in the third realm"),
			flows["jewel remote"].entry("In Cloudharbour", supply.Issued, "portal", "2024-07-12", "Stands for what the portal holds, so it is not counted again"),
			flows["jewel burned"].entry("Fees burned", supply.Burned, "", "2022-03-30", "Half of every fee is burned"),
			flows["jewel vesting"].entry("Vesting", supply.Locked, "", "2023-01-01", "Unlocks a little with every block until 2028"),
			flows["jewel chest"].entry("Treasury", supply.Reserved, "", "2022-03-30", "Funds that the council spends in public"),
			{Label: "Team grant", Bucket: supply.Reserved, Amount: &team, Since: "2024-01-01", Reason: "Promised and not yet handed over; declared, not measured"},
		},
	}
}

func crystal() supply.Token {
	return supply.Token{
		Path: "crystal", Symbol: "CRYSTAL", Name: "Crystal", MaxSupply: whole(250_000_000),
		Bridges: map[string]supply.Bridge{"relay": {Count: supply.CountSum}},
		Ledger: []supply.Entry{
			flows["crystal minted"].entry("In Emberreach", supply.Issued, "relay", "2022-05-01", "Issued in the second realm"),
			flows["crystal third"].entry("In Cloudharbour", supply.Issued, "relay", "2024-07-12", "The relay burns on one side and mints on the other, so both count"),
			flows["crystal dead"].entry("Dead address", supply.Burned, "", "2022-05-01", "Sent where nobody has the key"),
			flows["crystal locks"].entry("Time locks", supply.Locked, "", "2022-05-01", "Rewards that unlock over two years"),
			flows["crystal chest"].entry("Treasury", supply.Reserved, "", "2022-05-01", "Funds that the council spends in public"),
		},
	}
}

func jade() supply.Token {
	return supply.Token{
		Path: "jade", Symbol: "JADE", Name: "Jade", MaxSupply: whole(250_000_000),
		Ledger: []supply.Entry{
			flows["jade minted"].entry("Minted", supply.Issued, "", "2022-12-01", "Issued in the third realm"),
			flows["jade dead"].entry("Dead address", supply.Burned, "", "2022-12-01", "Sent where nobody has the key"),
			flows["jade locks"].entry("Time locks", supply.Locked, "", "2022-12-01", "Rewards that unlock over two years"),
			flows["jade chest"].entry("Treasury", supply.Reserved, "", "2022-12-01", "Funds that the council spends in public"),
		},
	}
}

func whole(n int64) *supply.Amount {
	a := supply.Whole(n, decimals)
	return &a
}
