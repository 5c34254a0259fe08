package web

import (
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
)

// petDocuments writes the metadata of pets.
type petDocuments struct {
	pack    *art.Pack
	writer  *pet.DocumentWriter
	started time.Time
}

// documentSize is enough room for most documents, in bytes.
const documentSize = 3584

// append appends a pet's metadata as it is published.
func (d *petDocuments) append(dst []byte, k *pet.Prepared) []byte {
	return d.writer.Append(dst, k, d.version(k))
}

// version returns the version of a pet's picture.
func (d *petDocuments) version(k *pet.Prepared) string {
	return d.pack.PictureVersion(d.pack.LookOf(k.Pet))
}

// settled is how old a change must be before its time can be a Last-Modified. By then, all changes
// in the same second have been reported.
const settled = time.Minute

// modified returns the time at which a pet's representations last changed. This is when the pet
// changed or when this process started, whichever is later. It is zero if this time is after now,
// or if the pet changed so recently that another change could get the same Last-Modified.
func (d *petDocuments) modified(changed, now time.Time) time.Time {
	if now.Sub(changed) < settled {
		return time.Time{}
	}
	t := changed
	if d.started.After(t) {
		t = d.started
	}
	t = t.UTC().Truncate(time.Second)
	if t.After(now) {
		return time.Time{}
	}
	return t
}
