package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"petsupply/internal/store"
)

// MoveStore moves a store to another address, with the files of its log. name is the new address
// without user and password. key is the file with the log's key if the new store has no place for it.
func (s *Settings) MoveStore(ctx context.Context, from, to, name string, progress func(int)) (key string, err error) {
	oldKey, oldCheckpoint := s.logFiles(from)
	newKey, newCheckpoint := s.logFiles(to)
	files := map[string]string{oldCheckpoint: newCheckpoint}
	if _, err := os.Stat(oldKey); err == nil {
		if newKey == "" {
			key = oldKey
		} else {
			files[oldKey] = newKey
		}
	}
	for from, to := range files {
		if err := checkFileCopy(from, to); err != nil {
			return "", err
		}
	}
	carry := func() error {
		for from, to := range files {
			if err := copyFile(from, to); err != nil {
				return fmt.Errorf("copying the key and the checkpoint of the log: %w", err)
			}
		}
		return nil
	}
	return key, store.Move{From: from, To: to, ToName: name, Carry: carry, Progress: progress}.Run(ctx)
}

// checkFileCopy returns an error if copyFile would replace a file with other content.
func checkFileCopy(from, to string) error {
	there, err := os.ReadFile(to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	text, err := os.ReadFile(from)
	if err != nil || !bytes.Equal(there, text) {
		return fmt.Errorf("%s exists with other content; move it away", to)
	}
	return nil
}

// copyFile copies a small secret file. It does nothing if the file does not exist, or if both names
// are the same.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) || from == to {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(to+".part", text, 0o600); err != nil {
		return err
	}
	return os.Rename(to+".part", to)
}
