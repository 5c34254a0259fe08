package probe

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
)

// A draft is a configuration file in the making, with a reason on every line.
type draft struct {
	strings.Builder
	indent string
}

// line writes a line and why it is as it is.
func (d *draft) line(text, why string) {
	fmt.Fprintf(d, "%s%-*s # %s\n", d.indent, 58-len(d.indent), text, why)
}

// remark writes a line that is a remark alone: a question, or what to add.
func (d *draft) remark(format string, args ...any) {
	fmt.Fprintf(d, "%s# %s\n", d.indent, fmt.Sprintf(format, args...))
}

// Draft writes down what was seen. What a person must decide is marked with "?".
func (s *Survey) Draft(now time.Time) []byte {
	d := &draft{}
	d.remark("Written by petsupply init on %s from what nodes and contracts said then.", now.UTC().Format(time.DateOnly))
	d.remark("A question mark is for you to decide. Every key: docs/CONFIG.md. Then: petsupply config check FILE --online")
	d.WriteString("\n")
	d.remark("? Where will the world find it? Until then it answers on this machine only in its own links.")
	d.remark("supply_url: https://supply.example.com")
	d.remark("pets_url: https://pets.example.com")
	d.remark("site_url: https://example.com")
	d.WriteString("\n")
	d.line("chains:", "who is asked, and at which block")
	for _, c := range s.chains {
		d.chain(c)
	}
	if len(s.tokens) > 0 {
		d.line("tokens:", "whose supply is published")
		taken, symbols := map[string]bool{}, map[string]string{}
		for i := range s.tokens {
			d.token(&s.tokens[i], taken, symbols)
		}
	}
	if len(s.realms) > 0 {
		d.line("realms:", "whose pets are published")
		keys := map[string]int{}
		for i := range s.realms {
			d.realm(&s.realms[i], keys)
		}
	}
	return []byte(d.String())
}

func (d *draft) chain(c *surveyedChain) {
	d.indent = "  "
	d.line(c.name+":", "a name of your choice; entries and realms refer to it")
	d.indent = "    "
	d.line(fmt.Sprintf("id: %d", c.ID), "as its nodes say")
	d.line("rpc:", "a key in an address is better kept in the environment: write $NAME")
	for i, written := range c.written {
		d.line("  - "+strconv.Quote(written), strings.TrimPrefix(limitsText(c.limits[i]), "provider "))
	}
	if n := len(c.written); n < 3 {
		d.remark("? %s: add others, independent of each other, until there are three; then a lie or an outage of one is seen through.", counted(n, "node"))
	}
	d.line("finality: "+c.Finality, c.finality)
	if c.Blocks == config.OnDemand {
		d.line("blocks: on-demand", fmt.Sprintf("its newest block is of %s. ? Are none made here while nothing happens? If they are, its nodes stand still",
			c.block.Time.Format(time.RFC3339)))
	}
	if !c.multicall {
		d.remark("Multicall3 is not at its usual address here; reads go in one batch instead. multicall: says another address.")
	}
	d.indent = ""
}

func (d *draft) token(t *surveyedToken, taken map[string]bool, symbols map[string]string) {
	d.indent = "  "
	if twin := symbols[t.symbol]; twin != "" && twin != t.chain.name {
		d.remark("? %s is on %s too (%s, %s there). If a bridge joins them, count one side only: an escrowed entry for what it", t.symbol, t.chain.name, t.at, t.total)
		d.remark("  holds on %s, an issued entry with the same bridge: for %s, and bridges: {NAME: {count: source}}; see docs/SUPPLY.md.", twin, t.chain.name)
		return
	}
	symbols[t.symbol] = t.chain.name
	d.line("- path: "+t.path(taken), "its name in addresses: /supply/NAME/totalsupply")
	d.indent = "    "
	d.line("symbol: "+strconv.Quote(t.symbol), "symbol()")
	d.line("name: "+strconv.Quote(t.name), "name()")
	d.line(fmt.Sprintf("decimals: %d", t.total.Decimals), "decimals()")
	if t.cap != nil {
		d.line(fmt.Sprintf("max_supply: %q", t.cap), "cap(); a total above it is refused")
	}
	d.line("max_change: 10%", "? a larger change within an hour is held until somebody looks")
	d.line("ledger:", "what the figures are made of")
	d.indent = "      "
	d.entry("Minted", "issued", t, "", fmt.Sprintf("totalSupply(): %s", t.total), "All that was minted and not burned")
	for _, h := range t.dead {
		d.entry(h.name, "burned", t, h.address, fmt.Sprintf("holds %s", h.amount), "Nobody has its key")
	}
	if t.locked != nil {
		d.remark("? totalLock() says %s. Do these circulate? If not, take the sign away:", t.locked)
		d.remark("- {label: Time locks, bucket: locked, chain: %s, to: %q, call: \"totalLock()\"}", t.chain.name, t.at)
	}
	for _, h := range t.bridges {
		at := common.HexToAddress(h.address)
		d.remark("? %s (%s) holds %s, minted again elsewhere. It stays inside the total, as one side should.", h.name, at, h.amount)
	}
	d.remark("? Who holds what does not circulate: treasury, team, vesting? One line each:")
	d.remark("- {label: Treasury, bucket: reserved, chain: %s, erc20: %q, holder: \"0x…\", reason: …}", t.chain.name, t.at)
	d.indent = ""
}

// entry writes an entry of the ledger, of a holder or of the whole issue.
func (d *draft) entry(label, bucket string, t *surveyedToken, holder, seen, reason string) {
	d.line("- label: "+label, seen)
	d.indent += "  "
	d.line("bucket: "+bucket, map[string]string{"issued": "adds to the total", "burned": "is taken from the total"}[bucket])
	d.line("chain: "+t.chain.name, "where it is read")
	d.line(fmt.Sprintf("erc20: %q", t.at), "the token's contract")
	if holder != "" {
		d.line(fmt.Sprintf("holder: %q", common.HexToAddress(holder)), "its balance")
	}
	d.line("reason: "+reason, "for readers")
	d.indent = d.indent[2:]
}

func (d *draft) realm(r *surveyedRealm, keys map[string]int) {
	key := r.Key
	if keys[r.Key]++; keys[r.Key] > 1 {
		key = fmt.Sprintf("%s-%d", r.Key, keys[r.Key])
	}
	d.indent = "  "
	d.line("- key: "+key, "its name in answers and in the store; choose now, and keep it")
	d.indent = "    "
	d.line("name: "+strconv.Quote(key), "? what readers call it")
	if r.Offset != nil {
		d.line(fmt.Sprintf("offset: %d", *r.Offset), r.next)
	} else {
		d.remark("no offset: %s", r.next)
	}
	d.line("chain: "+r.chain.name, "where its contract is")
	d.line(fmt.Sprintf("contract: %q", r.Contract), "the pet contract")
	d.line("struct: "+r.Struct, r.sample)
	if r.StartBlock > 0 {
		d.line(fmt.Sprintf("start_block: %d", r.StartBlock), r.start)
	} else {
		d.remark("%s: start_block: NUMBER", r.start)
	}
	d.remark("? Which addresses hold pets for bridges? A pet that one of them owns is not here: custody: [\"0x…\"]")
	d.indent = ""
}

// counted is a number of things in words.
func counted(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
