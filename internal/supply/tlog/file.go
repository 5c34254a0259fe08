package tlog

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readKept returns the head of the checkpoint in a file. The head is zero if file is "" or does not
// exist.
func readKept(file string) (head, error) {
	if file == "" {
		return head{}, nil
	}
	signed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, nil
	}
	if err != nil {
		return head{}, fmt.Errorf("reading the checkpoint that was signed last: %w", err)
	}
	h, err := signedHead(signed)
	if err != nil {
		return h, fmt.Errorf("%s: %w; nothing is signed until the file is repaired or removed", file, err)
	}
	return h, nil
}

// signedHead returns the head of a checkpoint.
func signedHead(signed []byte) (head, error) {
	c, err := ParseCheckpoint(signed)
	return head{Origin: c.Origin, Log: SignedAddress(signed), Size: c.N, Root: c.Hash}, err
}

// keep writes a checkpoint to a file, unless the file has it already or file is "".
func keep(file string, signed []byte) error {
	if file == "" {
		return nil
	}
	if old, err := os.ReadFile(file); err == nil && string(old) == string(signed) {
		return nil
	}
	return writeFile(file, signed, os.Rename)
}

// writeFile writes a file that only its owner can read. The file is complete or absent, even after
// a power failure. put moves the finished file into place: os.Rename replaces an existing file,
// os.Link does not.
func writeFile(file string, content []byte, put func(from, to string) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // readable only by its owner
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // does nothing after a rename
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err != nil {
		return err
	}
	if err := put(f.Name(), file); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(file)); err == nil {
		_ = dir.Sync() // not every system supports this
		dir.Close()
	}
	return nil
}
