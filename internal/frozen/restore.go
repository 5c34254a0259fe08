package frozen

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"petsupply/internal/frozen/car"
	"petsupply/internal/store"
)

// Restore makes a store of a copy in a new file. rows, unless nil, is told how
// many more rows are in it.
func Restore(ctx context.Context, copied fs.FS, file string, rows func(int)) (*Head, error) {
	h, err := ReadHead(copied)
	if err != nil {
		return nil, err
	}
	r := &rowReader{copied: copied, rows: rows}
	if r.files, err = fs.Glob(copied, dataDir+"/*/*.jsonl"); err != nil {
		return nil, err
	}
	defer r.close()
	if err := store.Restore(ctx, file, h.Schema, r.next); err != nil {
		return nil, fmt.Errorf("reading the rows of the copy: %w", err)
	}
	return h, nil
}

// ExtractPack writes the art pack of a copy into a directory.
func ExtractPack(copied fs.FS, dir string) error {
	pack, err := fs.Sub(copied, packDir)
	if err != nil {
		return err
	}
	if _, err := fs.Stat(pack, "."); err != nil {
		return fmt.Errorf("%w: it has no art pack", ErrNoCopy)
	}
	return os.CopyFS(dir, pack)
}

// Verify holds what a copy is served from against its provenance: the rows and
// the pack.
func Verify(ctx context.Context, copied fs.FS) (*Provenance, error) {
	p := &Provenance{}
	if err := readJSON(copied, provenanceFile, p); err != nil {
		return nil, err
	}
	for dir, want := range map[string]string{dataDir: p.Data, packDir: p.Pack.CID} {
		below, err := fs.Sub(copied, dir)
		if err != nil {
			return nil, err
		}
		got, err := car.Root(ctx, below)
		if err != nil {
			return nil, err
		}
		if got.String() != want {
			return nil, fmt.Errorf("%w: %s was altered: its CID is %s, provenance.json says %s", ErrNoCopy, dir, got, want)
		}
	}
	return p, nil
}

// maxRow bounds a line of data: a snapshot with the evidence of thousands of
// entries.
const maxRow = 64 << 20

// A rowReader reads the rows of files one after the other.
type rowReader struct {
	copied  fs.FS
	files   []string
	rows    func(int)
	file    io.Closer
	lines   *bufio.Scanner
	table   string
	columns []string
}

// next is for store.Restore.
func (r *rowReader) next() (row store.Row, ok bool, err error) {
	for {
		if r.lines == nil {
			if len(r.files) == 0 {
				return row, false, nil
			}
			if err := r.open(r.files[0]); err != nil {
				return row, false, err
			}
			r.files = r.files[1:]
		}
		if r.lines.Scan() {
			break
		}
		if err := r.lines.Err(); err != nil {
			return row, false, err
		}
		r.close()
	}
	row = store.Row{Table: r.table, Columns: r.columns}
	if row.Values, err = parseRow(r.lines.Bytes()); err != nil {
		return row, false, fmt.Errorf("a row of %s: %w", r.table, err)
	}
	if r.rows != nil {
		r.rows(1)
	}
	return row, true, nil
}

func (r *rowReader) open(name string) error {
	f, err := r.copied.Open(name)
	if err != nil {
		return err
	}
	r.file, r.table, r.lines = f, path.Base(path.Dir(name)), bufio.NewScanner(f)
	r.lines.Buffer(make([]byte, 64<<10), maxRow)
	if !r.lines.Scan() {
		return fmt.Errorf("%w: %s names no columns", ErrNoCopy, name)
	}
	r.columns = nil
	return json.Unmarshal(r.lines.Bytes(), &r.columns)
}

func (r *rowReader) close() {
	if r.file != nil {
		r.file.Close()
	}
	r.file, r.lines = nil, nil
}

// parseRow reads the values of a row: see taker.row.
func parseRow(line []byte) ([]any, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var values []any
	if err := d.Decode(&values); err != nil {
		return nil, err
	}
	for i, v := range values {
		switch v := v.(type) {
		case nil, string:
		case json.Number:
			n, err := v.Int64()
			if err != nil {
				return nil, err
			}
			values[i] = n
		case []any:
			text, ok := "", len(v) == 1
			if ok {
				text, ok = v[0].(string)
			}
			b, err := hex.DecodeString(text)
			if !ok || err != nil {
				return nil, fmt.Errorf("%v is not hexadecimal", v)
			}
			values[i] = b
		default:
			return nil, fmt.Errorf("%v is neither a number, text nor bytes", v)
		}
	}
	return values, nil
}
