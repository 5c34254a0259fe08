package collection

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A Getter is a call that returns traits of a token.
type Getter struct {
	Name     string
	selector []byte
	args     []getterArg
	isStruct bool
	dynamic  bool  // it returns a text
	fields   []int // that it returns, places in Collection.Fields
}

// A getterArg is the token's id or a constant.
type getterArg struct {
	id   bool
	word common.Hash
}

// A Count says how the tokens of a contract are found.
type Count struct {
	Kind CountKind
	Call []byte // calldata, for Next and Last
}

// A CountKind is a way to find the tokens of a contract.
type CountKind string

// The ways: by a call that returns the next or the last id, by the functions of
// ERC-721 Enumerable, or by Transfer events.
const (
	Next       CountKind = "next"
	Last       CountKind = "last"
	Enumerable CountKind = "enumerable"
	Transfers  CountKind = "transfers"
)

func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// Calldata returns the data of a call that asks for a token's traits.
func (g *Getter) Calldata(id uint64) []byte {
	data := append(make([]byte, 0, 4+32*len(g.args)), g.selector...)
	for _, a := range g.args {
		w := [32]byte(a.word)
		if a.id {
			w = uint256.NewInt(id).Bytes32()
		}
		data = append(data, w[:]...)
	}
	return data
}

// ErrShape means that a contract's answer is not what its getter says.
var ErrShape = errors.New("the answer does not fit the collection file")

// maxName and maxText are how many bytes of a name and of any other text are kept.
const (
	maxName = 16 << 10
	maxText = 1 << 10
)

// Decode reads what the given getters answered for a token, one answer each. It
// accepts only the exact encoding: an answer that is longer or shorter, that has a
// value too wide for its type, or that is about another token is ErrShape.
func (c *Collection) Decode(getters []int, id uint64, answers [][]byte) (v Value, name string, err error) {
	var space [256]byte
	b := c.builderIn(space[:])
	for i, g := range getters {
		if err := c.decodeOne(&b, &name, &c.Getters[g], id, answers[i]); err != nil {
			return "", "", fmt.Errorf("token %d: %s answered %s, and should answer %s: %w",
				id, c.Getters[g].Name, answered(answers[i]), c.shape(g), err)
		}
	}
	return b.value(), name, nil
}

// answered says what shape an answer has.
func answered(answer []byte) string {
	switch n := len(answer); {
	case n == 0:
		return "nothing"
	case n%32 == 0:
		return fmt.Sprintf("%d words", n/32)
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}

// shape says what a getter returns: its types, and how many words they take.
func (c *Collection) shape(g int) string {
	var types []string
	words := 0
	for _, k := range c.Getters[g].fields {
		types = append(types, c.Fields[k].Type.solidity())
		if words++; c.Fields[k].Type.isText() {
			words++ // its length
		}
	}
	if c.Getters[g].isStruct && c.Getters[g].dynamic {
		words++
	}
	text := fmt.Sprintf("%d words", words)
	if c.Getters[g].dynamic {
		text += " and its texts"
	}
	return text + " (" + strings.Join(types, ",") + ")"
}

func (c *Collection) decodeOne(b *builder, name *string, g *Getter, id uint64, data []byte) error {
	if g.isStruct && g.dynamic {
		if len(data) < 32 || !isNumber(data[:32], 32) {
			return ErrShape
		}
		data = data[32:]
	}
	head := 32 * len(g.fields)
	if len(data) < head {
		return ErrShape
	}
	tail := head // where the next text begins
	for i, k := range g.fields {
		f := &c.Fields[k]
		word := data[32*i : 32*i+32]
		if f.Type.isText() {
			text, end, ok := readText(data, word, tail)
			if !ok {
				return ErrShape
			}
			tail = end
			if f.role == "name" {
				*name = clip(text, maxName)
			} else {
				b.setText(f.stored, clip(text, maxText))
			}
			continue
		}
		switch {
		case f.role == "id":
			if !isNumber(word, id) {
				return fmt.Errorf("it is about another token: %w", ErrShape)
			}
		case !f.Type.fits(word):
			return fmt.Errorf("%s is no %s: %w", f.Name, f.Type, ErrShape)
		default:
			b.setWord(f.stored, word)
		}
	}
	if tail != len(data) {
		return ErrShape
	}
	return nil
}

// readText reads a text whose head is word. It must begin at tail, where the one
// before it ended.
func readText(data, word []byte, tail int) (text string, end int, ok bool) {
	if !isNumber(word, uint64(tail)) || len(data) < tail+32 {
		return "", 0, false
	}
	size := data[tail : tail+32]
	n := binary.BigEndian.Uint64(size[24:])
	if !isNumber(size, n) || n > uint64(len(data)-tail-32) {
		return "", 0, false
	}
	end = tail + 32 + int(n+31)/32*32
	if end > len(data) {
		return "", 0, false
	}
	return string(data[tail+32 : tail+32+int(n)]), end, true
}

// isNumber reports whether a word is the number n.
func isNumber(word []byte, n uint64) bool {
	return binary.BigEndian.Uint64(word)|binary.BigEndian.Uint64(word[8:])|binary.BigEndian.Uint64(word[16:]) == 0 &&
		binary.BigEndian.Uint64(word[24:]) == n
}

// clip cuts s at n bytes, not inside a character.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
