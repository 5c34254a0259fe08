package probe

import (
	"testing"
	"time"

	"petsupply/testkit/stubnode"
)

// Real clients' answers, recorded on private chains. The token and the pets were deployed in the
// newest block.
func TestInitOnClients(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*stubnode.Node)
		want []string
	}{
		{"geth, whose first final block is far off", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "Geth/v1.17.7-stable/linux-amd64/go1.26", func(uint64) uint64 { return 0 }
			n.OldFirst = true
		}, []string{`finality: latest +# blocks before the newest cannot be read\. \? .*write finality: finalized`,
			`start_block: 5 +# the contract's first block`}},
		{"geth with many blocks", func(n *stubnode.Node) {
			n.Version, n.Head = "Geth/v1.17.7-stable/linux-amd64/go1.26", 500
			n.KeepState = 127
		}, []string{`finality: finalized +# its nodes know final blocks`,
			`# The block that is read \(finalized\) does not have the contract yet\. The figures begin`,
			`# The block that is read \(finalized\) does not have the contract yet\. The pets appear`,
			`The nodes do not keep such old states\. Add start_block`}},
		{"subnet-evm, which finalizes at once and keeps few states", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "v0.7.9", func(head uint64) uint64 { return head }
			n.KeepState = 31
		}, []string{`finality: latest +# its nodes look like Avalanche's, whose newest block is final`,
			`blocks: on-demand +# Avalanche's chains make no block while nothing happens\. \? `,
			`totalSupply\(\): 1000.5`, `getter: v2 `}},
		{"coreth, whose newest block is old", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "v0.15.4", func(head uint64) uint64 { return head }
			n.KeepState, n.Newest = 31, time.Now().Add(-time.Hour)
		}, []string{`blocks: on-demand +# Avalanche's chains make no block while nothing happens\. \? `}},
		{"a node that does not name itself, whose newest block is old", func(n *stubnode.Node) {
			n.FinalIs = func(head uint64) uint64 { return head }
			n.KeepState, n.Newest = 31, time.Now().Add(-time.Hour)
		}, []string{`finality: latest +# this chain makes blocks on demand`,
			`blocks: on-demand .*\? Does the chain make a block only when something happens\?`}},
		{"Kaia, which knows no final blocks", func(n *stubnode.Node) {
			n.Version, n.TagFault = "Klaytn/v1.0.3/linux-amd64/go1.22", "invalid argument 0: hex string without 0x prefix"
			n.Reverted = "evm: execution reverted"
		}, []string{`finality: latest-10 +# no recent final block can be read\. \? How many blocks`,
			`totalSupply\(\): 1000.5`,
			`# The block that is read \(latest-10\) does not have the contract yet\. The figures begin`, `getter: v2 `}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			n.Head = 5
			test.set(n)
			newToken(n).First = n.Head
			newPets(n, 2, 22, 1).First = n.Head
			s, _ := newFacts(t, n)
			if err := s.AddToken(t.Context(), gem.Hex()); err != nil {
				t.Fatal(err)
			}
			if err := s.AddPets(t.Context(), petsAddr.Hex(), nil); err != nil {
				t.Fatal(err)
			}
			text, _ := drafted(t, s)
			wantAll(t, text, test.want...)
		})
	}
}
