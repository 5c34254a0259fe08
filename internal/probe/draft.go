package probe

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
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

// hint writes a line that works once its first # is removed.
func (d *draft) hint(text, why string) { d.line("#"+text, why) }

// remark writes a comment: a question, or advice.
func (d *draft) remark(format string, args ...any) {
	fmt.Fprintf(d, "%s# %s\n", d.indent, fmt.Sprintf(format, args...))
}

// Draft returns a configuration file for the nodes and contracts that were read. A "?" marks a
// question for the operator.
func (f *Facts) Draft(now time.Time) []byte {
	d := &draft{}
	d.remark("Written by petsupply init on %s from the answers of nodes and contracts.",
		now.UTC().Format(time.DateOnly))
	d.remark("A question mark means that you have to decide. docs/CONFIG.md describes every key.")
	d.remark("A line that begins with # and no space is a suggestion: remove the # to use it.")
	d.remark("Then run: petsupply config check --online")
	d.WriteString("\n")
	d.line("store: sqlite://petsupply.db", "the file that keeps figures and pets, beside this one")
	d.remark("? What are the public addresses? Without them, all links point to this machine.")
	d.hint("supply_url: https://supply.example.com", "serves the figures")
	d.hint("pets_url: https://pets.example.com", "serves metadata and pictures")
	d.hint("site_url: https://example.com", "serves the pages")
	d.WriteString("\n")
	d.line("chains:", "the networks, their nodes, and which block is read")
	for _, c := range f.chains {
		d.chain(c)
	}
	if len(f.tokens) > 0 {
		d.line("tokens:", "the tokens whose supply is published")
		taken := map[string]bool{}
		symbols := map[string]string{}
		for i := range f.tokens {
			d.token(&f.tokens[i], taken, symbols)
		}
	}
	if f.own != nil {
		d.line("collection: "+f.own.file(), "describes the contract and the published values")
		d.remark("Pictures are plain cards until you paint over the files in %s. To see them:", f.own.pack())
		d.remark("petsupply serve --pack %s --watch", f.own.pack())
		d.hint("packs: ["+f.own.pack()+"]", "when petsupply pack lint "+f.own.pack()+" finds nothing")
	}
	if len(f.realms) > 0 {
		d.line("realms:", fmt.Sprintf("the contracts whose %s are published", f.many()))
		keys := map[string]int{}
		for i := range f.realms {
			d.realm(&f.realms[i], f.many(), keys)
		}
	}
	return []byte(d.String())
}

func (d *draft) chain(c *Chain) {
	d.indent = "  "
	d.line(c.Name+":", "a name of your choice; entries and realms refer to it")
	d.indent = "    "
	d.line(fmt.Sprintf("id: %d", c.Settings.ID), "as its nodes say")
	d.line("rpc:", "keep keys out of this file: write $NAME, and set NAME in the environment")
	for i, written := range c.written {
		d.line("  - "+strconv.Quote(written), c.Limits[i].String())
	}
	if n := len(c.written); n < 3 {
		d.remark("? %d of 3 nodes: with three independent nodes, the service tolerates one that fails or is wrong.", n)
	}
	c.findOutvoted()
	for _, name := range slices.Sorted(maps.Keys(c.Wrong)) {
		d.remark("? Provider %s cannot be used: %s", name, oneLine(c.Wrong[name].Error()))
	}
	d.line("finality: "+c.Settings.Finality, c.reading.why)
	if c.Settings.Blocks == config.OnDemand {
		old := fmt.Sprintf("its newest block is from %s. "+
			"? Does the chain make a block only when something happens? If not, its nodes have stopped",
			c.Block.Time.Format(time.RFC3339))
		d.line("blocks: on-demand", cmp.Or(c.reading.whyBlocks, old))
	}
	d.indent = ""
}

func (d *draft) token(t *token, taken map[string]bool, symbols map[string]string) {
	d.indent = "  "
	if twin := symbols[t.symbol]; twin != "" && twin != t.chain.Name {
		d.remark("? %s is also on %s (%s, %s there). "+
			"If a bridge joins them, docs/SUPPLY.md says how to count them once.",
			t.symbol, t.chain.Name, t.at, t.total)
		return
	}
	symbols[t.symbol] = t.chain.Name
	if t.chain.Late {
		d.remark("The block that is read (%s) does not have the contract yet. The figures begin when the block has it.",
			t.chain.Settings.Finality)
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
	d.remark("? Which addresses hold tokens that do not circulate (treasury, team, vesting)? One line each:")
	d.hint(fmt.Sprintf("- {label: Treasury, bucket: reserved, chain: %s, erc20: %q, holder: %q, reason: Not sold}",
		t.chain.Name, t.at, "0x"+strings.Repeat("1", 40)), "write the address instead of the ones")
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
	d.line("chain: "+t.chain.Name, "where it is read")
	d.line(fmt.Sprintf("erc20: %q", t.at), "the token's contract")
	if holder != "" {
		d.line(fmt.Sprintf("holder: %q", common.HexToAddress(holder)), "its balance")
	}
	d.line("reason: "+reason, "for readers")
	d.indent = d.indent[2:]
}

func (d *draft) realm(r *realm, many string, keys map[string]int) {
	key := r.Key
	keys[r.Key]++
	if keys[r.Key] > 1 {
		key = fmt.Sprintf("%s-%d", r.Key, keys[r.Key])
	}
	d.indent = "  "
	if r.chain.Late {
		d.remark("The block that is read (%s) does not have the contract yet. The %s appear when the block has it.",
			r.chain.Settings.Finality, many)
	}
	d.line("- key: "+key, "its name in answers and in the store; it cannot change later")
	d.indent = "    "
	d.line("name: "+strconv.Quote(key), "? what readers call it")
	if r.Offset != nil {
		d.line(fmt.Sprintf("offset: %d", *r.Offset), "where its ids begin; "+oneLine(r.next))
	} else {
		d.remark("no offset: %s", r.next)
	}
	d.line("chain: "+r.chain.Name, "where its contract is")
	d.line(fmt.Sprintf("contract: %q", r.Contract), "the ERC-721 contract")
	if r.Getter == "" {
		d.remark("No getter: no traits are read from the contract. Seen: %s", r.sample)
	} else {
		d.line("getter: "+r.Getter, r.sample)
	}
	if r.StartBlock > 0 {
		d.line(fmt.Sprintf("start_block: %d", r.StartBlock), r.start)
	} else {
		d.remark("%s. Add start_block and its number.", r.start)
	}
	d.remark("? Which addresses hold %[1]s for bridges? These %[1]s are in other realms. "+
		"Add custody and a list of them.", many)
	d.indent = ""
}

// Collection returns the names of the drafted collection file and art pack, and the text of the
// file. The names are empty if the default collection fits.
func (f *Facts) Collection() (file, pack string, text []byte) {
	if f.own == nil {
		return "", "", nil
	}
	return f.own.file(), f.own.pack(), f.own.text()
}
