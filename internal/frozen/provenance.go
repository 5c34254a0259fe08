package frozen

import (
	"encoding/json"
	"fmt"
	"time"

	"petsupply/internal/supply"
)

const provenanceFormat = "petsupply-provenance/1"

// Provenance names the source of a copy, so that anyone can compare it with the chains, with
// another copy and with the log.
type Provenance struct {
	Format  string     `json:"format"`
	Of      origin     `json:"of"`
	AsOf    time.Time  `json:"asOf"` // the latest time of anything in the copy
	Demo    bool       `json:"demo,omitempty"`
	Feed    uint64     `json:"feed"` // the number of the last change of a pet
	Figures []figures  `json:"figures"`
	Log     *logHead   `json:"log,omitempty"` // nil without a log
	Pack    packOrigin `json:"pack"`
	Pets    uint64     `json:"pets"`
	Root    string     `json:"root"` // the SHA-256 of SHA256SUMS, in hexadecimal
}

// An origin has the public addresses of the service.
type origin struct {
	Supply string `json:"supply"`
	Pets   string `json:"pets"`
	Site   string `json:"site"`
}

// A logHead is the size and root of the log in a copy.
type logHead struct {
	Origin string `json:"origin"`
	Size   int64  `json:"size"`
	Root   string `json:"root"`
}

// A packOrigin is the art pack of the pictures.
type packOrigin struct {
	ID      string `json:"id"`
	Version string `json:"version"`
}

// figures identify the snapshot of a token in the copy.
type figures struct {
	Token      string         `json:"token"`
	Snapshot   string         `json:"snapshot"`
	Status     string         `json:"status"`
	AsOf       time.Time      `json:"asOf"`
	MeasuredAt time.Time      `json:"measuredAt"`
	Blocks     []supply.Block `json:"blocks"`
}

// newProvenance returns the part of the provenance that is in the head.
func newProvenance(h *Head) *Provenance {
	return &Provenance{Format: provenanceFormat, Of: origin{Supply: h.SupplyURL, Pets: h.PetsURL, Site: h.SiteURL},
		AsOf: h.AsOf, Feed: h.Feed, Demo: h.Demo, Figures: []figures{}}
}

// addFigures adds the snapshot from a token's document.
func (p *Provenance) addFigures(token string, document []byte) error {
	f := figures{Token: token}
	if err := json.Unmarshal(document, &f); err != nil {
		return fmt.Errorf("reading the document of %s: %w", token, err)
	}
	p.Figures = append(p.Figures, f)
	return nil
}
