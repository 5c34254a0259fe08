// Package audit checks the log of a service: that it is signed, that it only ever
// grew, that every leaf is in it as it is served, that the leaves make sense in their
// order, and that the service's answers are the newest leaf of each token. Begin with
// Run.
package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"filippo.io/torchwood"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// Config holds the settings of an audit.
type Config struct {
	URL    string // the supply address of the service
	Key    string // verifier key of its log; "": the one that it serves
	Since  []byte // a checkpoint that was kept; nil: from the first leaf on
	Client *http.Client
	// Witnesses are keys of those who may sign the head too, and Quorum how many of
	// them must.
	Witnesses []*torchwood.CosignatureVerifier
	Quorum    int
	Read      func(leaves int) // is called with the number of leaves just read; may be nil
}

// An auditor is one audit under way.
type auditor struct {
	Config
	report Report
	head   torchwood.Checkpoint
	read   int64             // leaves that were read and hold
	tokens map[string]newest // by the token's path
	tiles  *tileReader
}

// newest is the newest snapshot of a token among the leaves read so far.
type newest struct {
	supply.Logged
	index int64
}

// catchUp is how often the served figures may be newer than the log before that is
// a fault. The log is signed within seconds.
const catchUp = 6

// catchUpPause is the time between two tries. Tests shorten it.
var catchUpPause = time.Second

// Run audits a service. It ends at the first *Fault, and reports what held until
// then.
func Run(ctx context.Context, cfg Config) (Report, error) {
	a := &auditor{Config: cfg, tokens: map[string]newest{}}
	a.report = Report{Leaves: map[string]int{}, Cosigned: []cosignature{}, Key: cfg.Key, KeyGiven: cfg.Key != ""}
	a.URL = strings.TrimSuffix(a.URL, "/")
	a.tiles = &tileReader{ctx: ctx, get: a.get}
	err := a.run(ctx)
	return a.report, err
}

func (a *auditor) run(ctx context.Context) error {
	if err := a.open(ctx); err != nil {
		return err
	}
	for try := 1; ; try++ {
		if err := a.readLeaves(); err != nil {
			return err
		}
		err := a.compareServed(ctx)
		if err == nil {
			err = a.checkWitnesses()
		}
		if err == nil || try == catchUp || !errors.Is(err, errNewer) && !errors.Is(err, errFew) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(catchUpPause):
		}
		if err := a.advance(ctx); err != nil {
			return err
		}
	}
}

// open reads the key and the newest checkpoint, and checks the one that was kept.
func (a *auditor) open(ctx context.Context) error {
	if a.Key == "" {
		key, err := a.get(ctx, "/log/key", 1<<10)
		if err != nil {
			return err
		}
		a.Key = strings.TrimSpace(string(key))
		a.report.Key = a.Key
	}
	if a.Since != nil {
		kept, err := tlog.OpenCheckpoint(a.Since, a.Key)
		if err != nil {
			return fault("the checkpoint that was kept", "%w", err)
		}
		a.head, a.read, a.report.From = kept, kept.N, kept.N
	}
	return a.advance(ctx)
}

// advance reads the newest checkpoint, which must continue the one before.
func (a *auditor) advance(ctx context.Context) error {
	signed, err := a.get(ctx, "/log/checkpoint", 64<<10)
	if err != nil {
		return err
	}
	next, err := tlog.OpenCheckpoint(signed, a.Key)
	if err != nil {
		return fault("checkpoint", "%w", err)
	}
	before := a.head
	if next.N < before.N {
		return fault("checkpoint", "it is older than the one before: its size is %d, not %d or more", next.N, before.N)
	}
	a.head, a.report.Checkpoint = next, signed
	a.report.Origin, a.report.Size = next.Origin, next.N
	a.report.Witnesses = max(0, bytes.Count(signed, []byte("\n— "))-1)
	a.tiles.known = map[merkle.Tile][]byte{}
	if before.N == 0 {
		return nil
	}
	root, err := merkle.TreeHash(before.N, a.hashes())
	if err != nil {
		return fault("consistency", "the tiles do not lead to the root of the checkpoint: %w", err)
	}
	if root != before.Hash {
		return fault("consistency", "the log was forked or rewritten: of %d leaves its root was %s, and is %s now",
			before.N, before.Hash, root)
	}
	return nil
}

// readLeaves reads every leaf up to the head, tile by tile.
func (a *auditor) readLeaves() error {
	for a.read < a.head.N {
		first := a.read - a.read%torchwood.TileWidth
		leaves, err := a.bundle(first)
		if err != nil {
			return err
		}
		for i := a.read - first; i < int64(len(leaves)); i++ {
			if err := a.leaf(first+i, leaves[i]); err != nil {
				return fault(fmt.Sprintf("leaf %d", first+i), "%w", err)
			}
			a.read++
		}
		if a.Read != nil {
			a.Read(len(leaves))
		}
	}
	return nil
}

// leaf checks what a leaf says, in its place.
func (a *auditor) leaf(index int64, leaf []byte) error {
	var tag struct {
		Format string `json:"format"`
	}
	if err := json.Unmarshal(leaf, &tag); err != nil {
		return fmt.Errorf("not JSON: %w", err)
	}
	a.report.Leaves[tag.Format]++
	var read any
	var err error
	if tag.Format == tlog.SnapshotFormat {
		err = a.snapshot(index, leaf)
	} else {
		read, err = tlog.ParseLeaf(tag.Format, leaf)
	}
	if err != nil {
		return err
	}
	switch begun, begins := read.(tlog.Begin); {
	case begins != (index == 0):
		return errors.New("a log begins with the leaf that says so, and has no other")
	case begins && begun.Origin != a.head.Origin:
		return fmt.Errorf("it begins the log %q", begun.Origin)
	}
	return nil
}

// snapshot checks that a snapshot follows the one of its token before.
func (a *auditor) snapshot(index int64, leaf []byte) error {
	s, err := supply.ParseLeaf(leaf)
	if err != nil {
		return err
	}
	if before, ok := a.tokens[s.Token]; ok {
		switch {
		case s.Previous != before.ID:
			return fmt.Errorf("it says that it follows snapshot %.64q of %s, but %s was published before it",
				s.Previous, s.Token, before.ID)
		case s.AsOf.Before(before.AsOf):
			return fmt.Errorf("it is as of %s, before what was published already", s.AsOf.Format(time.RFC3339))
		}
	}
	a.tokens[s.Token] = newest{s, index}
	return nil
}
