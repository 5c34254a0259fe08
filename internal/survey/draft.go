package survey

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
)

// A draft is the text of a drafted file, with a reason on every line.
type draft struct {
	strings.Builder
	indent string
}

// line writes a line and the reason for it.
func (d *draft) line(text, why string) {
	fmt.Fprintf(d, "%s%-*s # %s\n", d.indent, 58-len(d.indent), text, why)
}

// remark writes a comment line: a question, or something to add.
func (d *draft) remark(format string, args ...any) {
	fmt.Fprintf(d, "%s# %s\n", d.indent, fmt.Sprintf(format, args...))
}

// Draft returns a configuration file for the nodes and contracts that were seen. A "?" marks a
// question for the operator.
func (s *Survey) Draft(now time.Time) []byte {
	d := &draft{}
	d.remark("Written by petsupply init on %s from the answers of nodes and contracts.", now.UTC().Format(time.DateOnly))
	d.remark("A question mark means that you have to decide. docs/CONFIG.md describes every key.")
	d.remark("Then run: petsupply config check FILE --online")
	d.WriteString("\n")
	d.remark("? What are the public addresses? Without them, all links point to this machine.")
	d.remark("supply_url: https://supply.example.com")
	d.remark("pets_url: https://pets.example.com")
	d.remark("site_url: https://example.com")
	d.WriteString("\n")
	d.line("chains:", "the networks, their nodes, and which block is read")
	for _, c := range s.chains {
		d.chain(c)
	}
	if len(s.tokens) > 0 {
		d.line("tokens:", "the tokens whose supply is published")
		taken, symbols := map[string]bool{}, map[string]string{}
		for i := range s.tokens {
			d.token(&s.tokens[i], taken, symbols)
		}
	}
	if s.own != nil {
		d.line("collection: "+s.own.file(), "describes the contract and the published values")
		d.remark("Pictures are plain cards until you paint over the files in %s. To see them:", s.own.pack())
		d.remark("petsupply serve --config FILE --pack %s --watch", s.own.pack())
		d.remark("When petsupply pack lint %s finds nothing, uncomment this line:", s.own.pack())
		d.remark("packs: [%s]", s.own.pack())
	}
	if len(s.realms) > 0 {
		d.line("realms:", fmt.Sprintf("the contracts whose %s are published", s.many()))
		keys := map[string]int{}
		for i := range s.realms {
			d.realm(&s.realms[i], s.many(), keys)
		}
	}
	return []byte(d.String())
}

func (d *draft) chain(c *chain) {
	d.indent = "  "
	d.line(c.name+":", "a name of your choice; entries and realms refer to it")
	d.indent = "    "
	d.line(fmt.Sprintf("id: %d", c.ID), "as its nodes say")
	d.line("rpc:", "keep keys out of this file: write $NAME, and set NAME in the environment")
	for i, written := range c.written {
		d.line("  - "+strconv.Quote(written), c.limits[i].String())
	}
	for _, twin := range c.twins {
		d.remark("? Is %s another node than %s? They have the same host and port. If it is, add:", twin[0], twin[1])
		d.remark("  - {url: %q, separate: true}", twin[0])
	}
	if n := len(c.written); n < 3 {
		d.remark("? %d of 3 nodes: with three independent nodes, the service tolerates one that fails or is wrong.", n)
	}
	d.line("finality: "+c.Finality, c.reading.why)
	if c.Blocks == config.OnDemand {
		old := fmt.Sprintf("its newest block is from %s. "+
			"? Does the chain make a block only when something happens? If not, its nodes have stopped",
			c.block.Time.Format(time.RFC3339))
		d.line("blocks: on-demand", cmp.Or(c.reading.whyBlocks, old))
	}
	if !c.multicall {
		d.remark("Multicall3 is not at its usual address, so calls are sent in JSON-RPC batches.")
		d.remark("If it is at another address, add: multicall: \"0x…\"")
	}
	d.indent = ""
}

