package proof

import (
	"errors"
	"fmt"
	"io"
)

// Bounds of a file of evidence or proofs. A ledger of 20,000 entries fits, and
// the nodes of a thousand holders among millions take 2 MB.
const (
	maxFile   = 32 << 20
	maxValues = 100_000 // in one list or object
	maxDepth  = 64
)

// ReadBounded reads a file of evidence or proofs, whoever wrote it: one that
// would take far more memory than it has bytes is refused.
func ReadBounded(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("larger than %d MB", maxFile>>20)
	}
	return text, checkShape(text)
}

// checkShape looks for more values, or deeper ones, than any such file has. That
// the text is JSON is for others to say.
func checkShape(text []byte) error {
	var values [maxDepth + 1]int // by depth
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			if depth++; depth > maxDepth {
				return fmt.Errorf("nested more than %d deep", maxDepth)
			}
			values[depth] = 0
		case ']', '}':
			if depth--; depth < 0 {
				return errors.New("not JSON")
			}
		case ',':
			if values[depth]++; values[depth] >= maxValues {
				return fmt.Errorf("a list of more than %d", maxValues)
			}
		}
	}
	return nil
}
