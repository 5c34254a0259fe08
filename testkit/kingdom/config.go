package kingdom

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// Settings are the parts of a Config that its user chooses.
type Settings struct {
	// Nodes has the addresses of a chain's nodes, by the name of the chain. They may be proxies. By
	// default it is the address of the chain's own node.
	Nodes map[string][]string
	// Top is put at the beginning of the file: public addresses, store, limits.
	Top string
	// Refresh is how often figures are measured, by default 2s. Index is how often realms are read,
	// by default 500ms.
	Refresh, Index string
}

// Config returns the configuration file of a service that publishes this kingdom.
func (k *Kingdom) Config(s Settings) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if s.Top != "" {
		line("%s", strings.TrimRight(s.Top, "\n"))
	}
	refresh, index := s.Refresh, s.Index
	if refresh == "" {
		refresh = "2s"
	}
	if index == "" {
		index = "500ms"
	}
	line("refresh: {every: %s, stale_after: 1m, refuse_after: 10m, hold_for: 3s}", refresh)
	line("index: {every: %s}", index)
	line("collection: {name: Pets of the devnet, description: Pets that live on nodes of this machine until they are " +
		"stopped.}")
	line("chains:")
	for _, c := range k.Chains {
		nodes := s.Nodes[c.Name]
		if nodes == nil {
			nodes = []string{c.URL}
		}
		line("  %s: {id: %d, rpc: [\"%s\"], finality: %s, timeout: 3s}", c.Name, c.ID, strings.Join(nodes, `", "`),
			c.Finality)
	}
	line("tokens:")
	for _, c := range k.coins {
		c.config(line)
	}
	line("realms:")
	for _, r := range k.Realms {
		r.config(line)
	}
	return b.String()
}

func (r *Realm) config(line func(string, ...any)) {
	offset := fmt.Sprintf("offset: %d, ", r.Offset)
	if r.Hosts {
		offset = ""
	}
	line("  - {key: %s, name: %s, %schain: %s, contract: %q, getter: v%d, custody: [%q], start_block: %d}",
		r.Key, r.Name, offset, r.Chain.Name, r.Contract, r.Struct, r.Custody, r.Start)
}

func (c *coin) config(line func(string, ...any)) {
	line("  - path: %s", c.path)
	line("    symbol: %s", c.symbol)
	line("    name: %s", c.name)
	line("    decimals: 18")
	line("    max_supply: %q", fmt.Sprint(c.cap))
	if c.bridge != "" {
		count := map[string]string{"portal": "source", "relay": "sum"}[c.bridge]
		line("    bridges:")
		line("      %s: {count: %s, slack: %q}", c.bridge, count, fmt.Sprint(c.cap/1000))
	}
	line("    ledger:")
	entry := func(label, bucket, source, reason string) {
		line("      - {label: %s, bucket: %s, %s, reason: %s}", label, bucket, source, reason)
	}
	at := func(n *Chain, format string, args ...any) string {
		return "chain: " + n.Name + ", " + fmt.Sprintf(format, args...)
	}
	minted := at(c.home, "erc20: %q", c.token)
	if c.bridge == "relay" {
		minted = "bridge: relay, " + minted
	}
	entry("Minted", "issued", minted, "All that was ever minted and not burned")
	switch c.bridge {
	case "portal":
		entry("Held for the third realm", "escrowed", "bridge: portal, "+at(c.home, "erc20: %q, holder: %q", c.token,
			c.gate), "Minted again there")
		entry("In the third realm", "issued", "bridge: portal, "+at(c.far, "erc20: %q", c.farToken),
			"Backed by what is held for it")
	case "relay":
		entry("Minted in the third realm", "issued", "bridge: relay, "+at(c.far, "erc20: %q", c.farToken),
			"What crosses is burned on one side and minted on the other")
	}
	entry("Dead address", "burned", at(c.home, "erc20: %q, holder: %q", c.token, Dead), "Nobody has the key")
	if c.lost > 0 {
		entry("Lost in the flood", "burned", fmt.Sprintf("amount: %q", fmt.Sprint(c.lost)),
			"Declared when the first vault sank")
	}
	if c.furnace != (common.Address{}) {
		entry("Burned as gas", "burned", at(c.gas, "to: %q, call: totalBurn()", c.furnace), "Sent to the furnace")
	}
	entry("Time locks", "locked", at(c.home, "to: %q, call: totalLock()", c.token), "Opens by the clock")
	if c.vesting != (common.Address{}) {
		entry("Vesting", "locked", at(c.home, "to: %q, call: reservedToken()", c.vesting), "Not yet released")
	}
	treasury := at(c.home, "erc20: %q, holder: %q", c.token, Treasury)
	if c.gas != nil {
		treasury = at(c.gas, "native: %q", Treasury)
	}
	entry("Treasury", "reserved", treasury, "The crown's own")
}
