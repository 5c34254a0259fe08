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
	// ErrSigned means that the store has another signed head of the same size.
	ErrSigned = errors.New("another head of the same size is already signed")
	errBehind = errors.New("the store does not have the log that was signed last: " +
		"data was lost, or an older store was restored")
)

// A Log is one log in the store.
type Log struct {
	ID          int64  // id in the store
	Origin      string // the log's name in its checkpoints
	VerifierKey string
	Size        int64
	// Signed is the log's newest checkpoint with all cosignatures, or nil before the first. Its size
	// may be smaller than Size.
	Signed []byte
	// Copied says that the store is a copy, so that the log may grow in another store. It ends here.
	Copied bool
}

// SignedSize returns the size of the log's newest checkpoint, or 0 if there is none.
func (l Log) SignedSize() int64 {
	c, err := ParseCheckpoint(l.Signed)
	if err != nil {
		return 0
	}
	return c.N
}

// A Store stores logs. *store.Store implements it.
type Store interface {
	reader
	// BeginLog adds a log that begins with the given leaf, followed by everything that is published
	// now. Only the leader may call it.
	BeginLog(ctx context.Context, origin, verifierKey string, first []byte) error
	// SaveCheckpoint saves the newest checkpoint of a log, unless a larger one is stored. For a
	// different head of the same size the error is ErrSigned. Only the leader may call it.
	SaveCheckpoint(ctx context.Context, log, size int64, signed []byte) error
}

// Entries is the level of the leaves themselves. Level 0 has their hashes.
const Entries = -1

// A reader reads logs of a store. *store.Store implements it.
type reader interface {
	// Log returns the log whose origin or Address is name, or the newest log if name is "". The
	// error is ErrNone if there is none.
	Log(ctx context.Context, name string) (Log, error)
	// LogLeaves returns leaves of a log. first is the number of the first one, and count is how many.
	// ErrNone means that some are missing.
	LogLeaves(ctx context.Context, log, first int64, count int) ([][]byte, error)
	// LogNodes returns the hashes with these indexes, as x/mod/sumdb/tlog numbers them. ErrNone means
	// that some are missing.
	LogNodes(ctx context.Context, log int64, indexes []int64) ([]merkle.Hash, error)
	// FindLeaf returns a log with the leaf of that hash, and the leaf's index. It prefers the given
	// log, then the newest. ErrNone means that no log has the leaf.
	FindLeaf(ctx context.Context, log int64, leaf merkle.Hash) (Log, int64, error)
}

// Config has the settings of a Keeper.
type Config struct {
	Store  Store
	Key    *Key   // nil if this process does not sign
	Origin string // origin of the first log of a store; later logs may add a suffix
	Fixed  bool   // Origin is configured: if the log has another one, a new log begins
	File   string // file with the newest checkpoint, outside the store; "" means none
	// Leading reports whether this process may begin and sign logs.
	Leading func() bool
	// Witnessed says that a Witnesses value sends this process's heads to witness servers. The
	// store may be a copy that lacks the last signed head, but a witness knows that head. So when
	// this process begins to lead, it signs a new head only after a witness has confirmed the head
	// in the store. The new head is served only after a witness has signed it.
	Witnessed bool
	Now       func() time.Time // nil means time.Now
	Log       *slog.Logger
}

// A Keeper maintains the log of a store in one process. One goroutine calls Step. Any goroutine may
// call the other methods.
type Keeper struct {
	Config
	latest atomic.Pointer[Log] // the log after the last Step, which is served; its checkpoint is never nil
	signed atomic.Int64        // when Step last found everything signed, in Unix milliseconds
	// head is the log with the newest checkpoint that this process has signed or found since it
	// began to lead. It is perhaps not served yet. It is nil while this process does not lead.
	head   atomic.Pointer[Log]
	trust  atomic.Int32 // unconfirmed, confirmed or accepted
	alarms alarms
}

// What witnesses have done since this process began to lead.
const (
	unconfirmed int32 = iota
	confirmed         // one has confirmed the head in the store
	accepted          // one has signed a new head
)

// NewKeeper returns a keeper that has read nothing yet.
func NewKeeper(cfg Config) *Keeper {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	k := &Keeper{Config: cfg}
	k.signed.Store(cfg.Now().UnixMilli())
	return k
}

// Latest returns the newest log with a checkpoint, or nil before there is one.
func (k *Keeper) Latest() *Log { return k.latest.Load() }

