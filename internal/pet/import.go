package pet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const (
	maxLine     = 64 << 10 // bytes
	importBatch = 1000     // pets in one transaction
	maxFaults   = 40       // that are told of one line
)

// Import reads pets of closed realms from lines of JSON and hands them to put
// in batches. A line is an object with the keys of rawData, of which fedby and
// foodtype may be left out, and besides:
//
//	owner      address (required); a custody address means that it was bridged away
//	intransit  boolean
//	block      number of the block of which this is the state
//	at         that block's time in unix seconds
//
// Numbers may be written as strings. A bad line is reported with its number and
// left out; the rest is taken in. Memory does not depend on the file's size.
func Import(
	ctx context.Context, r io.Reader, realms []Realm,
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
			p, err = parsePet(line, realms)
		}
		if err != nil {
			report(number, err)
			continue
		}
		batch = append(batch, p)
	}
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
func parsePet(line []byte, realms []Realm) (Pet, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return Pet{}, fmt.Errorf("not a JSON object: %w", err)
	}
	l := importLine{keys: keys}
	p := Pet{ID: l.number("id", MaxID), Owner: l.address("owner"), InTransit: l.boolean("intransit")}
	p.Traits = l.traits()
	if l.has("block") {
		p.Block = l.number("block", math.MaxInt64)
	}
	if l.has("at") {
		p.ChangedAt = time.Unix(int64(l.number("at", 1<<40)), 0).UTC()
	}
	for key := range keys {
		if !slices.Contains(l.read, key) {
			l.fault("%q is not a key of an import", Clean(key))
		}
	}
	home, ok := HomeRealm(realms, p.ID)
	switch {
	case len(l.faults) > 0:
	case !ok:
		l.fault("pet %d is outside every realm", p.ID)
	case !home.Closed:
		l.fault("pet %d is of %s, which is open: its pets are read from its chain", p.ID, home.Key)
	}
	p.Realm = home.Key
	p.InTransit = p.InTransit || home.presence(p.Owner) != owned
	return p, errors.Join(l.faults...)
}

// An importLine reads the values of one line, and collects its faults.
type importLine struct {
	keys   map[string]json.RawMessage
	read   []string
	faults []error
}

func (l *importLine) fault(format string, args ...any) {
	if len(l.faults) < maxFaults {
		l.faults = append(l.faults, fmt.Errorf(format, args...))
	}
}

func (l *importLine) has(key string) bool {
	_, ok := l.keys[key]
	return ok
}

// text returns a value as it is written, without quotes; empty and a fault if
// it is missing.
func (l *importLine) text(key string) string {
	l.read = append(l.read, key)
	raw, ok := l.keys[key]
	if !ok {
		l.fault("%s is missing", key)
		return ""
	}
	if len(raw) > 0 && raw[0] != '"' {
		return string(raw)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		l.fault("%s: %w", key, err)
	}
	return s
}

// words is text that must be written in quotes.
func (l *importLine) words(key string) string {
	s := l.text(key)
	if raw := l.keys[key]; len(raw) > 0 && raw[0] != '"' {
		l.fault("%s is not a string", key)
	}
	return s
}

func (l *importLine) number(key string, limit uint64) uint64 {
	before := len(l.faults)
	n, err := strconv.ParseUint(l.text(key), 10, 64)
	if len(l.faults) == before && (err != nil || n > limit) {
		l.fault("%s is not a number from 0 to %d", key, limit)
	}
	return n
}

func (l *importLine) address(key string) common.Address {
	before, s := len(l.faults), l.text(key)
	if len(l.faults) == before && (!common.IsHexAddress(s) || !strings.HasPrefix(s, "0x")) {
		l.fault("%s is not an address", key)
	}
	return common.HexToAddress(s)
}

func (l *importLine) boolean(key string) bool {
	if !l.has(key) {
		return false
	}
	switch l.text(key) {
	case "true":
		return true
	case "false":
	default:
		l.fault("%s is neither true nor false", key)
	}
	return false
}

// traits reads the struct's fields. Of a later struct's own fields, none or all
// are there.
func (l *importLine) traits() (t Traits) {
	last := 0
	for i, f := range Fields {
		if l.has(f.Name) {
			last = i
		}
	}
	t.Struct = firstStruct(last)
	for _, f := range t.Struct.Fields() {
		switch v := f.Of(&t).(type) {
		case *uint8:
			*v = uint8(l.number(f.Name, math.MaxUint8))
		case *uint16:
			*v = uint16(l.number(f.Name, math.MaxUint16))
		case *uint64:
			*v = l.number(f.Name, math.MaxUint64)
		case *uint256.Int:
			if err := v.SetFromDecimal(l.text(f.Name)); err != nil {
				l.fault("%s is not a decimal number of 256 bits", f.Name)
			}
		case *common.Address:
			*v = l.address(f.Name)
		case *string:
			*v = clip(l.words(f.Name), maxName)
		}
	}
	return t
}
