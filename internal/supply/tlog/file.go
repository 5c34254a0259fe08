package tlog

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readKept reads the checkpoint that was kept in a file; a zero one if there is
// none.
func readKept(file string) (Checkpoint, error) {
	if file == "" {
		return Checkpoint{}, nil
	}
	signed, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Checkpoint{}, nil
	}
	if err != nil {
		return Checkpoint{}, fmt.Errorf("reading the checkpoint that was signed last: %w", err)
	}
	c, err := ParseCheckpoint(signed)
	if err != nil {
		return c, fmt.Errorf("%s: %w; nothing is signed before it is mended or taken away", file, err)
	}
	return c, nil
}

// keep writes a checkpoint to a file, whole or not at all, and for good.
func keep(file string, signed []byte) error {
	if file == "" {
		return nil
	}
	if old, err := os.ReadFile(file); err == nil && string(old) == string(signed) {
		return nil
	}
	return writeFile(file, signed, os.Rename)
}

// writeFile writes a file that only its owner reads. It is there with all of its
// content or not at all, and stays after a loss of power. put gives it its name:
// os.Rename, or os.Link, which leaves one that is there as it is.
func writeFile(file string, content []byte, put func(from, to string) error) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*") // for its owner alone
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already, where it was renamed
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	if err := put(f.Name(), file); err != nil {
		return err
	}
	if dir, err := os.Open(filepath.Dir(file)); err == nil {
		_ = dir.Sync() // not every system can
		dir.Close()
	}
	return nil
}

// LoadKey reads the key in a file, and makes one, readable by nobody else, where
// there is none.
func LoadKey(file string) (*Key, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		seed := make([]byte, 32)
		_, _ = rand.Read(seed) // never fails
		err = writeFile(file, []byte(base64.StdEncoding.EncodeToString(seed)+"\n"), os.Link)
		if err == nil || errors.Is(err, fs.ErrExist) { // another process was first
			text, err = os.ReadFile(file)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the key of the log: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}
