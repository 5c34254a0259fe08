package config

import (
	"cmp"
	"fmt"
	"os"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// embeddedCollection is the name of the collection that comes with the program.
const embeddedCollection = "pets"

// SetScalar reads a collection that is written as the name of its file alone.
func (c *Collection) SetScalar(file string) error {
	c.File = file
	return nil
}

// LoadCollection reads the collection file, if there is one, and checks the realms against it. Call
// ResolveFiles first.
func (c *Config) LoadCollection() []Fault {
	if c.Collection.File == embeddedCollection {
		return nil // Load has set the embedded collection
	}
	text, err := os.ReadFile(c.Collection.File)
	if err != nil {
		return []Fault{{Path: "collection", Text: fmt.Sprintf("reading the collection file: %v", err)}}
	}
	read, err := collection.Parse(c.Collection.File, text)
	if err != nil {
		return []Fault{{Path: "collection", Text: "the collection file has faults:\n" + err.Error()}}
	}
	return c.SetCollection(read)
}

// SetCollection sets the collection that is served, and returns the faults of realms that name a
// getter which the collection does not have.
func (c *Config) SetCollection(read *collection.Collection) (out []Fault) {
	c.collection = read
	c.Collection.Name = cmp.Or(c.Collection.Name, read.Name)
	c.Collection.Description = cmp.Or(c.Collection.Description, read.Description)
	c.Registry().CheckGetters(func(path, format string, args ...any) {
		out = append(out, Fault{Path: path, Text: fmt.Sprintf(format, args...)})
	})
	return out
}

// Registry returns the collection and its realms.
func (c *Config) Registry() *pet.Registry {
	return &pet.Registry{Collection: c.collection, Realms: c.Realms}
}
