package pet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

const (
	maxLine     = 64 << 10 // bytes
	importBatch = 1000     // pets in one transaction
	maxFaults   = 40       // that are reported of one line
)

// Import reads pets of closed realms from lines of JSON and hands them to put
// in batches. A line is an object with the keys of rawData, of which those may be
// left out that only some getters return, and besides:
//
//	owner      address (required); a custody address means that it was bridged away
//	intransit  boolean
//	block      number of the block of which this is the state
//	at         that block's time in unix seconds
//
// Numbers may be written as strings. A bad line is reported with its number and
// left out; the rest is taken in. Memory does not depend on the file's size.
func (k *Kingdom) Import(
	ctx context.Context, r io.Reader,
	put func(context.Context, []Pet) error, report func(line int, err error),
) error {
	batch := make([]Pet, 0, importBatch)
	in := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, long, err := readLine(in)
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return fmt.Errorf("reading line %d: %w", number, err)
		}
		if len(batch) == importBatch || ended && len(batch) > 0 {
			if err := put(ctx, batch); err != nil {
				return fmt.Errorf("importing the pets before line %d: %w", number, err)
			}
			batch = batch[:0]
		}
		if ended {
			return nil
		}
		if !long && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		p, err := Pet{}, errLong
		if !long {
			p, err = k.parsePet(line)
		}
		if err != nil {
			report(number, err)
			continue
		}
		batch = append(batch, p)
	}
}

// ImportCSV is Import for a table whose first row names the keys. A cell that is
// empty is left out, except the name's.
func (k *Kingdom) ImportCSV(
	ctx context.Context, r io.Reader,
	put func(context.Context, []Pet) error, report func(line int, err error),
) error {
	in := csv.NewReader(bufio.NewReaderSize(r, maxLine))
	in.ReuseRecord, in.FieldsPerRecord = true, 0
	header, err := in.Read()
	if err != nil {
		return fmt.Errorf("reading the first row, which names the columns: %w", err)
	}
	keys := make([]string, len(header))
	for i, key := range header {
		keys[i] = strings.ToLower(strings.TrimSpace(strings.TrimPrefix(key, "\ufeff")))
	}
	batch := make([]Pet, 0, importBatch)
	for {
		row, err := in.Read()
		ended := errors.Is(err, io.EOF)
		if len(batch) == importBatch || ended && len(batch) > 0 {
			if err := put(ctx, batch); err != nil {
				return fmt.Errorf("importing %d pets: %w", len(batch), err)
			}
			batch = batch[:0]
		}
		if ended {
			return nil
		}
		line, _ := in.FieldPos(0)
		if _, bad := errors.AsType[*csv.ParseError](err); err != nil && !bad {
			return fmt.Errorf("reading line %d: %w", line, err)
		}
		var p Pet
		if err == nil {
			p, err = k.importRow(keys, row)
		}
		if err != nil {
			report(line, err)
			continue
		}
		batch = append(batch, p)
	}
}

// importRow makes a pet of a row of a table.
func (k *Kingdom) importRow(keys, row []string) (Pet, error) {
	texts := make(map[string]string, len(keys))
	size := 0
	for i, cell := range row {
		size += len(cell)
		if cell != "" || keys[i] == "name" {
			texts[keys[i]] = strings.Clone(cell)
		}
	}
	if size > maxLine {
		return Pet{}, errLong
	}
	return k.importPet(texts)
}

var errLong = fmt.Errorf("longer than %d bytes", maxLine)

// readLine returns the next line, and whether it is too long to be returned.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	line, rest, err := in.ReadLine()
	for rest && err == nil {
		long = true
		_, rest, err = in.ReadLine()
	}
	if long && errors.Is(err, io.EOF) {
		err = nil // it ends with the file
	}
	return line, long, err
}

// parsePet reads one line of an import.
func (k *Kingdom) parsePet(line []byte) (Pet, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return Pet{}, fmt.Errorf("not a JSON object: %w", err)
	}
	texts := make(map[string]string, len(keys))
	for key, raw := range keys {
		text, err := scalar(raw)
		if err != nil {
			return Pet{}, fmt.Errorf("%s: %w", strconv.Quote(clip(Clean(key), 64)), err)
		}
		texts[key] = text
	}
	return k.importPet(texts)
}

// scalar returns a JSON string, number or truth value as text.
func scalar(raw json.RawMessage) (string, error) {
	switch raw[0] {
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case '{', '[', 'n':
		return "", errors.New("want a text, a number, or true or false")
	}
	return string(raw), nil
}

// importPet makes a pet of the values of an import, which are all text.
func (k *Kingdom) importPet(texts map[string]string) (p Pet, err error) {
	l := importLine{texts: texts}
	p = Pet{ID: l.number("id", true, MaxID), Owner: l.address("owner"), InTransit: l.truth("intransit"),
		Block: l.number("block", false, math.MaxInt64)}
	if at := l.number("at", false, 1<<40); at > 0 {
		p.ChangedAt = time.Unix(int64(at), 0).UTC()
	}
	for _, name := range k.Collection.Missing(texts) {
		l.fault("%s is missing", name)
	}
	if p.Value, p.Name, err = k.Collection.FromTexts(texts); err != nil {
		l.fault("%w", err)
	}
	home, ok := HomeRealm(k.Realms, p.ID)
	switch {
	case len(l.faults) > 0:
	case !ok:
		l.fault("%s %d is outside every realm", k.Collection.One, p.ID)
	case !home.Closed:
		l.fault("%s %d is of %s, which is open: its %s are read from its chain", k.Collection.One, p.ID, home.Key, k.Collection.Many)
	}
	p.Realm = home.Key
	p.InTransit = p.InTransit || home.presence(p.Owner) != owned
	return p, errors.Join(l.faults...)
}

// An importLine takes the values that are no traits out of a line, and collects the
// line's faults.
type importLine struct {
	texts  map[string]string
	faults []error
}

func (l *importLine) fault(format string, args ...any) {
	if len(l.faults) < maxFaults {
		l.faults = append(l.faults, fmt.Errorf(format, args...))
	}
}

// take removes a value.
func (l *importLine) take(key string, required bool) (text string, ok bool) {
	text, ok = l.texts[key]
	if delete(l.texts, key); !ok && required {
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

func (l *importLine) truth(key string) bool {
	text, ok := l.take(key, false)
	if ok && text != "true" && text != "false" {
		l.fault("%s is neither true nor false", key)
	}
	return text == "true"
}