func (d *draft) token(t *token, taken map[string]bool, symbols map[string]string) {
	d.indent = "  "
	if twin := symbols[t.symbol]; twin != "" && twin != t.chain.name {
		d.remark("? %s is also on %s (%s, %s there). If a bridge joins them, count one side only:",
			t.symbol, t.chain.name, t.at, t.total)
		d.remark("  an escrowed entry for the bridge's holdings on %s, an issued entry for %s,",
			twin, t.chain.name)
		d.remark("  both with bridge: NAME, and bridges: {NAME: {count: source}}; see docs/SUPPLY.md.")
		return
	}
	symbols[t.symbol] = t.chain.name
	if t.chain.late {
		d.remark("The block that is read (%s) does not have the contract yet. The figures begin when the block has it.",
			t.chain.Finality)
	}
	d.line("- path: "+t.path(taken), "its name in URLs: /supply/NAME/totalsupply")
	d.indent = "    "
	d.line("symbol: "+strconv.Quote(t.symbol), "symbol()")
	d.line("name: "+strconv.Quote(t.name), "name()")
	d.line(fmt.Sprintf("decimals: %d", t.total.Decimals), "decimals()")
	if t.cap != nil {
		d.line(fmt.Sprintf("max_supply: %q", t.cap), "cap(); a total above it is refused")
	}
	defaults, _ := config.Load("", nil, nil) // without a file there are no faults
	d.line("max_change: 10%", fmt.Sprintf("? a larger change within an hour is held until further measurements "+
		"have agreed with it for %.0f minutes, or until you release it",
		defaults.Refresh.Rules().HoldFor.Minutes()))
	d.line("ledger:", "the entries that add up to the figures")
	d.indent = "      "
	d.entry("Minted", "issued", t, "", fmt.Sprintf("totalSupply(): %s", t.total), "Everything minted and not burned")
	for _, h := range t.dead {
		d.entry(h.name, "burned", t, h.address, fmt.Sprintf("holds %s", h.amount), "Nobody has its key")
	}
	if t.locked != nil {
		d.remark("? totalLock() says %s. If these tokens do not circulate, uncomment this line:", t.locked)
		d.remark("- {label: Time locks, bucket: locked, chain: %s, to: %q, call: \"totalLock()\"}", t.chain.name, t.at)
	}
	for _, h := range t.bridges {
		at := common.HexToAddress(h.address)
		d.remark("%s (%s) holds %s. These tokens are minted again on another chain, and count once: in this total.",
			h.name, at, h.amount)
	}
	d.remark("? Which addresses hold tokens that do not circulate (treasury, team, vesting)? One line each:")
	d.remark("- {label: Treasury, bucket: reserved, chain: %s, erc20: %q, holder: \"0x…\", reason: …}", t.chain.name, t.at)
	d.indent = ""
}

// entry writes one ledger entry: a holder's balance, or the total supply.
func (d *draft) entry(label, bucket string, t *token, holder, seen, reason string) {
	d.line("- label: "+label, seen)
	d.indent += "  "
	effect := "adds to the total"
	if bucket == "burned" {
		effect = "is subtracted from the total"
	}
	d.line("bucket: "+bucket, effect)
	d.line("chain: "+t.chain.name, "where it is read")
	d.line(fmt.Sprintf("erc20: %q", t.at), "the token's contract")
	if holder != "" {
		d.line(fmt.Sprintf("holder: %q", common.HexToAddress(holder)), "its balance")
	}
	d.line("reason: "+reason, "for readers")
	d.indent = d.indent[2:]
}

func (d *draft) realm(r *realm, many string, keys map[string]int) {
	key := r.Key
	if keys[r.Key]++; keys[r.Key] > 1 {
		key = fmt.Sprintf("%s-%d", r.Key, keys[r.Key])
	}
	d.indent = "  "
	if r.chain.late {
		d.remark("The block that is read (%s) does not have the contract yet. The %s appear when the block has it.",
			r.chain.Finality, many)
	}
	d.line("- key: "+key, "its name in answers and in the store; it cannot change later")
	d.indent = "    "
	d.line("name: "+strconv.Quote(key), "? what readers call it")
	if r.Offset != nil {
		d.line(fmt.Sprintf("offset: %d", *r.Offset), "where its ids begin; "+oneLine(r.next))
	} else {
		d.remark("no offset: %s", r.next)
	}
	d.line("chain: "+r.chain.name, "where its contract is")
	d.line(fmt.Sprintf("contract: %q", r.Contract), "the ERC-721 contract")
	switch names := strings.Join(r.Getter, ", "); len(r.Getter) {
	case 0:
		d.remark("No getter: no traits are read from the contract. Seen: %s", r.sample)
	case 1:
		d.line("getter: "+names, r.sample)
	default:
		d.line("getter: ["+names+"]", r.sample)
	}
	if r.StartBlock > 0 {
		d.line(fmt.Sprintf("start_block: %d", r.StartBlock), r.start)
	} else {
		d.remark("%s: start_block: NUMBER", r.start)
	}
	d.remark("? Which addresses hold %[1]s for bridges? These %[1]s are in other realms. Add: custody: [\"0x…\"]", many)
	d.indent = ""
}

// Collection returns the names of the drafted collection file and art pack, and the text of the
// file. The names are empty if the default collection fits.
func (s *Survey) Collection() (file, pack string, text []byte) {
	if s.own == nil {
		return "", "", nil
	}
	return s.own.file(), s.own.pack(), s.own.text()
}
