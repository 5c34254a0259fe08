package frozen

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"
)

// Limits of a zip.
const (
	maxZipFiles     = 200_000  // each takes about 370 bytes of memory
	maxZipFolders   = 10_000   // a copy has some hundreds, besides those of its art pack
	maxZipDirectory = 20 << 20 // bytes of its table of contents
	maxZipRatio     = 50       // bytes of all files for each byte of the zip
	maxZipName      = 500      // bytes of a name
	maxZipDepth     = 20       // folders in a name; each takes memory
)

// zipTime is the time of every file in a zip: the earliest that the format allows.
var zipTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// Zip packs a complete copy into a file. The file has another name until it is complete. For each
// file of the copy, Zip calls packed(1). The same copy gives the same bytes.
func Zip(ctx context.Context, dir, file string, packed func(int)) error {
	c, err := Open(dir)
	if err != nil {
		return err
	}
	defer c.Close()
	part := file + ".tmp"
	f, err := os.Create(part)
	if err != nil {
		return err
	}
	out := zip.NewWriter(f)
	files := 0
	err = c.each(ctx, ".", maxNames, func(name string) error {
		if files++; files > maxZipFiles {
			return fmt.Errorf("the copy has more than %d files, the most that a zip may have; "+
				"it is complete in the folder %s, so use that", maxZipFiles, dir)
		}
		packed(1)
		return c.addTo(out, name)
	})
	if err == nil {
		err = out.Close()
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		os.Remove(part)
		return fmt.Errorf("writing %s: %w", file, err)
	}
	return os.Rename(part, file)
}

// addTo adds a file of the copy to a zip.
func (c *Copy) addTo(out *zip.Writer, name string) error {
	in, err := c.open(name, maxSums)
	if err != nil {
		return err
	}
	defer in.Close()
	header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: zipTime}
	header.SetMode(0o644)
	if strings.HasSuffix(name, ".png") {
		header.Method = zip.Store
	}
	w, err := out.CreateHeader(header)
	if err == nil {
		_, err = io.Copy(w, in)
	}
	return err
}

// openZip opens a zipped copy. It rejects a zip that would take much more memory or time than its
// size suggests.
func openZip(name string, size int64) (c *Copy, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	in := &limitedReaderAt{r: f, left: maxZipDirectory}
	archive, err := zip.NewReader(in, size)
	if err != nil {
		return nil, err
	}
	in.unlimited = true
	if len(archive.File) > maxZipFiles {
		return nil, fmt.Errorf("it has more than %d files", maxZipFiles)
	}
	var total uint64
	folders := map[string]bool{} // archive/zip makes an entry for each, also if the zip has none
	for _, f := range archive.File {
		if len(f.Name) > maxZipName || strings.Count(f.Name, "/") > maxZipDepth {
			return nil, fmt.Errorf("the name %.80q is longer than %d bytes or has more than %d folders", f.Name,
				maxZipName, maxZipDepth)
		}
		if !fs.ValidPath(strings.TrimSuffix(f.Name, "/")) || strings.Contains(f.Name, `\`) {
			return nil, fmt.Errorf("the name %.80q may mean another file to other programs", f.Name)
		}
		for dir := path.Dir(f.Name); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			if folders[dir] = true; len(folders) > maxZipFolders {
				return nil, fmt.Errorf("it has more than %d folders", maxZipFolders)
			}
		}
		if f.UncompressedSize64 > maxSums { // this also prevents overflow of the total
			return nil, fmt.Errorf("%.80q has %d bytes, more than %d", f.Name, f.UncompressedSize64, int64(maxSums))
		}
		total += f.UncompressedSize64
	}
	if total/maxZipRatio > uint64(size) {
		return nil, fmt.Errorf("the zip has %d bytes and claims to hold %d: more than %d times its size", size, total,
			maxZipRatio)
	}
	return &Copy{files: archive, closer: f}, nil
}

// A limitedReaderAt fails if too many bytes are read from it, unless it is unlimited.
type limitedReaderAt struct {
	r         io.ReaderAt
	left      int // how many bytes may still be read
	unlimited bool
}

func (l *limitedReaderAt) ReadAt(b []byte, at int64) (int, error) {
	if l.left < len(b) && !l.unlimited {
		return 0, fmt.Errorf("its table of contents has more than %d bytes", maxZipDirectory)
	}
	l.left -= len(b)
	return l.r.ReadAt(b, at)
}
