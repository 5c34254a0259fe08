package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/torchwood"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// logEvery is the time between two checks of the log, and the shortest time between two
// checkpoints.
const logEvery = time.Second

// newKeeper prepares the keeper of the log.
func (v *Service) newKeeper() (*tlog.Keeper, error) {
	cfg, err := v.LogConfig()
	if err != nil {
		return nil, err
	}
	if cfg.Key == nil {
		v.log.Warn("there is no log of publications, because tlog.key is not set; " +
			"set the same key for all instances that share the store")
	}
	cfg.Leading = func() bool {
		_, leading := v.leader.status()
		return leading
	}
	return tlog.NewKeeper(cfg), nil
}

// LogConfig returns the log's store, key and name. Without a key nothing is signed, and no log
// begins. For an embedded store without a configured key it makes one. Its errors are ConfigErrors.
func (a *App) LogConfig() (tlog.Config, error) {
	s := a.Settings
	cfg := tlog.Config{Store: a.Store, Origin: s.TLog.Origin, Fixed: s.TLog.Origin != "", Log: a.log,
		Witnessed: len(s.TLog.Witnesses) > 0}
	if cfg.Origin == "" {
		cfg.Origin = s.defaultOrigin()
	}
	if err := tlog.CheckOrigin(cfg.Origin); err != nil {
		return cfg, ConfigError{fmt.Errorf("tlog.origin %q: %w", cfg.Origin, err)}
	}
	keyFile, checkpoint := s.logFiles(s.Store)
	cfg.File = checkpoint
	var err error
	switch {
	case s.TLog.Key != "":
		cfg.Key, err = tlog.ParseKey(s.TLog.Key)
	case keyFile != "":
		cfg.Key, err = tlog.LoadKey(keyFile)
	}
	if err != nil {
		return cfg, ConfigError{err}
	}
	return cfg, nil
}

// defaultOrigin returns the name for a new log if the configuration has no tlog.origin.
func (s *Settings) defaultOrigin() string {
	u, _ := url.Parse(s.SupplyURL) // the address was checked
	return u.Host + u.Path + "/log"
}

// logFiles returns the files with the log's key and newest checkpoint, for the store at an address. On
// PostgreSQL there is no file with a key.
func (s *Settings) logFiles(address string) (key, checkpoint string) {
	if file, embedded := strings.CutPrefix(address, "sqlite://"); embedded {
		file = strings.TrimSuffix(file, ".db")
		return file + ".log-key", file + ".log-checkpoint"
	}
	// The file is named after the log, because services with different stores may share a
	// directory.
	sum := sha256.Sum256([]byte(cmp.Or(s.TLog.Origin, s.defaultOrigin())))
	return "", filepath.Join(s.DataDir, hex.EncodeToString(sum[:4])) + ".log-checkpoint"
}

// newWitnesses prepares to send checkpoints to the configured witnesses. It returns nil if there
// are none.
func (v *Service) newWitnesses() (*tlog.Witnesses, error) {
	var list []tlog.Witness
	for _, w := range v.Settings.TLog.Witnesses {
		key, err := torchwood.NewCosignatureVerifier(w.Key)
		if err != nil {
			return nil, ConfigError{err}
		}
		list = append(list, tlog.Witness{URL: w.URL, Key: key})
	}
	if len(list) == 0 {
		return nil, nil
	}
	return tlog.NewWitnesses(v.keeper, logEvery, list), nil
}

// stepLog updates the log once, and gives the board the proofs that its figures are in the log.
func (v *Service) stepLog(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := v.keeper.Step(ctx); err != nil {
		return err
	}
	l := v.keeper.Latest()
	published := v.Board.Now()
	if l == v.included.log && samePublished(published, v.included.publication) {
		return nil
	}
	proofs := map[string]string{}
	for _, st := range published.States {
		if st.Snapshot == nil {
			continue
		}
		proof, err := v.keeper.Include(ctx, st.Snapshot.ID)
		if err != nil && !errors.Is(err, tlog.ErrNone) {
			return err
		}
		if err == nil {
			proofs[st.Snapshot.ID] = proof
		}
	}
	v.included = included{l, published}
	v.Board.SetInclusions(proofs)
	return nil
}

// included has the log and the publication whose proofs of inclusion are on the board.
type included struct {
	log         *tlog.Log
	publication *supply.Publication
}

// samePublished reports whether two publications have the same snapshots.
func samePublished(a, b *supply.Publication) bool {
	return b != nil && slices.EqualFunc(a.States, b.States,
		func(x, y supply.State) bool { return x.Snapshot == y.Snapshot })
}
