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
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"petsupply/internal/pet/collection"
)

// readLines reads a file with a JSON object in each line.
func (m *Import) readLines(ctx context.Context, file string, r io.Reader) error {
	in := bufio.NewReaderSize(r, maxLine)
	for number := 1; ; number++ {
		line, long, err := readLine(in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("reading %s: line %d: %w", file, number, err)
		case !long && len(bytes.TrimSpace(line)) == 0:
			continue
		}
		var texts map[string]string
		err = errLong
		if !long {
			texts, err = m.registry.objectTexts(line, "")
		}
		if err := m.addRow(ctx, file, number, texts, err); err != nil {
			return err
		}
	}
}

// readTable reads a CSV table. An empty cell counts as missing, except in the column "name", where
// it is an empty name.
func (m *Import) readTable(ctx context.Context, file string, r io.Reader) error {
	bounded := &lineReader{r: r, left: maxLine}
	in := csv.NewReader(bounded)
	in.ReuseRecord = true
	in.TrimLeadingSpace = true
	header, err := in.Read()
	var keys []string
	if err == nil {
		keys, err = m.registry.columns(header)
	}
	if err != nil {
		m.report(file, 1, fmt.Errorf("reading the names of the columns in the first row: %w", err))
		return nil
	}
	for {
		bounded.left = maxLine
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		line := 0
		if parsing, ok := errors.AsType[*csv.ParseError](err); ok {
			line = parsing.StartLine
			err = parsing.Err
		} else if err != nil {
			m.report(file, bounded.line(in.InputOffset()), err)
			return nil
		} else {
			line, _ = in.FieldPos(0)
		}
		texts := make(map[string]string, len(keys))
		for i, cell := range row[:min(len(row), len(keys))] {
			if cell != "" || keys[i] == "name" {
				texts[keys[i]] = strings.Clone(cell)
			}
		}
		if err := m.addRow(ctx, file, line, texts, err); err != nil {
			return err
		}
	}
}

// columns returns the keys of a table's columns.
func (rg *Registry) columns(header []string) (keys []string, err error) {
	var faults importFaults
	for i, label := range header {
		if i == 0 {
			label = strings.TrimPrefix(label, "\ufeff")
		}
		key, ok := rg.importKey(label)
		switch {
		case !ok && len(header) == 1:
			faults.fault("%s is not a column; separate columns with commas", quoteLabel(label))
		case !ok:
			faults.fault("%s is not a field of this collection", quoteLabel(label))
		case slices.Contains(keys, key):
			faults.fault("%s occurs twice", quoteLabel(label))
		}
		keys = append(keys, key)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	if !slices.Contains(keys, "id") {
		faults.fault("id: the table has no such column")
	}
	cells := map[string]string{}
	for _, key := range keys {
		if !slices.Contains(ownKeys, key) {
			cells[key] = ""
		}
	}
	for _, name := range rg.Collection.Missing(cells) {
		faults.fault("%s: the table has no such column", name)
	}
	return keys, errors.Join(faults...)
}

// ownKeys are the keys of an import that are not traits.
var ownKeys = []string{"id", "owner", "intransit", "block", "at"}

// importKey returns the key that a label stands for: the key of a trait, or one of ownKeys.
func (rg *Registry) importKey(label string) (key string, ok bool) {
	if plain := collection.PlainLabel(label); slices.Contains(ownKeys, plain) {
		return plain, true
	}
	if key, ok = rg.Collection.ImportField(label); !ok && collection.PlainLabel(label) == "tokenid" {
		return "id", true
	}
	return key, ok
}

func quoteLabel(label string) string { return strconv.Quote(collection.Clip(Clean(label), 64)) }

// readMetadata reads the metadata of one token, or a list of several. id is the id in the file's
// name, or "". For a list this id is ignored.
func (m *Import) readMetadata(ctx context.Context, file, id string, r io.Reader) error {
	lines := &lineReader{r: r, left: maxMetadata}
	in := bufio.NewReader(lines)
	if start, _ := in.Peek(512); !bytes.HasPrefix(bytes.TrimSpace(start), []byte("[")) {
		if m.text == nil {
			m.text = make([]byte, maxMetadata)
		}
		n, err := io.ReadFull(in, m.text)
		if err == nil {
			err = errLong
		} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil
		}
		text := m.text[:n]
		var texts map[string]string
		if err == nil {
			texts, err = m.registry.objectTexts(bytes.TrimSpace(text), id)
		}
		line := 1
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line += bytes.Count(text[:min(int(syntax.Offset), len(text))], []byte("\n"))
		}
		return m.addRow(ctx, file, line, texts, err)
	}
	list := json.NewDecoder(in)
	_, err := list.Token()
	for err == nil && list.More() {
		lines.left = maxMetadata
		var text json.RawMessage
		if err = list.Decode(&text); err == nil {
			texts, fault := m.registry.objectTexts(text, "")
			err = m.addRow(ctx, file, lines.line(list.InputOffset()-int64(len(text))), texts, fault)
			if err != nil {
				return err
			}
		}
	}
	if err == nil {
		_, err = list.Token() // the end of the list
	}
	if err == nil && list.More() {
		err = errors.New("there is text after the list")
	}
	if err != nil {
		at := lines.read
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			rest, _ := io.ReadAll(io.LimitReader(list.Buffered(), 4096)) // begins where the fault is
			at = list.InputOffset() + int64(len(rest)-len(bytes.TrimLeft(rest, ", \t\r\n")))
		}
		m.report(file, lines.line(at), fmt.Errorf("not JSON: %w", err))
	}
	return nil
}

