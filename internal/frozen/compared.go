package frozen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"filippo.io/torchwood"

	"petsupply/internal/supply/tlog"
)

// maxPublished limits the files that Published opens. A log of 25 million leaves fits.
const maxPublished = 200_000

// maxText limits an address of the service and the name of the pack, in bytes.
const maxText = 64 << 10

// Published opens a file of at most 64 MB in the folder supply. An audit compares the file with the
// log, so Compare does not report it as uncompared. The error is fs.ErrNotExist if the file is
// missing.
func (c *Copy) Published(name string) (io.ReadCloser, error) {
	name = path.Join("supply", name)
	if _, err := fs.Lstat(c.files, name); err != nil {
		return nil, err
	}
	if c.compared == nil {
		c.compared = map[string]bool{}
	}
	if c.compared[name] = true; len(c.compared) > maxPublished {
		return nil, fmt.Errorf("%w: more than %d files below supply", errNoCopy, maxPublished)
	}
	return c.open(name, 64<<20)
}

// HasSupply reports whether the copy has tokens or a folder supply. A copy of a service without
// tokens has neither. If the head cannot be read, HasSupply returns true.
func (c *Copy) HasSupply() bool {
	_, err := fs.Lstat(c.files, "supply")
	h, unread := c.Head()
	return !errors.Is(err, fs.ErrNotExist) || unread != nil || len(h.Tokens) > 0
}

// Reasons why files are not compared with the log.
const (
	uncomparedData    = "the rows that thaw serves: thaw compares only the newest figures with the log"
	uncomparedPets    = "pets, their pictures and the art pack: the log is about supply only"
	uncomparedHistory = "history: only the newest figures were compared"
	uncomparedLedger  = "ledgers of tokens that have no figure"
)

var petFile = regexp.MustCompile(`^pets/(contract\.json|token/[0-9]+\.json|image/[^/]+\.png)$`)

// Compare checks the rest of a copy whose published files were compared with the log. served has
// the tokens whose figures were compared. Compare checks provenance.json, and returns the number of
// files that were not compared, by reason. The error names a file that does not belong to a copy.
func (c *Copy) Compare(ctx context.Context, p *Provenance, served []string) (map[string]int, error) {
	h, err := c.Head()
	if err != nil {
		return nil, err
	}
	tokens := map[string]bool{} // tokens of the copy; true if the token has a figure
	for _, t := range h.Tokens {
		if _, twice := tokens[t.Path]; twice { // compareProvenance reads a document for each
			return nil, fmt.Errorf("%w: %s has the token %.40q twice", errNoCopy, headFile, t.Path)
		}
		tokens[t.Path] = false
	}
	for _, token := range served {
		if _, known := tokens[token]; !known {
			return nil, fmt.Errorf("%w: %s has no token %q", errNoCopy, headFile, token)
		}
		tokens[token] = true
	}
	reasons, pets := map[string]int{}, uint64(0)
	err = c.walk(ctx, ".", func(name string) error {
		if c.compared[name] || !listed(name) {
			return nil
		}
		reason := uncompared(name, tokens)
		if reason == "" {
			return fmt.Errorf("%w: %q does not belong in a copy", errNoCopy, name)
		}
		if reasons[reason]++; path.Dir(name) == "pets/token" {
			pets++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return reasons, c.compareProvenance(h, p, pets)
}

// uncompared returns the reason why a file is not compared, or "" if no copy has such a file.
func uncompared(name string, tokens map[string]bool) string {
	parts := strings.Split(name, "/")
	figure, known := false, false
	if len(parts) == 3 && parts[0] == "supply" {
		figure, known = tokens[parts[1]]
	}
	switch {
	case parts[0] == dataDir && len(parts) > 1:
		return uncomparedData
	case parts[0] == packDir && len(parts) > 1, petFile.MatchString(name):
		return uncomparedPets
	case figure && parts[2] == "history.json":
		return uncomparedHistory
	case known && !figure && parts[2] == "ledger.json":
		return uncomparedLedger
	}
	return ""
}

// compareProvenance makes provenance.json again from the other files, and compares its bytes. It
// does not check two fields: pack, because it does not open the art pack, and root, which Check
// compares.
func (c *Copy) compareProvenance(h *Head, p *Provenance, pets uint64) error {
	own := newProvenance(h)
	own.Pack, own.Pets, own.Root = p.Pack, pets, p.Root
	for _, text := range []string{own.Of.Supply, own.Of.Pets, own.Of.Site, own.Pack.ID, own.Pack.Version} {
		if len(text) > maxText {
			return fmt.Errorf("%w: an address or the name of the pack has more than %d bytes", errNoCopy, maxText)
		}
	}
	for _, t := range h.Tokens {
		document, err := c.document("supply/" + t.Path + "/index.json")
		if err == nil && document != nil {
			err = own.addFigures(t.Path, document)
		}
		if err != nil {
			return err
		}
	}
	signed, err := c.document("supply/log/checkpoint")
	if err == nil && signed != nil {
		var head torchwood.Checkpoint
		head, err = tlog.ParseCheckpoint(signed)
		own.Log = &logHead{Origin: head.Origin, Size: head.N, Root: head.Hash.String()}
	}
	if err != nil {
		return err
	}
	got, err := c.document(provenanceFile)
	if err != nil {
		return err
	}
	want, err := encode(own, "  ")
	if err == nil && !bytes.Equal(got, want) {
		at := 0
		for at < min(len(got), len(want)) && got[at] == want[at] {
			at++
		}
		err = fmt.Errorf("%w: %s differs from the other files: it has %.60q, and they give %.60q", errNoCopy,
			provenanceFile, got[max(0, at-20):], want[max(0, at-20):])
	}
	return err
}

// document reads a file, or returns nil if it is missing.
func (c *Copy) document(name string) ([]byte, error) {
	if _, err := fs.Lstat(c.files, name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := c.open(name, maxDocument)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		err = fmt.Errorf("%w: reading %s: %w", errNoCopy, name, err)
	}
	return text, err
}
