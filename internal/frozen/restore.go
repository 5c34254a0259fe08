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

	"petsupply/internal/store"
)

// Restore makes a store in a new file, and puts the art pack into a new directory.
// rows is called with how many more rows were read.
func (c *Copy) Restore(ctx context.Context, file, pack string, rows func(int)) (*Head, error) {
	h, err := c.Head()
	if err != nil {
		return nil, err
	}
	r := &rowReader{copied: c, rows: rows}
	err = c.each(ctx, dataDir, func(name string) error {
		if name != headFile {
			r.files = append(r.files, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := store.Restore(ctx, file, h.Schema, r.next); err != nil {
		return nil, fmt.Errorf("reading the rows of the copy: %w", err)
	}
	if h.Plain {
		return h, nil
	}
	packed, err := fs.Sub(c.files, packDir)
	if err == nil {
		err = os.CopyFS(pack, packed)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the art pack of the copy: %w", err)
	}
	return h, nil
}

// maxRow bounds a line of data: a snapshot with the evidence of thousands of
// entries.
const maxRow = 64 << 20

// A rowReader reads the rows of files one after the other.
type rowReader struct {
	copied  *Copy
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
	r.rows(1)
	return row, true, nil
}

func (r *rowReader) open(name string) error {
	f, err := r.copied.open(name, maxFile)
	if err != nil {
		return err
	}
	r.file, r.table, r.lines = f, path.Base(path.Dir(name)), bufio.NewScanner(f)
	r.lines.Buffer(make([]byte, 64<<10), maxRow)
	if !r.lines.Scan() {
		return fmt.Errorf("%w: %s names no columns", errNoCopy, name)
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
