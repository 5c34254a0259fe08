// Package frozen makes copies of everything that a service publishes, as files that need no
// service, and reads them back. Take writes the rows of the store at one moment. Writer makes the
// published files from the rows. Zip packs all files into one. Open opens a copy to check it or to
// restore a store from it. Copies of the same moment have the same bytes and the same root, the
// SHA-256 of SHA256SUMS.
//
//	data/             the published rows, by table; head.json names the moment
//	pack/             the art pack
//	supply/           index.json, the documents and bare figures of each token, and the log in log/
//	pets/             contract.json, which describes the collection
//	pets/token/       a document for each pet
//	pets/image/       the pictures of each look, with and without frame and background
//	SHA256SUMS        the SHA-256 of every file but provenance.json, in the form of sha256sum
//	provenance.json   the source of the copy, and the root; only a complete copy has it
package frozen

import (
	"errors"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
)

// Names of files and folders in a copy.
const (
	dataDir        = "data"
	packDir        = "pack"
	pictureDir     = "pets/image"
	headFile       = "data/head.json"
	sumsFile       = "SHA256SUMS"
	provenanceFile = "provenance.json"
)

const headFormat = "petsupply-frozen/1"

// errNoCopy means that the folder or file is no frozen copy, or that parts of the copy are missing,
// changed or too large.
var errNoCopy = errors.New("not a valid frozen copy")

// A Head says when a copy was taken and has the public part of the configuration.
type Head struct {
	Format string `json:"format"`
	// Schema is the fingerprint of the tables in data.
	Schema string `json:"schema"`
	// AsOf is the latest time of anything in the copy.
	AsOf time.Time `json:"asOf"`
	// Feed is the number of the last change in the feed.
	Feed       uint64            `json:"feed"`
	Chains     map[string]uint64 `json:"chains"` // chain ids, by name
	Demo       bool              `json:"demo,omitempty"`
	Plain      bool              `json:"plain,omitempty"` // no pack: pictures are plain cards, or there are no pictures
	Tokens     []ledger.Token    `json:"tokens"`
	Realms     []pet.Realm       `json:"realms"`
	Collection Collection        `json:"collection"`
	SupplyURL  string            `json:"supplyUrl"`
	PetsURL    string            `json:"petsUrl"`
	SiteURL    string            `json:"siteUrl"`
}

// A Collection describes the pets as a whole. File has the text of the collection file.
type Collection struct {
	File         string `json:"file"`
	Name         string `json:"name"`
	Description  string `json:"description,omitempty"`
	Image        string `json:"image,omitempty"`
	ExternalLink string `json:"externalLink,omitempty"`
}
