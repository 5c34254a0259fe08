package pet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

const (
	maxLine     = 64 << 10 // bytes of a row or a line
	maxMetadata = 1 << 20  // bytes of one token's metadata, which may contain its picture
	importBatch = 500      // pets in one transaction; few, because their rows may be far apart on disk
	maxFaults   = 40       // faults reported for one line
)

// An Import reads pets from files and passes them on in batches. For a closed realm a row has the
// whole pet, with these keys besides its id and traits:
//
//	owner      address (required); a custody address means that the pet was bridged away
//	intransit  boolean
//	block      number of the block of this state
//	at         that block's time in unix seconds
//
// For an open realm, in a collection without getters, a row has only the id and traits; the chain
// gives the owner. collection.ImportField finds traits by their labels. Numbers may be strings.
// Every fault is reported with its file and line, and its row is left out. Memory use does not
// depend on the size of a file, except for the ids.
type Import struct {
	registry *Registry
	put      func(context.Context, []Pet) error
	report   func(file string, line int, err error)
	batch    []Pet
	seen     map[uint64]uint64 // bit set of the ids so far
	text     []byte            // the metadata being read
}

// NewImport begins an import. It calls put with the pets, and report with the faults.
func (rg *Registry) NewImport(put func(context.Context, []Pet) error,
	report func(file string, line int, err error)) *Import {
	return &Import{registry: rg, put: put, report: report, batch: make([]Pet, 0, importBatch),
		seen: map[uint64]uint64{}}
}

// Read reads one file. The end of its name gives the format. .csv is a table with column names in
// the first row. .json, or a name that is just a number, is the ERC-721 metadata of one token, or a
// list of such metadata. Any other file has a JSON object in each line: metadata, or a row of a
// table with the column names as keys.
func (m *Import) Read(ctx context.Context, name string, r io.Reader) error {
	id, numbered := fileID(path.Base(filepath.ToSlash(name)))
	switch ext := strings.ToLower(path.Ext(name)); {
	case ext == ".csv":
		return m.readTable(ctx, name, r)
	case ext == ".json" || numbered && ext == "":
		return m.readMetadata(ctx, name, id, r)
	}
	return m.readLines(ctx, name, r)
}

// ReadFolder reads a folder of metadata: files such as 1.json or 1, one for each token. A folder
// without such files may have all metadata in _metadata.json.
func (m *Import) ReadFolder(ctx context.Context, name string, folder fs.FS) error {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return err
	}
	var files []string
	all := false
	for _, e := range entries {
		_, numbered := fileID(e.Name())
		switch ext := path.Ext(e.Name()); {
		case numbered && e.Type().IsRegular():
			files = append(files, e.Name())
		case e.Name() == "_metadata.json":
			all = true
		case e.Type().IsRegular() && ext == ".json" && e.Name()[0] != '.' && e.Name()[0] != '_':
			m.report(path.Join(name, e.Name()), 1, errors.New("the file's name is not the number of a token"))
		}
	}
	if len(files) == 0 && all {
		files = []string{"_metadata.json"}
	}
	if len(files) == 0 {
		return fmt.Errorf("%s has neither files such as 1.json nor a file _metadata.json", name)
	}
	for _, file := range files {
		if err := m.readFile(ctx, path.Join(name, file), folder, file); err != nil {
			return err
		}
	}
	return nil
}

func (m *Import) readFile(ctx context.Context, name string, folder fs.FS, file string) error {
	r, err := folder.Open(file)
	if err != nil {
		return err
	}
	defer r.Close()
	return m.Read(ctx, name, r)
}

// fileID returns the token's id if name is that of a token's metadata file.
func fileID(name string) (id string, ok bool) {
	n, err := strconv.ParseUint(strings.TrimSuffix(name, ".json"), 10, 64)
	if err != nil {
		return "", false
	}
	return strconv.FormatUint(n, 10), true
}

