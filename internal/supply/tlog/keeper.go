package tlog

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	merkle "golang.org/x/mod/sumdb/tlog"
)

var (
	// ErrNone: there is no such log, leaf or tile.
	ErrNone = errors.New("not in the log")
	// errBehind: the store does not hold what was signed.
	errBehind = errors.New("the store does not hold the log that was signed last: it was lost, or an older one was put back")
)

// A Log is one log of a store, as the store holds it.
type Log struct {
	ID          int64 // in the store
	Origin      string
	VerifierKey string
	Size        int64
	Signed      []byte // its newest checkpoint, which may be of a smaller size, with what witnesses signed; nil before the first
}

// A Store holds logs. *store.Store is one.
type Store interface {
	Reader
	// BeginLog adds a log, only while this process leads, whose first leaf is
	// given; what is published at that time follows it.
	BeginLog(ctx context.Context, origin, verifierKey string, first []byte) error
	// SaveCheckpoint keeps the newest checkpoint of a log, only while this process
	// leads; a smaller one than there is not.
	SaveCheckpoint(ctx context.Context, log, size int64, signed []byte) error
}

// A Reader reads logs of a store. *store.Store is one.
type Reader interface {
	// Log returns the log of that origin, or with "" the newest; ErrNone if there
	// is none.
	Log(ctx context.Context, origin string) (Log, error)
	// LogHashes returns count hashes of a level of a log's tree, from first on; or
	// with level Entries as many leaves. ErrNone where some are missing.
	LogHashes(ctx context.Context, log int64, level int, first int64, count int) ([][]byte, error)
	// LogNodes returns single hashes by the numbers that x/mod/sumdb/tlog gives
	// them.
	LogNodes(ctx context.Context, log int64, indexes []int64) ([]Hash, error)
	// LeafIndex returns where in a log the leaf with that hash is; ErrNone if it
	// is not.
	LeafIndex(ctx context.Context, log int64, leaf Hash) (int64, error)
}

// Config says how a Keeper works.
type Config struct {
	Store  Store
	Key    *Key   // nil: this process signs nothing
	Origin string // of the first log of a store
	Fixed  bool   // the origin was configured: a log of another is ended
	File   string // keeps the newest checkpoint outside of the store; "": nowhere
	// Leading says whether this process may begin logs and sign them.
	Leading func() bool
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger
}

// A Keeper looks after the log of a store in one process. Its Step is called
// from one goroutine, everything else from any.
type Keeper struct {
	Config
	latest atomic.Pointer[Log] // what is served: its checkpoint is never nil
	seen   Log                 // as Step found it last
	signed atomic.Int64        // when Step last found everything signed, in Unix milliseconds
}

// NewKeeper returns a keeper that has seen nothing yet.
func NewKeeper(cfg Config) *Keeper {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	k := &Keeper{Config: cfg}
	k.signed.Store(cfg.Now().UnixMilli())
	return k
}

// Latest returns the newest log with a checkpoint; nil before there is one.
func (k *Keeper) Latest() *Log { return k.latest.Load() }

// Step looks at the log once. While this process leads and has a key it begins a
// log if need be, and signs what was appended.
func (k *Keeper) Step(ctx context.Context) error {
	l, err := k.Store.Log(ctx, "")
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("looking at the log: %w", err)
	}
	if l.Origin != "" && l.SignedSize() == l.Size {
		k.signed.Store(k.Now().UnixMilli())
	}
	if k.unchanged(l) {
		return nil
	}
	signs := k.Key != nil && k.Leading()
	if l.Origin == "" && !signs {
		return nil
	}
	kept, err := readKept(k.File)
	if err != nil {
		return err
	}
	why, err := k.endsWhy(ctx, l, kept)
	switch {
	case err != nil:
		return err
	case errors.Is(why, errBehind) && !signs && l.Origin == kept.Origin:
		return nil // less than was served before is not: whoever leads begins another log
	case why != nil && signs:
		if l, err = k.begin(ctx, l, kept, why); err != nil {
			return fmt.Errorf("beginning a log: %w", err)
		}
	}
	if signs {
		if err := k.sign(ctx, &l); err != nil {
			return fmt.Errorf("signing the log: %w", err)
		}
	} else if err := k.follow(l, why); err != nil {
		k.Log.Warn("the newest checkpoint of the log is not kept outside of the store", "error", err)
	}
	if k.seen = l; l.Signed != nil {
		k.latest.Store(&l)
	}
	return nil
}

// unchanged says whether l is as it was the last time, and all of it is signed.
func (k *Keeper) unchanged(l Log) bool {
	return l.Origin != "" && l.Origin == k.seen.Origin && l.Size == k.seen.Size && string(l.Signed) == string(k.seen.Signed) &&
		(k.Key == nil || !k.Leading() || l.SignedSize() == l.Size)
}

// SignedSize is the size of the log's newest checkpoint.
func (l Log) SignedSize() int64 {
	c, err := ParseCheckpoint(l.Signed)
	if err != nil {
		return 0
	}
	return c.Size
}

