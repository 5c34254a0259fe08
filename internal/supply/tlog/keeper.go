package tlog

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"
)

var (
	// ErrNone means that there is no such log, leaf or tile.
	ErrNone = errors.New("not in the log")
	// ErrSigned means that another head of the same size was signed already.
	ErrSigned = errors.New("another head of the same size is signed")
	errBehind = errors.New("the store does not hold the log that was signed last: it was lost, or an older one was put back")
)

// A Log is one log of a store, as the store holds it.
type Log struct {
	ID          int64 // in the store
	Origin      string
	VerifierKey string
	Size        int64
	// Signed is its newest checkpoint with all cosignatures; nil before the first.
	// It may be of a smaller size.
	Signed []byte
}

// SignedSize is the size of the log's newest checkpoint.
func (l Log) SignedSize() int64 {
	c, err := ParseCheckpoint(l.Signed)
	if err != nil {
		return 0
	}
	return c.N
}

// A Store holds logs. *store.Store is one.
type Store interface {
	reader
	// BeginLog adds a log that begins with the given leaf, followed by everything
	// that is published at that time. It works only while this process leads.
	BeginLog(ctx context.Context, origin, verifierKey string, first []byte) error
	// SaveCheckpoint keeps the newest checkpoint of a log, unless a larger one is
	// there. Another head of the same size is ErrSigned. It works only while this
	// process leads.
	SaveCheckpoint(ctx context.Context, log, size int64, signed []byte) error
}

// Entries is the level of leaves, below that of their hashes (0).
const Entries = -1

// A reader reads logs of a store. *store.Store is one.
type reader interface {
	// Log returns the log of that origin or Address, or with "" the newest; ErrNone
	// if there is none.
	Log(ctx context.Context, name string) (Log, error)
	// LogHashes returns count hashes of a level of a log's tree, from first on. With
	// level Entries it returns leaves instead. ErrNone means that some are missing.
	LogHashes(ctx context.Context, log int64, level int, first int64, count int) ([][]byte, error)
	// LogNodes returns hashes by the indexes that x/mod/sumdb/tlog gives them.
	LogNodes(ctx context.Context, log int64, indexes []int64) ([]merkle.Hash, error)
	// FindLeaf returns a log that has the leaf with that hash, and where: the given log,
	// or else the newest that has it. ErrNone means that none has.
	FindLeaf(ctx context.Context, log int64, leaf merkle.Hash) (Log, int64, error)
}

// Config holds the settings of a Keeper.
type Config struct {
	Store  Store
	Key    *Key   // nil: this process signs nothing
	Origin string // of the first log of a store
	Fixed  bool   // the origin was configured: a log of another origin ends
	File   string // keeps the newest checkpoint outside of the store; "": nowhere
	// Leading reports whether this process may begin logs and sign them.
	Leading func() bool
	// Witnessed: Witnesses send what this process signs to witnesses. The store may be a
	// copy that lacks what was signed last, and a witness knows. When this process begins
	// to lead, it signs a new head only once one of them has confirmed the head in the
	// store, and the new head is served only once one of them has signed it.
	Witnessed bool
	Now       func() time.Time // nil: time.Now
	Log       *slog.Logger
}

