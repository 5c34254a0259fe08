package frozen

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// sumsFile lists all other files.
const sumsFile = "SHA256SUMS"

// sums has the SHA-256 of files, by name. It is safe for concurrent use.
type sums struct {
	mu   sync.Mutex
	list map[string][sha256.Size]byte
}

// add adds a file.
func (s *sums) add(file string, content []byte) {
	sum := sha256.Sum256(content)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list[file] = sum
}

// write writes SHA256SUMS to a folder, and returns its own SHA-256 in hexadecimal.
func (s *sums) write(dir string) (string, error) {
	var text bytes.Buffer
	for _, file := range slices.Sorted(maps.Keys(s.list)) {
		fmt.Fprintf(&text, "%x  %s\n", s.list[file], file)
	}
	err := os.WriteFile(filepath.Join(dir, sumsFile), text.Bytes(), 0o644)
	return fmt.Sprintf("%x", sha256.Sum256(text.Bytes())), err
}
