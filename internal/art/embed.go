package art

import (
	"embed"
	"io/fs"
)

//go:embed packs/meadow
var meadow embed.FS

// Embedded returns the default pack, which is part of the program.
func Embedded() (*Pack, error) {
	tree, err := fs.Sub(meadow, "packs/meadow")
	if err != nil {
		return nil, err
	}
	return OpenFS(tree, "embedded")
}
