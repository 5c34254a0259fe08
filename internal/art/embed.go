package art

import (
	"io/fs"

	"petsupply/packs"
)

// Embedded returns the default pack, which is part of the program.
func Embedded() (*Pack, error) {
	tree, err := embeddedTree()
	if err != nil {
		return nil, err
	}
	return OpenFS(tree, embeddedName)
}

// embeddedName stands for the embedded pack where a path is asked for.
const embeddedName = "embedded"

func embeddedTree() (fs.FS, error) { return fs.Sub(packs.Files, "meadow") }
