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
	"iter"
	"os"
	"path"

	"petsupply/internal/store"
	"petsupply/internal/supply/proof"
)

// Restore makes a store in a new file, and writes the art pack to a new directory unless the head
// is Plain. It calls rows with the number of rows read since the last call.
func (c *Copy) Restore(ctx context.Context, file, pack string, rows func(int)) (*Head, error) {
	h, err := c.Head()
	if err != nil {
		return nil, err
	}
	if err := store.Restore(ctx, file, h.Schema, c.rows(ctx, rows)); err != nil {
		return nil, fmt.Errorf("reading the database rows of the copy: %w", err)
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

// maxRow limits a line of data, in bytes. The longest is a snapshot with the evidence of thousands
// of entries.
const maxRow = 64 << 20

// errStop ends the reading of rows early.
var errStop = errors.New("stopped")

// rows yields the rows of all files, up to the first error. It calls read with the number of rows
// read since the last call.
func (c *Copy) rows(ctx context.Context, read func(int)) iter.Seq2[store.Row, error] {
	return func(yield func(store.Row, error) bool) {
		err := c.each(ctx, dataDir, maxBatch, func(name string) error {
			if name == headFile {
				return nil
			}
			return c.rowsOf(name, func(r store.Row) bool { read(1); return yield(r, nil) })
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(store.Row{}, err)
		}
	}
}

// rowsOf calls the function take with each row of a file, until take returns false.
func (c *Copy) rowsOf(name string, take func(store.Row) bool) error {
	f, err := c.open(name, maxFile)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 64<<10), maxRow)
	if !lines.Scan() {
		return fmt.Errorf("%w: %s names no columns", errNoCopy, name)
	}
	row := store.Row{Table: path.Base(path.Dir(name))}
	if err = proof.CheckKeys(lines.Bytes()); err == nil {
		err = json.Unmarshal(lines.Bytes(), &row.Columns)
	}
	if err != nil {
		return err
	}
	for lines.Scan() {
		if row.Values, err = parseRow(lines.Bytes()); err != nil {
			return fmt.Errorf("reading a row of the table %s: %w", row.Table, err)
		}
		if !take(row) {
			return errStop
		}
	}
	return lines.Err()
}

// parseRow reads the values of a row, as taker.row writes them.
func parseRow(line []byte) ([]any, error) {
	if err := proof.CheckKeys(line); err != nil { // before Decode, which may take far more memory than the line
		return nil, err
	}
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
				return nil, fmt.Errorf("%v is not a list of one hexadecimal text", v)
			}
			values[i] = b
		default:
			return nil, fmt.Errorf("%v is not a number, text or bytes", v)
		}
	}
	return values, nil
}
