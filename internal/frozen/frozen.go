// Package frozen makes copies of everything that a service publishes, as files
// that need no service any more, and reads them back. Take fixes the moment and
// writes down what the store holds; Write makes the published files out of that;
// Pack and Upload bring them into one file or into a bucket; Restore makes a store
// of a copy again. What a copy holds is decided by its moment alone: the same
// moment has the same bytes.
//
//	data/             the rows of what is published, by table; head.json says of which moment
//	pack/             the art pack
//	supply/           index.json, and for each token its documents and bare figures
//	pets/token/       a document for each pet
//	pets/image/       the pictures of each look, with frame and background and without
//	nginx.conf        serves all of it under the addresses of the service; nginx/ belongs to it
//	provenance.json   what it is a copy of; written last, so it is there only in a whole copy
package frozen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"petsupply/internal/frozen/car"
	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

// The files of a copy that have a name of their own.
const (
	dataDir        = "data"
	packDir        = "pack"
	pictureDir     = "pets/image"
	headFile       = "data/head.json"
	provenanceFile = "provenance.json"
)

const headFormat = "petsupply-frozen/1"

// ErrNoCopy: a folder or file that is no frozen copy, or not a whole one.
var ErrNoCopy = errors.New("not a whole frozen copy")

// A Head is what a copy is of: the moment, and what of the configuration is
// public.
type Head struct {
	Format string `json:"format"`
	// Schema is the fingerprint of the tables in data.
	Schema string `json:"schema"`
	// AsOf is the latest time that anything in the copy has.
	AsOf time.Time `json:"asOf"`
	// Feed is the number of the last change of a pet.
	Feed       uint64            `json:"feed"`
	Chains     map[string]uint64 `json:"chains"` // their ids, by name
	Demo       bool              `json:"demo,omitempty"`
	Tokens     []ledger.Token    `json:"tokens"`
	Realms     []pet.Realm       `json:"realms"`
	Collection Collection        `json:"collection"`
	SupplyURL  string            `json:"supplyUrl"`
	PetsURL    string            `json:"petsUrl"`
	SiteURL    string            `json:"siteUrl"`
}

// A Collection describes the pets as a whole.
type Collection struct {
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"externalLink,omitempty"`
}

// maxHead bounds what is read of a file that is read whole.
const maxHead = 16 << 20

// ReadHead reads what a copy is of, finished or not.
func ReadHead(copied fs.FS) (*Head, error) {
	h := &Head{}
	if err := readJSON(copied, headFile, h); err != nil {
		return nil, err
	}
	if h.Format != headFormat {
		return nil, fmt.Errorf("%w: its form is %.40q, this program knows %s", ErrNoCopy, h.Format, headFormat)
	}
	return h, nil
}

func readJSON(copied fs.FS, name string, into any) error {
	f, err := copied.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s is missing", ErrNoCopy, name)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxHead))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return fmt.Errorf("%w: reading %s: %w", ErrNoCopy, name, err)
	}
	return nil
}

// Open opens a whole copy: a folder, or a CAR. Close it.
func Open(name string) (fs.FS, io.Closer, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	var copied fs.FS = os.DirFS(name)
	var closer io.Closer = io.NopCloser(nil)
	if !info.IsDir() {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		if copied, err = car.Open(f, info.Size()); err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		closer = f
	}
	if _, err := fs.Stat(copied, provenanceFile); err != nil {
		closer.Close()
		return nil, nil, fmt.Errorf("%s: %w: it has no %s; if it was not finished, freeze it again to the same place", name, ErrNoCopy, provenanceFile)
	}
	return copied, closer, nil
}