// A lineReader counts lines.
type lineReader struct {
	r      io.Reader
	left   int // how many more bytes may be read; after them, the error is errLong
	read   int64
	ends   []int64 // ends of lines that are not counted yet
	counts int     // number of lines counted so far
}

func (l *lineReader) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLong
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	for i, b := range p[:n] {
		if b == '\n' {
			l.ends = append(l.ends, l.read+int64(i))
		}
	}
	l.left -= n
	l.read += int64(n)
	return n, err
}

// line returns the number of the line that contains the byte at an offset. Offsets must not
// decrease from call to call.
func (l *lineReader) line(at int64) int {
	for len(l.ends) > 0 && l.ends[0] < at {
		l.ends = l.ends[1:]
		l.counts++
	}
	return l.counts + 1
}

var errLong = errors.New("the line or object is too long")

// readLine returns the next line, and whether it is too long to return.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	line, rest, err := in.ReadLine()
	for rest && err == nil {
		long = true
		_, rest, err = in.ReadLine()
	}
	if long && errors.Is(err, io.EOF) {
		err = nil // the long line is the last one, and has no newline
	}
	return line, long, err
}

// objectTexts reads a JSON object of an import. The object is a row, or metadata with a list of
// attributes. id is the id in the file's name, or "".
func (rg *Registry) objectTexts(text []byte, id string) (texts map[string]string, err error) {
	object, err := readObject(text)
	if err != nil {
		return nil, err
	}
	metadata := slices.ContainsFunc(object, func(p property) bool { return p.key == "attributes" && p.value[0] == '[' })
	out := importTexts{registry: rg, texts: map[string]string{}}
	for _, p := range object {
		switch {
		case metadata && p.key == "attributes":
			out.attributes(p.value)
		case metadata:
			out.metadata(p.key, p.value)
		default:
			key, ok := rg.importKey(p.key)
			if !ok {
				key = p.key
			}
			out.add(key, p.key, p.value)
		}
	}
	if id == "" {
		id = out.id
	}
	if _, ok := out.texts["id"]; !ok && id != "" {
		out.texts["id"] = id
	}
	return out.texts, errors.Join(out.importFaults...)
}

// importTexts collects the values of one object.
type importTexts struct {
	registry *Registry
	texts    map[string]string
	id       string // the id in metadata
	importFaults
}

func (t *importTexts) add(key, label string, value json.RawMessage) {
	text, err := scalar(value)
	if _, twice := t.texts[key]; twice {
		err = errors.New("it occurs twice")
	}
	if err != nil {
		t.fault("%s: %w", quoteLabel(label), err)
		return
	}
	t.texts[key] = text
}

// metadata handles a key of metadata: the name, a field or the id. It ignores other keys, because
// metadata has many keys for other programs.
func (t *importTexts) metadata(key string, value json.RawMessage) {
	name := t.registry.Collection.NameField()
	field, ok := t.registry.Collection.ImportField(key)
	switch plain := collection.PlainLabel(key); {
	case plain == "name" && name != "":
		t.add(name, key, value)
	case ok:
		t.add(field, key, value)
	case t.id == "" && (plain == "tokenid" || plain == "edition"), plain == "id":
		t.id, _ = scalar(value)
	}
}

func (t *importTexts) attributes(list json.RawMessage) {
	var all []struct {
		Trait string          `json:"trait_type"`
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(list, &all); err != nil {
		t.fault("attributes is not a list of objects with trait_type and value: %w", err)
	}
	for _, a := range all {
		key, ok := t.registry.Collection.ImportField(a.Trait)
		switch {
		case a.Trait == "" || a.Value == nil:
			t.fault("an attribute has no trait_type or no value")
		case !ok:
			t.fault("the trait %s is not a field of this collection", quoteLabel(a.Trait))
		default:
			t.add(key, a.Trait, a.Value)
		}
	}
}

// A property is a key of a JSON object with its value.
type property struct {
	key   string
	value json.RawMessage
}

// readObject reads a JSON object. A key that occurs twice is in the list twice.
func readObject(text []byte) (list []property, err error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	if !json.Valid(text) { // Unmarshal says where the fault is
		var any json.RawMessage
		return nil, fmt.Errorf("not a JSON object: %w", json.Unmarshal(text, &any))
	}
	object := json.NewDecoder(bytes.NewReader(text))
	if start, _ := object.Token(); start != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	for object.More() {
		key, err := object.Token()
		if err != nil {
			return nil, fmt.Errorf("not a JSON object: %w", err)
		}
		var value json.RawMessage
		if err := object.Decode(&value); err != nil {
			return nil, fmt.Errorf("not a JSON object: %w", err)
		}
		list = append(list, property{key.(string), value})
	}
	return list, nil
}

// scalar returns a JSON string, number or boolean as text.
func scalar(raw json.RawMessage) (string, error) {
	switch raw[0] {
	case '"':
		if bytes.IndexByte(raw, '\\') < 0 {
			return string(raw[1 : len(raw)-1]), nil
		}
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case '{', '[', 'n':
		return "", errors.New("the value is not a text, a number, true or false")
	}
	return string(raw), nil
}