// Step reads the log once. If this process leads and has a key, it begins a log if necessary, and
// signs new leaves.
func (k *Keeper) Step(ctx context.Context) error {
	// signs says that this process signs the log. Call Leading before reading the store, so that a
	// new leader sees everything that its predecessor appended.
	signs := k.Key != nil && k.Leading()
	if !signs {
		k.trust.Store(unconfirmed)
		k.head.Store(nil)
		k.alarms.end(k.Log)
	}
	l, err := k.Store.Log(ctx, "")
	if err != nil && !errors.Is(err, ErrNone) {
		return fmt.Errorf("reading the log: %w", err)
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
		k.alarms.set(k.Log, fromStore,
			fmt.Sprintf("the store does not hold the head of %d leaves that was signed for %s: data was lost, "+
				"an older store was restored, or somebody else signs with this key", kept.Size, kept.Origin))
		if l.Origin == kept.Origin {
			return nil // never serve less than before; the leader will begin another log
		}
	} else {
		k.alarms.set(k.Log, fromStore, "")
	}
	if why != nil && signs {
		l, err = k.begin(ctx, l, kept, why)
		if err != nil {
			return fmt.Errorf("beginning a log: %w", err)
		}
		k.trust.Store(accepted) // the log's name is new, so no witness knows another log of that name
		k.alarms.end(k.Log)
	}
	if signs {
		if err := k.sign(ctx, &l); err != nil {
			return fmt.Errorf("signing the log: %w", err)
		}
	} else if err := k.follow(l, why); err != nil {
		k.Log.Warn("saving the log's newest checkpoint outside the store failed", "error", err)
	}
	if l.Signed != nil {
		k.latest.Store(&l)
	}
	return nil
}

// unchanged reports whether l is the same as after the last Step, and needs no signature by this
// process.
func (k *Keeper) unchanged(l Log, signs bool) bool {
	last := k.Latest()
	return last != nil && l.Origin == last.Origin && l.Size == last.Size && bytes.Equal(l.Signed, last.Signed) &&
		(!signs || l.SignedSize() == l.Size && k.head.Load() != nil)
}

// endsWhy returns why the log in the store cannot be continued, or nil. kept is the last signed
// checkpoint, or zero if none is known.
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
		return errors.New("it is the first log of this store"), nil
	}
	if k.Key == nil {
		return nil, nil
	}
	if l.Copied {
		return errors.New("this store is a copy of another"), nil
	}
	if k.Fixed && l.Origin != k.Origin && !strings.HasPrefix(l.Origin, k.Origin+"/") {
		return fmt.Errorf("the configured origin is %s now", k.Origin), nil
	}
	if verifier, err := k.Key.Verifier(l.Origin); err != nil || verifier != l.VerifierKey {
		return errors.New("the key of the log has changed"), err
	}
	return nil, nil
}

// holds reports whether the store has the log of checkpoint c, with at least the leaves of c.
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

// follows reports whether the log of c was lost and another process began l in its place. The first
// leaf of l must name a head of the lost log that is at least as large as c.
func (k *Keeper) follows(ctx context.Context, l Log, c head) (bool, error) {
	if l.Size == 0 {
		return false, nil
	}
	first, err := k.Store.LogLeaves(ctx, l.ID, 0, 1)
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

// root returns the root that a log had at the given size.
func (k *Keeper) root(ctx context.Context, log, size int64) (merkle.Hash, error) {
	return merkle.TreeHash(size, k.nodes(ctx, log))
}

func (k *Keeper) nodes(ctx context.Context, log int64) merkle.HashReader {
	return merkle.HashReaderFunc(func(indexes []int64) ([]merkle.Hash, error) {
		return k.Store.LogNodes(ctx, log, indexes)
	})
}

// begin begins a log that replaces l. The first leaf of the new log names the last known head of
// the log before it. This is kept if the store lacks that head (errBehind) or if l has no signed
// head. Otherwise it is the head of l.
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
	if used { // make a name that was never used, even if data was lost
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
		k.Log.Warn("a new log of publications begins", "origin", begun.Origin, "reason", why,
			"previous", last.Origin, "size", last.Size)
	} else {
		k.Log.Info("a log of publications begins", "origin", begun.Origin, "key", verifier)
	}
	return k.Store.Log(ctx, "")
}

