package collection

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A Getter is a call that returns traits of a token.
type Getter struct {
	Name     string
	selector []byte
	isStruct bool
	dynamic  bool     // it returns at least one text
	fields   []*Field // the fields that it returns
}

// A Count says how to find the tokens of a contract.
type Count struct {
	Kind countKind
	Call []byte // calldata, for Next and Last
}

// A countKind is a way to find the tokens of a contract.
type countKind string

// Tokens are found by a call that returns the next or the last id, by the functions of ERC-721
// Enumerable, or by Transfer events.
const (
	Next       countKind = "next"
	Last       countKind = "last"
	Enumerable countKind = "enumerable"
	Transfers  countKind = "transfers"
)

func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// Calldata returns the calldata that asks for a token's traits.
func (g *Getter) Calldata(id uint64) []byte {
	word := uint256.NewInt(id).Bytes32()
	return append(append(make([]byte, 0, 4+32), g.selector...), word[:]...)
}

// ErrShape means that a contract's answer does not have the form of its getter.
var ErrShape = errors.New("the answer does not fit the collection file")

// maxName and maxText limit the bytes that are kept of a name and of other texts.
const (
	maxName = 16 << 10
	maxText = 1 << 10
)

// Decode reads the answer of a getter of this collection for a token. It accepts only the exact
// encoding. The error is ErrShape if the answer is too long or too short, has a value too wide for its
// type, or is about another token.
func (c *Collection) Decode(g *Getter, id uint64, answer []byte) (v Value, name string, err error) {
	b := c.builder()
	given, err := g.decode(b, id, answer)
	if err != nil {
		return "", "", fmt.Errorf("token %d: %s answered %s, and should answer %s: %w",
			id, g.Name, answered(answer), g.shape(), err)
	}
	return b.value(), string(given), nil
}

// answered describes the size of an answer.
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

// shape describes what a getter returns: its types and the number of words.
func (g *Getter) shape() string {
	words := len(g.fields)
	for _, f := range g.fields {
		if f.Type.IsText() {
			words++ // the length of the text
		}
	}
	if g.isStruct && g.dynamic {
		words++
	}
	text := fmt.Sprintf("%d words", words)
	if g.dynamic {
		text += " and the texts"
	}
	return text + " (" + g.types() + ")"
}

func (g *Getter) types() string {
	var types []string
	for _, f := range g.fields {
		types = append(types, f.Type.solidity())
	}
	return strings.Join(types, ",")
}

// decode reads the getter's answer. name is the part of data that has the token's name.
func (g *Getter) decode(b *builder, id uint64, data []byte) (name []byte, err error) {
	if g.isStruct && g.dynamic {
		if len(data) < 32 || !isNumber([32]byte(data), 32) {
			return nil, ErrShape
		}
		data = data[32:]
	}
	tail := 32 * len(g.fields) // start of the next text
	if len(data) < tail {
		return nil, ErrShape
	}
	words := data
	for _, f := range g.fields {
		word := (*[32]byte)(words)
		words = words[32:]
		switch {
		case f.Type.IsText():
			text, end, ok := readText(data, word, tail)
			if !ok {
				return nil, ErrShape
			}
			tail = end
			if f.role == "name" {
				name = Clip(text, maxName)
			} else {
				b.setText(f.stored, string(Clip(text, maxText)))
			}
		case f.stored < 0:
			if !isNumber(*word, id) {
				return nil, fmt.Errorf("the answer is about another token: %w", ErrShape)
			}
		case !f.fits(word):
			return nil, fmt.Errorf("%s is not a valid %s: %w", f.Name, f.Type, ErrShape)
		default:
			copy(b.fixed[f.offset:], word[f.begin:f.end])
			b.mark(f.stored)
		}
	}
	if tail != len(data) {
		return nil, ErrShape
	}
	return name, nil
}

// readText reads a text from an answer. word has the offset that the answer gives for the text.
// This offset must equal tail, which is where the previous text ended. For the first text, it is
// where the words of all fields end.
func readText(data []byte, word *[32]byte, tail int) (text []byte, end int, ok bool) {
	if !isNumber(*word, uint64(tail)) || len(data) < tail+32 {
		return nil, 0, false
	}
	size := [32]byte(data[tail:])
	rest := data[tail+32:]
	n := binary.BigEndian.Uint64(size[24:])
	if !isNumber(size, n) || n > uint64(len(rest)) {
		return nil, 0, false
	}
	end = tail + 32 + int(n+31)/32*32
	return rest[:n], end, end <= len(data)
}

// isNumber reports whether a word is the number n.
func isNumber(word [32]byte, n uint64) bool {
	return word == uint256.NewInt(n).Bytes32()
}

// fits reports whether a word of an answer is a valid value of the field. The field has a fixed
// size. The unused bits must be 0, or 1 for a negative number.
func (f *Field) fits(word *[32]byte) bool {
	unused := byte(0)
	if f.Type.kind == kindInt && word[f.begin]&0x80 != 0 {
		unused = 0xff
	}
	for i, b := range word {
		if (i < f.begin || i >= f.end) && b != unused {
			return false
		}
	}
	return f.Type.kind != kindBool || word[31] <= 1
}

// placeInWord finds the position of the field in a word of an answer. The field has a fixed size.
func (f *Field) placeInWord() {
	f.begin = 32 - f.Type.size()
	f.end = 32
	if f.Type.kind == kindBytes {
		f.begin = 0
		f.end = f.Type.size()
	}
}

// Clip cuts s to at most n bytes, but not inside a character.
func Clip[T string | []byte](s T, n int) T {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
