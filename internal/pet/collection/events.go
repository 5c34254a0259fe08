package collection

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// An idPlace says where an event has its token's id: in a topic, or in a word of its data.
type idPlace struct {
	topic int // 1 to 3, or 0 if the id is in the data
	word  int
}

// standardEvents are the events of ERC-721, ERC-4906 and ERC-7496 that name one token.
var standardEvents = map[string]idPlace{
	"Transfer(address,address,uint256)":     {topic: 3},
	"MetadataUpdate(uint256)":               {word: 0},
	"TraitUpdated(bytes32,uint256,bytes32)": {topic: 2},
}

// EventID returns the word with the id of the token that a log names. The word is nil if the log is
// too short. known is false for an unknown event.
func (c *Collection) EventID(topics []common.Hash, data []byte) (word []byte, known bool) {
	if len(topics) == 0 {
		return nil, false
	}
	at, known := c.events[topics[0]]
	switch {
	case known && at.topic > 0 && len(topics) > at.topic:
		word = topics[at.topic][:]
	case known && at.topic == 0 && len(data) >= 32*at.word+32:
		word = data[32*at.word : 32*at.word+32]
	}
	return word, known
}

var (
	eventShape = regexp.MustCompile(`^([A-Za-z_$][A-Za-z0-9_$]*)\((.*)\)$`)
	eventArg   = regexp.MustCompile(`^(\S+)( indexed)? ([A-Za-z_$][A-Za-z0-9_$]*)$`)
)

func (c *compiler) events(f *file) {
	known := map[common.Hash]idPlace{}
	for signature, at := range standardEvents {
		known[crypto.Keccak256Hash([]byte(signature))] = at
	}
	for i, e := range f.Events {
		signature, at, err := c.event(e)
		if err != nil {
			c.fault(fmt.Sprintf("events[%d]", i), "%v", err)
			continue
		}
		known[crypto.Keccak256Hash([]byte(signature))] = at
	}
	c.Collection.events = known
}

// event parses an event of the file. It returns the signature, whose hash is the first topic, and
// the place of the id.
func (c *compiler) event(e eventFile) (signature string, at idPlace, err error) {
	m := eventShape.FindStringSubmatch(e.Event)
	if m == nil {
		return "", at, fmt.Errorf("%q is not an event; write it like Fed(address indexed owner, uint256 id)", e.Event)
	}
	var types, names []string
	topic := 0 // of the last indexed argument
	word := 0  // of the data, for the next argument
	found := false
	for arg := range strings.SplitSeq(m[2], ",") {
		a := eventArg.FindStringSubmatch(strings.TrimSpace(arg))
		if a == nil {
			return "", at, fmt.Errorf("the argument %q has no type or no name", strings.TrimSpace(arg))
		}
		typ, words, err := c.argument(a[1])
		if err != nil {
			return "", at, err
		}
		types = append(types, typ)
		names = append(names, a[3])
		place := idPlace{word: word}
		if a[2] == "" {
			word += words
		} else {
			topic++
			place = idPlace{topic: topic}
		}
		if a[3] == e.ID {
			found = true
			at = place
		}
	}
	if !found {
		return "", at, fmt.Errorf("the event has no argument %q; %s", e.ID, known(e.ID, names))
	}
	if topic > 3 {
		return "", at, fmt.Errorf("an event has at most three indexed arguments, this one has %d", topic)
	}
	return m[1] + "(" + strings.Join(types, ",") + ")", at, nil
}

// argument returns the canonical type of an event's argument, and the number of words that it takes
// in the data.
func (c *compiler) argument(name string) (typ string, words int, err error) {
	i := slices.IndexFunc(c.Collection.Getters, func(g Getter) bool { return g.Name == name })
	if i < 0 {
		base := strings.TrimSuffix(name, "[]")
		t, err := parseType(base)
		if t.kind == kindWord || err != nil && base != "bytes" {
			return "", 0, fmt.Errorf("%q is neither a type nor a getter's name", name)
		}
		return name, 1, nil
	}
	g := &c.Collection.Getters[i]
	words = len(g.fields)
	if g.dynamic {
		words = 1
	}
	return "(" + g.types() + ")", words, nil
}