// addRow adds a row, or reports its faults.
func (m *Import) addRow(ctx context.Context, file string, line int, texts map[string]string, err error) error {
	var p Pet
	if err == nil {
		p, err = m.registry.importPet(texts)
	}
	if err == nil {
		bit := uint64(1) << (p.ID % 64)
		if m.seen[p.ID/64]&bit != 0 {
			err = fmt.Errorf("id: %s %d occurs twice", m.registry.Collection.One, p.ID)
		}
		m.seen[p.ID/64] |= bit
	}
	if err != nil {
		m.report(file, line, err)
		return nil
	}
	m.batch = append(m.batch, p)
	if len(m.batch) == importBatch {
		return m.Flush(ctx)
	}
	return nil
}

// Flush passes on the last pets. Call it after the last file.
func (m *Import) Flush(ctx context.Context) error {
	if len(m.batch) == 0 {
		return nil
	}
	err := m.put(ctx, m.batch)
	m.batch = m.batch[:0]
	return err
}

// importPet makes a pet from the texts of a row.
func (rg *Registry) importPet(texts map[string]string) (p Pet, err error) {
	l := importLine{texts: texts}
	p.ID = l.number("id", true, MaxID)
	home, ok := HomeRealm(rg.Realms, p.ID)
	p.Realm = home.Key
	switch {
	case len(l.importFaults) > 0:
	case !ok:
		l.fault("id: %s %d is outside every realm's range of ids", rg.Collection.One, p.ID)
	case !home.Closed && !rg.Untraited():
		l.fault("id: %s %d belongs to %s, which is open: its %s are read from the chain", rg.Collection.One,
			p.ID, home.Key, rg.Collection.Many)
	}
	if home.Closed || !rg.Untraited() {
		p.Owner = l.address("owner")
		p.InTransit = l.boolean("intransit")
		p.Block = l.number("block", false, math.MaxInt64)
		if at := l.number("at", false, 1<<40); at > 0 {
			p.ChangedAt = time.Unix(int64(at), 0).UTC()
		}
		p.InTransit = p.InTransit || home.presence(p.Owner) != owned
	} else if _, given := texts["owner"]; given {
		l.fault("owner: the chain says who owns it; leave this out")
		delete(texts, "owner")
	}
	for _, name := range rg.Collection.Missing(texts) {
		l.fault("%s is missing", name)
	}
	if p.Value, p.Name, err = rg.Collection.FromTexts(texts); err != nil {
		l.fault("%w", err)
	}
	return p, errors.Join(l.importFaults...)
}

// An importLine is a line of an import. The values that are not traits are taken out of it, and the
// faults are collected in it.
type importLine struct {
	texts map[string]string
	importFaults
}

// importFaults are the first faults of a line.
type importFaults []error

func (f *importFaults) fault(format string, args ...any) {
	if len(*f) < maxFaults {
		*f = append(*f, fmt.Errorf(format, args...))
	}
}

// take removes and returns a value.
func (l *importLine) take(key string, required bool) (text string, ok bool) {
	text, ok = l.texts[key]
	delete(l.texts, key)
	if !ok && required {
		l.fault("%s is missing", key)
	}
	return text, ok
}

func (l *importLine) number(key string, required bool, limit uint64) uint64 {
	text, ok := l.take(key, required)
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil || n > limit {
		l.fault("%s is not a number from 0 to %d", key, limit)
	}
	return n
}

func (l *importLine) address(key string) common.Address {
	text, ok := l.take(key, true)
	if ok && (!common.IsHexAddress(text) || !strings.HasPrefix(text, "0x")) {
		l.fault("%s is not an address", key)
	}
	return common.HexToAddress(text)
}

func (l *importLine) boolean(key string) bool {
	text, ok := l.take(key, false)
	if ok && text != "true" && text != "false" {
		l.fault("%s is neither true nor false", key)
	}
	return text == "true"
}