// A Keeper looks after the log of a store in one process. Its Step is called
// from one goroutine, everything else from any.
type Keeper struct {
	Config
	latest atomic.Pointer[Log] // is served; its checkpoint is never nil
	seen   Log                 // as the last Step left it
	signed atomic.Int64        // when Step last found everything signed, in Unix milliseconds
	// head is the log with the newest checkpoint that this process signed or found while
	// it leads, which may not be served yet; nil while it does not lead.
	head      atomic.Pointer[Log]
	confirmed atomic.Bool // since this process leads, a witness confirmed the head in the store
	vouched   atomic.Bool // since this process leads, a witness signed a new head
	alarms    alarms
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
	// This comes before the store is read: a leader then sees everything that was
	// appended by the one before.
	signs := k.Key != nil && k.Leading()
	if !signs {
		k.confirmed.Store(false)
		k.vouched.Store(false)
		k.head.Store(nil)
		k.alarms.end(k.Log)
	}
	l, err := k.Store.Log(ctx, "")
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("looking at the log: %w", err)
	}
	if l.Origin != "" && l.SignedSize() == l.Size {
		k.signed.Store(k.Now().UnixMilli())
	}
	if k.unchanged(l, signs) || l.Origin == "" && !signs {
		return nil
	}
	kept, err := readKept(k.File)
	if err != nil {
		return err
	}
	why, err := k.endsWhy(ctx, l, kept)
	if err != nil {
		return err
	}
	if errors.Is(why, errBehind) && !signs {
		k.alarms.set(k.Log, fromStore, fmt.Sprintf("the store does not hold the head of %d leaves that was signed for %s: it was lost, "+
			"an older one was put back, or somebody else signs with this key", kept.Size, kept.Origin))
		if l.Origin == kept.Origin {
			return nil // never serve less than before: the leader will begin another log
		}
	} else {
		k.alarms.set(k.Log, fromStore, "")
	}
	if why != nil && signs {
		if l, err = k.begin(ctx, l, kept, why); err != nil {
			return fmt.Errorf("beginning a log: %w", err)
		}
		k.confirmed.Store(true) // no witness has signed anything of this name
		k.vouched.Store(true)
		k.alarms.end(k.Log)
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

// unchanged reports whether l is as the last Step left it, and needs no signature
// by this process.
func (k *Keeper) unchanged(l Log, signs bool) bool {
	return l.Origin != "" && l.Origin == k.seen.Origin && l.Size == k.seen.Size && bytes.Equal(l.Signed, k.seen.Signed) &&
		(!signs || l.SignedSize() == l.Size && k.head.Load() != nil)
}

// endsWhy returns why the log in the store cannot be continued; nil if it can.
// kept is the checkpoint that was signed last, zero if none is known.
func (k *Keeper) endsWhy(ctx context.Context, l Log, kept head) (why, err error) {
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

// holds reports whether the store holds the log of checkpoint c.
func (k *Keeper) holds(ctx context.Context, c head) (bool, error) {
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

// follows reports whether another process began l because the log of c was lost,
// and knew a checkpoint of it that is at least as large as c.
func (k *Keeper) follows(ctx context.Context, l Log, c head) (bool, error) {
	if l.Size == 0 {
		return false, nil
	}
	first, err := k.Store.LogHashes(ctx, l.ID, Entries, 0, 1)
	if err != nil {
		return false, err
	}
	begun, err := parseLeaf[Begin](first[0])
	if err != nil {
		return false, fmt.Errorf("reading the first leaf of %s: %w", l.Origin, err)
	}
	p := begun.Previous
	return p != nil && p.Origin == c.Origin && p.Size >= c.Size, nil
}

// root returns the root that a log had at a size.
func (k *Keeper) root(ctx context.Context, log, size int64) (merkle.Hash, error) {
	return merkle.TreeHash(size, k.nodes(ctx, log))
}

func (k *Keeper) nodes(ctx context.Context, log int64) merkle.HashReader {
	return merkle.HashReaderFunc(func(indexes []int64) ([]merkle.Hash, error) { return k.Store.LogNodes(ctx, log, indexes) })
}

// begin begins another log than l. Its first leaf names the last head known.
func (k *Keeper) begin(ctx context.Context, l Log, kept head, why error) (Log, error) {
	begun := Begin{Begun: k.Now(), Reason: why.Error(), Origin: k.Origin}
	last := kept
	if h, err := signedHead(l.Signed); err == nil && (kept.Origin == "" || !errors.Is(why, errBehind)) {
		last = h
	}
	if last.Origin != "" {
		begun.Previous = &last
	}
	_, err := k.Store.Log(ctx, k.Origin)
	used := err == nil || kept.Origin == k.Origin || strings.HasPrefix(kept.Origin, k.Origin+"/")
	if err != nil && !errors.Is(err, ErrNone) {
		return l, err
	}
	if used { // make a name that was never used, whatever else was lost
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
		k.Log.Warn("a new log of what is published begins", "origin", begun.Origin, "reason", why,
			"previous", last.Origin, "size", last.Size)
	} else {
		k.Log.Info("a log of what is published begins", "origin", begun.Origin, "key", verifier)
	}
	return k.Store.Log(ctx, "")
}

// sign signs the log at its size, if it is not signed yet. The checkpoint is kept
// outside of the store before anyone can see it. Nothing is signed while a witness
// knows another log of this name.
func (k *Keeper) sign(ctx context.Context, l *Log) error {
	if l.SignedSize() == l.Size {
		k.head.Store(new(*l))
		k.alarms.set(k.Log, fromWaiting, "")
		return keep(k.File, l.Signed)
	}
	if k.alarms.conflict() {
		return nil
	}
	const waiting = "this process began to lead: a new head of the log is served once a witness has signed it"
	if k.Witnessed && !k.confirmed.Load() && l.Signed != nil {
		k.head.Store(new(*l))
		k.alarms.set(k.Log, fromWaiting, waiting)
		return nil
	}
	root, err := k.root(ctx, l.ID, l.Size)
	if err != nil {
		return err
	}
	head := *l
	head.Signed, err = k.Key.Sign(torchwood.Checkpoint{Origin: l.Origin, Tree: merkle.Tree{N: l.Size, Hash: root}})
	if err != nil {
		return err
	}
	if err := keep(k.File, head.Signed); err != nil {
		return err
	}
	if k.Witnessed && !k.vouched.Load() {
		k.head.Store(&head)
		k.alarms.set(k.Log, fromWaiting, waiting)
		return nil
	}
	if err := k.save(ctx, &head); err != nil {
		return err
	}
	k.head.Store(&head)
	k.alarms.set(k.Log, fromWaiting, "")
	*l = head
	return nil
}

// save keeps the checkpoint of l in the store.
func (k *Keeper) save(ctx context.Context, l *Log) error {
	err, words := k.Store.SaveCheckpoint(ctx, l.ID, l.SignedSize(), l.Signed), ""
	if errors.Is(err, ErrSigned) {
		words = fmt.Sprintf("%s: the store has another signed head with %d leaves", l.Origin, l.SignedSize())
	}
	k.alarms.set(k.Log, fromSigning, words)
	return err
}

// follow keeps what another process signed, because this one may lead next. It
// keeps nothing of a log that does not continue the one that was kept.
func (k *Keeper) follow(l Log, why error) error {
	if l.Signed == nil || errors.Is(why, errBehind) {
		return nil
	}
	if _, err := OpenCheckpoint(l.Signed, l.VerifierKey); err != nil {
		return err
	}
	return keep(k.File, l.Signed)
}

// Signed returns when everything in the log was last found to be signed.
func (k *Keeper) Signed() time.Time { return time.UnixMilli(k.signed.Load()) }

// Find returns the log of an address, or with "" the newest. It must have a
// checkpoint; else the error is ErrNone.
func (k *Keeper) Find(ctx context.Context, address string) (*Log, error) {
	l := k.Latest()
	if address == "" || l != nil && Address(l.VerifierKey) == address {
		if l == nil {
			return nil, ErrNone
		}
		return l, nil
	}
	if !isAddress(address) {
		return nil, ErrNone
	}
	ended, err := k.Store.Log(ctx, address)
	if err == nil && ended.Signed == nil {
		err = ErrNone
	}
	return &ended, err
}

// Tile returns a tile of a log, with L = Entries one of leaves; ErrNone where the
// log is not signed as far.
func (k *Keeper) Tile(ctx context.Context, l *Log, t merkle.Tile) ([]byte, error) {
	if !within(t, l.SignedSize()) {
		return nil, ErrNone
	}
	level := t.L
	if level != Entries {
		level *= torchwood.TileHeight
	}
	list, err := k.Store.LogHashes(ctx, l.ID, level, t.N*torchwood.TileWidth, t.W)
	if err != nil || level != Entries {
		return bytes.Join(list, nil), err
	}
	var out []byte
	for _, leaf := range list {
		if out, err = torchwood.AppendTileEntry(out, leaf); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// within reports whether a log of that size has all of a tile.
func within(t merkle.Tile, size int64) bool {
	const maxLevel = 63 / torchwood.TileHeight
	if t.L > maxLevel {
		return false
	}
	n := size >> (max(t.L, 0) * torchwood.TileHeight)
	full, rest := n/torchwood.TileWidth, n%torchwood.TileWidth
	return t.N < full || t.N == full && int64(t.W) <= rest
}

// Include returns an inclusion proof (C2SP tlog-proof) of the leaf with this hash, in
// hex, in the newest log, or else in the last one that has the leaf; ErrNone if none
// has, or not signed yet.
func (k *Keeper) Include(ctx context.Context, leaf string) (string, error) {
	latest := k.Latest()
	hash, err := hex.DecodeString(leaf)
	if latest == nil || err != nil || len(hash) != merkle.HashSize {
		return "", ErrNone
	}
	l, index, err := k.Store.FindLeaf(ctx, latest.ID, merkle.Hash(hash))
	if l.ID == latest.ID {
		l = *latest // the store may have a newer head
	}
	size := l.SignedSize()
	switch {
	case err != nil:
		return "", err
	case index >= size:
		return "", ErrNone
	}
	hashes, err := merkle.ProveRecord(size, index, k.nodes(ctx, l.ID))
	if err != nil {
		return "", err
	}
	return string(torchwood.FormatProof(index, hashes, l.Signed)), nil
}
