package proof

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Limits of a file of evidence or proofs. A ledger of 10,000 entries fits. The trie nodes for a
// thousand holders among millions take 2 MB. The service publishes no proof beyond these limits. A
// verifier needs some ten times the size of a file in memory.
const (
	maxFile   = 8 << 20
	maxValues = 25_000  // in one list or object
	maxParts  = 150_000 // lists, objects and list values in one file
	maxDepth  = 64
)

// ErrLarge means that a text is too large to be checked. Its content may be right nevertheless.
var ErrLarge = errors.New("too large to be checked")

// ReadBounded reads a file of evidence or proofs from any source. It rejects a file that is larger
// than maxFile or that CheckKeys rejects, so no file takes much memory.
func ReadBounded(r io.Reader) ([]byte, error) { return readBounded(r, nil) }

func readBounded(r io.Reader, names []string) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("the file is larger than %d MB", maxFile>>20)
	}
	return text, scan(text, names)
}

// CheckKeys returns an error if other readers of a JSON text may see different values: an object
// has a key twice, or two keys that differ only in case. It also rejects more or deeper values than
// any of our documents has. It does not check that the text is valid JSON.
func CheckKeys(text []byte) error { return scan(text, nil) }

// scan does the work of CheckKeys. If names is not nil, scan also rejects keys that are not in
// names.
func scan(text []byte, names []string) error {
	var open []level
	parts := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '"':
			start := i
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if n := len(open); n > 0 && open[n-1].key {
				if err := open[n-1].add(text[start:min(i+1, len(text))], names); err != nil {
					return err
				}
			}
		case '[', '{':
			if len(open) == maxDepth {
				return fmt.Errorf("nested more than %d deep", maxDepth)
			}
			open = append(open, level{object: c == '{', key: c == '{'})
			parts++
		case ']', '}':
			if len(open) == 0 {
				return errors.New("not JSON")
			}
			open = open[:len(open)-1]
		case ',':
			if len(open) == 0 {
				return errors.New("not JSON")
			}
			last := &open[len(open)-1]
			if last.values++; last.values >= maxValues {
				return fmt.Errorf("a list or object has more than %d values", maxValues)
			}
			last.key = last.object
			if !last.object {
				parts++
			}
		case ':':
			if len(open) > 0 {
				open[len(open)-1].key = false
			}
		}
		if parts > maxParts {
			return fmt.Errorf("its lists have more than %d values in all: %w", maxParts, ErrLarge)
		}
	}
	return nil
}

// A level is an object or a list that is still open.
type level struct {
	object bool
	key    bool // a key comes next
	values int
	keys   map[string]bool // the keys so far, as fold maps them
}

// add records a key of an object. It rejects a repeated key and, if names is not nil, a key that is
// not in names.
func (l *level) add(quoted []byte, names []string) error {
	var key string
	if err := json.Unmarshal(quoted, &key); err != nil {
		return fmt.Errorf("a key is not JSON: %w", err)
	}
	if names != nil && !slices.Contains(names, key) {
		return fmt.Errorf("unknown key %.40q", key)
	}
	folded := strings.Map(fold, key)
	if l.keys[folded] {
		return fmt.Errorf("the key %.40q occurs twice, or in a spelling that differs only in case", key)
	}
	if l.keys == nil {
		l.keys = map[string]bool{}
	}
	l.keys[folded] = true
	return nil
}

// fold maps runes that differ only in case to one rune, as encoding/json does.
func fold(r rune) rune {
	for {
		next := unicode.SimpleFold(r)
		if next <= r {
			return next
		}
		r = next
	}
}
