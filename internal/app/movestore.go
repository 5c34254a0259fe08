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

// LogKeyFile returns the file with the log's key, or "" if there is none or the key is configured.
func (s *Settings) LogKeyFile() string {
	key, _ := s.logFiles(s.Store)
	if _, err := os.Stat(key); err != nil || s.TLog.Key != "" {
		return ""
	}
	return key
}

// MoveStore moves the store to another address, with the files of its log. name is that address
// without user and password. notes are the steps that the operator has to take.
func (s *Settings) MoveStore(ctx context.Context, to, name string, progress func(int)) (notes []string, err error) {
	m := store.Move{From: s.Store, To: to, FromName: s.StoreName(), ToName: name, Lease: s.Lease, Progress: progress}
	m.Carry = func() error {
		oldKey, oldCheckpoint := s.logFiles(s.Store)
		newKey, newCheckpoint := s.logFiles(to)
		if err := copyFile(oldCheckpoint, newCheckpoint); err != nil {
			return fmt.Errorf("copying the log's checkpoint: %w", err)
		}
		switch {
		case s.LogKeyFile() == "":
		case newKey == "":
			notes = append(notes, "Set tlog.key in the configuration to the text in "+oldKey+
				", which is the key of the log. Without it there is no log on PostgreSQL.")
		default:
			if err := copyFile(oldKey, newKey); err != nil {
				return fmt.Errorf("copying the log's key: %w", err)
			}
		}
		return nil
	}
	if err := m.Run(ctx); err != nil {
		err = fmt.Errorf("moving the store %s to %s: %w", m.FromName, name, err)
		if errors.Is(err, store.ErrNoStore) {
			return nil, ConfigError{err}
		}
		return nil, err
	}
	return notes, nil
}

// copyFile copies a small secret file. It does nothing if the file does not exist, or if both names
// are the same. It fails if the new file exists with other content.
func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if errors.Is(err, fs.ErrNotExist) || from == to {
		return nil
	}
	if err != nil {
		return err
	}
	if there, err := os.ReadFile(to); err == nil && !bytes.Equal(there, text) {
		return fmt.Errorf("%s exists with other content; move it away", to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(to+".part", text, 0o600); err != nil {
		return err
	}
	return os.Rename(to+".part", to)
}