// sign signs the log at its current size, unless it is signed already. The checkpoint is saved
// outside the store before anyone can see it. Nothing is signed while a witness knows another log
// of this name.
func (k *Keeper) sign(ctx context.Context, l *Log) error {
	if l.SignedSize() == l.Size {
		k.head.Store(new(*l))
		k.alarms.set(k.Log, fromWaiting, "")
		return keep(k.File, l.Signed)
	}
	if k.alarms.conflict() {
		return nil
	}
	head := *l
	trust := k.trusted()
	if trust != unconfirmed || l.Signed == nil {
		root, err := k.root(ctx, l.ID, l.Size)
		if err != nil {
			return err
		}
		head.Signed, err = k.Key.Sign(torchwood.Checkpoint{Origin: l.Origin, Tree: merkle.Tree{N: l.Size, Hash: root}})
		if err != nil {
			return err
		}
		if err := keep(k.File, head.Signed); err != nil {
			return err
		}
	}
	waiting := "this process began to lead: a new head of the log is served once a witness has signed it"
	if trust == accepted {
		if err := k.save(ctx, &head); err != nil {
			return err
		}
		*l = head
		waiting = ""
	}
	k.head.Store(&head)
	k.alarms.set(k.Log, fromWaiting, waiting)
	return nil
}

// trusted returns what witnesses have done since this process began to lead. Without witnesses nothing
// waits for them.
func (k *Keeper) trusted() int32 {
	if !k.Witnessed {
		return accepted
	}
	return k.trust.Load()
}

// save saves the checkpoint of l in the store.
func (k *Keeper) save(ctx context.Context, l *Log) error {
	err := k.Store.SaveCheckpoint(ctx, l.ID, l.SignedSize(), l.Signed)
	words := ""
	if errors.Is(err, ErrSigned) {
		words = fmt.Sprintf("%s: the store has another signed head with %d leaves", l.Origin, l.SignedSize())
	}
	k.alarms.set(k.Log, fromSigning, words)
	return err
}

// follow writes the checkpoint of l to File. Another process signed it, but this process may lead
// next. If the store lacks the head in File, follow does not change File.
func (k *Keeper) follow(l Log, why error) error {
	if l.Signed == nil || errors.Is(why, errBehind) {
		return nil
	}
	if _, err := OpenCheckpoint(l.Signed, l.VerifierKey); err != nil {
		return err
	}
	return keep(k.File, l.Signed)
}

// Signed returns the last time at which everything in the log was found signed. At first it is the
// time at which the keeper was made.
func (k *Keeper) Signed() time.Time { return time.UnixMilli(k.signed.Load()) }

// Find returns the log with this address, or the newest if address is "". The error is ErrNone if
// there is no such log, or if it has no checkpoint.
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

// Tile returns a tile of a log. If t.L is Entries, it is a tile of leaves. The error is ErrNone if
// the tile is beyond the signed part.
func (k *Keeper) Tile(ctx context.Context, l *Log, t merkle.Tile) ([]byte, error) {
	if !within(t, l.SignedSize()) {
		return nil, ErrNone
	}
	if t.L != Entries {
		return merkle.ReadTileData(t, k.nodes(ctx, l.ID))
	}
	list, err := k.Store.LogLeaves(ctx, l.ID, t.N*torchwood.TileWidth, t.W)
	if err != nil {
		return nil, err
	}
	var out []byte
	for _, leaf := range list {
		out, err = torchwood.AppendTileEntry(out, leaf)
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// within reports whether a log of that size has the whole tile.
func within(t merkle.Tile, size int64) bool {
	const maxLevel = 63 / torchwood.TileHeight
	if t.L > maxLevel {
		return false
	}
	n := size >> (max(t.L, 0) * torchwood.TileHeight)
	full := n / torchwood.TileWidth
	rest := n % torchwood.TileWidth
	return t.N < full || t.N == full && int64(t.W) <= rest
}

// Include returns an inclusion proof (C2SP tlog-proof) for a leaf, given its hash in hex. The proof
// is for the newest log if that has the leaf, and otherwise for the last log that has it. The error
// is ErrNone if no log has the leaf, or if the leaf is not signed yet.
func (k *Keeper) Include(ctx context.Context, leaf string) (string, error) {
	latest := k.Latest()
	hash, err := hex.DecodeString(leaf)
	if latest == nil || err != nil || len(hash) != merkle.HashSize {
		return "", ErrNone
	}
	l, index, err := k.Store.FindLeaf(ctx, latest.ID, merkle.Hash(hash))
	if l.ID == latest.ID {
		l = *latest // the store may have a head that is not served yet
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
