package art

import (
	"archive/zip"
	"io"
	"io/fs"
	"strings"

	"petsupply/internal/art/petpack"
	"petsupply/packs"
)

// embeddedName stands for the packs inside the program where a path is asked
// for: the newest version, or, among those that are served, all of them.
const embeddedName = "embedded"

// openSource opens a directory, a zip file or the newest embedded pack. The
// caller closes it after load; nothing is read later.
func openSource(name string) (fs.FS, io.Closer, error) {
	if name == embeddedName {
		tree, err := embeddedTree(packs.Meadow[0])
		return tree, io.NopCloser(nil), err
	}
	return petpack.Open(name)
}

// embeddedTree opens a folder or zip file that is part of the program.
func embeddedTree(name string) (fs.FS, error) {
	if !strings.HasSuffix(name, ".zip") {
		return fs.Sub(packs.Files, name)
	}
	file, err := packs.Files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(file.(io.ReaderAt), info.Size()) // it stays in the program's own file
	if err != nil {
		return nil, err
	}
	return petpack.ZipTree(z)
}
