// Package frozen makes copies of everything that a service publishes, as files
// that need no service, and reads them back. Take fixes the moment and writes
// down what the store holds. Writer makes the published files from that. Zip packs
// them into one file. Open reads a copy, checks it and makes a store from it again.
// The moment alone decides what a copy holds: the same moment has the same bytes
// and the same root.
//
//	data/             the rows of what is published, by table; head.json names the moment
//	pack/             the art pack
//	supply/           index.json, and for each token its documents and bare figures
//	pets/token/       a document for each pet
//	pets/image/       the pictures of each look, with frame and background and without
//	SHA256SUMS        the SHA-256 of every other file, in the form of sha256sum
//	provenance.json   what it is a copy of, with the root; only a complete copy has it
package frozen

import (
	"errors"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

// The files of a copy that have a name of their own.
const (
	dataDir        = "data"
	packDir        = "pack"
	pictureDir     = "pets/image"
	headFile       = "data/head.json"
	sumsFile       = "SHA256SUMS"
	provenanceFile = "provenance.json"
)

const headFormat = "petsupply-frozen/1"

// errNoCopy reports a folder or file that is no frozen copy, or not a complete one.
var errNoCopy = errors.New("not a complete frozen copy")

// A Head says what was copied: the moment, and the public part of the configuration.
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
	Plain      bool              `json:"plain,omitempty"` // there is no pack: pictures are plain cards
	Tokens     []ledger.Token    `json:"tokens"`
	Realms     []pet.Realm       `json:"realms"`
	Collection Collection        `json:"collection"`
	SupplyURL  string            `json:"supplyUrl"`
	PetsURL    string            `json:"petsUrl"`
	SiteURL    string            `json:"siteUrl"`
}

// A Collection describes the pets as a whole. File is the text of the collection
// file.
type Collection struct {
	File         string `json:"file"`
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"externalLink,omitempty"`
}