// endsWhy says why the log that the store holds cannot be gone on with; nil if it
// can. kept is the checkpoint that was signed last, zero if none is known.
func (k *Keeper) endsWhy(ctx context.Context, l Log, kept Checkpoint) (why, err error) {
	if kept.Origin != "" {
		held, err := k.holds(ctx, kept)
		if err == nil && !held {
			held, err = k.follows(ctx, l, kept)
		}
		switch {
		case err != nil:
			return nil, err
		case !held:
			return errBehind, nil
		}
	}
	if l.Origin == "" {
		return errors.New("it is the first of this store"), nil
	}
	if k.Key == nil {
		return nil, nil
	}
	if k.Fixed && l.Origin != k.Origin && !strings.HasPrefix(l.Origin, k.Origin+"/") {
		return fmt.Errorf("its origin is configured as %s now", k.Origin), nil
	}
	if verifier, err := k.Key.Verifier(l.Origin); err != nil || verifier != l.VerifierKey {
		return errors.New("its key is another one now"), err
	}
	return nil, nil
}

// holds says whether the store holds the log that c is a checkpoint of.
func (k *Keeper) holds(ctx context.Context, c Checkpoint) (bool, error) {
	l, err := k.Store.Log(ctx, c.Origin)
	if errors.Is(err, ErrNone) {
		return false, nil
	}
	if err != nil || l.Size < c.Size {
		return false, err
	}
	root, err := k.root(ctx, l.ID, c.Size)
	return root == c.Root, err
}

// follows says whether l began because the log of c was lost, in what another
// process knew of it: at least as much.
func (k *Keeper) follows(ctx context.Context, l Log, c Checkpoint) (bool, error) {
	if l.Size == 0 {
		return false, nil
	}
	first, err := k.Store.LogHashes(ctx, l.ID, Entries, 0, 1)
	if err != nil {
		return false, err
	}
	begun, err := ParseLeaf[Begin](first[0])
	if err != nil {
		return false, fmt.Errorf("reading the first leaf of %s: %w", l.Origin, err)
	}
	p := begun.Previous
	return p != nil && p.Origin == c.Origin && p.Size >= c.Size, nil
}

// root is that of a log at a size that it had.
func (k *Keeper) root(ctx context.Context, log, size int64) (Hash, error) {
	return merkle.TreeHash(size, k.nodes(ctx, log))
}

func (k *Keeper) nodes(ctx context.Context, log int64) merkle.HashReader {
	return merkle.HashReaderFunc(func(indexes []int64) ([]Hash, error) { return k.Store.LogNodes(ctx, log, indexes) })
}

// begin begins another log than l, whose first leaf names the last head known.
func (k *Keeper) begin(ctx context.Context, l Log, kept Checkpoint, why error) (Log, error) {
	begun := Begin{Begun: k.Now(), Reason: why.Error(), Origin: k.Origin}
	last := kept
	if c, err := ParseCheckpoint(l.Signed); err == nil && (kept.Origin == "" || !errors.Is(why, errBehind)) {
		last = c
	}
	if last.Origin != "" {
		begun.Previous = &Head{last.Origin, last.Size, last.Root}
	}
	_, err := k.Store.Log(ctx, k.Origin)
	used := err == nil || kept.Origin == k.Origin || strings.HasPrefix(kept.Origin, k.Origin+"/")
	if err != nil && !errors.Is(err, ErrNone) {
		return l, err
	}
	if used { // a name that was never used, whatever else was lost
		var b [4]byte
		_, _ = rand.Read(b[:]) // never fails
		begun.Origin += begun.Begun.UTC().Format("/20060102T150405-") + hex.EncodeToString(b[:])
	}
	verifier, err := k.Key.Verifier(begun.Origin)
	if err != nil {
		return l, err
	}
	if err := k.Store.BeginLog(ctx, begun.Origin, verifier, begun.Leaf()); err != nil {
		return l, err
	}
	if begun.Previous != nil {
		k.Log.Warn("a new log of what is published begins", "origin", begun.Origin, "reason", why, "previous", last.Origin, "size", last.Size)
	} else {
		k.Log.Info("a log of what is published begins", "origin", begun.Origin, "key", verifier)
	}
	return k.Store.Log(ctx, "")
}

// sign signs the log at its size, unless that is done. What is signed is kept
// outside of the store before anyone can see it.
func (k *Keeper) sign(ctx context.Context, l *Log) error {
	if l.SignedSize() == l.Size {
		return keep(k.File, l.Signed)
	}
	root, err := k.root(ctx, l.ID, l.Size)
	if err != nil {
		return err
	}
	signed, err := k.Key.Sign(Checkpoint{Origin: l.Origin, Size: l.Size, Root: root})
	if err != nil {
		return err
	}
	if err := keep(k.File, signed); err != nil {
		return err
	}
	if err := k.Store.SaveCheckpoint(ctx, l.ID, l.Size, signed); err != nil {
		return err
	}
	l.Signed = signed
	return nil
}

// follow keeps what another process signed: this one may lead next. A log that
// does not go on with what was kept takes nothing of it away.
func (k *Keeper) follow(l Log, why error) error {
	if l.Signed == nil || errors.Is(why, errBehind) {
		return nil
	}
	if _, err := OpenCheckpoint(l.Signed, l.VerifierKey); err != nil {
		return err
	}
	return keep(k.File, l.Signed)
}

// Signed is when everything that the log holds was last found to be signed.
func (k *Keeper) Signed() time.Time { return time.UnixMilli(k.signed.Load()) }
