package frozen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/store"
)

// dataFile is the approximate size limit of a file of rows, in bytes.
const dataFile = 4 << 20

// ErrUnsigned means that the log does not show the newest figures yet. An audit would reject the
// copy.
var ErrUnsigned = errors.New("the newest figures are not signed in the log yet; let the service run until they are")

// Take begins a copy in a folder. It writes the rows of the store at one moment, and the named pack
// unless the head is Plain. If a copy was begun there before, Take leaves it as it is, and returns
// its head and true. It calls rows with the number of rows written since the last call.
func Take(ctx context.Context, s *store.Store, pack string, h Head, dir string, rows func(int)) (*Head, bool, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, false, err
	}
	if _, err := os.Stat(filepath.Join(dir, headFile)); !errors.Is(err, fs.ErrNotExist) {
		begun, err := readBegun(dir)
		return begun, true, err
	}
	if err := removeRemains(dir); err != nil {
		return nil, false, err
	}
	t := &taker{dir: filepath.Join(dir, dataDir+".part"), head: h, rows: rows}
	if err := t.take(ctx, s); err != nil {
		return nil, false, fmt.Errorf("copying the rows of the store: %w", err)
	}
	if !h.Plain {
		part := filepath.Join(dir, packDir+".part")
		err := art.Export(pack, part)
		if err == nil {
			err = os.Rename(part, filepath.Join(dir, packDir))
		}
		if err != nil {
			return nil, false, err
		}
	}
	return &t.head, false, os.Rename(t.dir, filepath.Join(dir, dataDir))
}

// readBegun reads the head of a copy that was begun in a folder.
func readBegun(dir string) (*Head, error) {
	c, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	h, err := c.Head()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return h, nil
}

// removeRemains removes what an interrupted Take left in a directory. If the directory has anything
// else, it removes nothing and fails.
func removeRemains(dir string) error {
	list, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	remains := []string{dataDir + ".part", packDir + ".part"}
	if slices.ContainsFunc(list, func(e fs.DirEntry) bool { return e.Name() == remains[0] }) {
		remains = append(remains, packDir) // Take writes the pack after the rows
	}
	for _, e := range list {
		if !slices.Contains(remains, e.Name()) {
			return fmt.Errorf("%s contains %s and is not a frozen copy; name a folder that is empty or does not exist yet",
				dir, e.Name())
		}
	}
	for _, e := range list {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// A taker writes rows to files, one table after the other.
type taker struct {
	dir  string
	head Head
	rows func(int)

	table string
	count int // number of the table's current file, from 0
	file  *os.File
	out   *bufio.Writer
	size  int
}

func (t *taker) take(ctx context.Context, s *store.Store) error {
	begin := func(d store.DumpHead) error {
		if d.Unsigned > 0 {
			return ErrUnsigned
		}
		t.head.Format, t.head.Schema, t.head.Feed = headFormat, d.Schema, d.Feed.Seq
		t.later(time.UnixMilli(d.Feed.Taken))
		return os.MkdirAll(t.dir, 0o755)
	}
	if err := s.Dump(ctx, begin, t.row); err != nil {
		return err
	}
	if err := t.close(); err != nil {
		return err
	}
	return writeJSON(filepath.Join(t.dir, filepath.Base(headFile)), t.head)
}

// later moves the copy's time forward to the given time. It never moves it back.
func (t *taker) later(at time.Time) {
	if at = at.UTC(); at.After(t.head.AsOf) {
		t.head.AsOf = at
	}
}

func (t *taker) row(r store.Row) error {
	if t.table != r.Table || t.size > dataFile {
		if err := t.next(r); err != nil {
			return err
		}
	}
	for i, c := range r.Columns {
		if at, ok := r.Values[i].(int64); ok && r.Table == "reading" && (c == "taken" || c == "measured") {
			t.later(time.UnixMilli(at))
		}
	}
	line := make([]any, len(r.Values))
	for i, v := range r.Values {
		if b, ok := v.([]byte); ok {
			v = []string{hex.EncodeToString(b)} // bytes become a list of one string, so that they differ from text
		}
		line[i] = v
	}
	t.rows(1)
	return t.line(line)
}

// next begins a file. Its first line has the column names.
func (t *taker) next(r store.Row) error {
	if err := t.close(); err != nil {
		return err
	}
	if t.count++; t.table != r.Table {
		t.table, t.count = r.Table, 0
	}
	dir := filepath.Join(t.dir, r.Table)
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		t.file, err = os.Create(filepath.Join(dir, fmt.Sprintf("%06d.jsonl", t.count)))
	}
	if err != nil {
		return err
	}
	t.out, t.size = bufio.NewWriter(t.file), 0
	return t.line(r.Columns)
}

func (t *taker) line(v any) error {
	text, err := encode(v, "")
	if err != nil {
		return err
	}
	t.size += len(text)
	_, err = t.out.Write(text)
	return err
}

func (t *taker) close() error {
	if t.file == nil {
		return nil
	}
	err := errors.Join(t.out.Flush(), t.file.Sync(), t.file.Close())
	t.file = nil
	return err
}

// writeJSON writes an indented document to the disk.
func writeJSON(name string, v any) error {
	text, err := encode(v, "  ")
	if err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// encode returns JSON that ends in a newline.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
