package collection

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxFaults limits the faults that FromTexts reports.
const maxFaults = 40

// FromTexts makes a value from the texts of its fields, by name. It also returns the token's name.
// Fields may be missing. Unknown fields, and texts that are too long or not UTF-8, are errors. The
// error lists at most maxFaults faults.
func (c *Collection) FromTexts(fields map[string]string) (v Value, name string, err error) {
	b := c.builder()
	var faults []error
	for key, text := range fields {
		f := c.FieldNamed(key)
		if f == nil {
			faults = append(faults, fmt.Errorf("%s is not a field of this collection", strconv.Quote(Clip(key, 64))))
			continue
		}
		var raw string
		switch {
		case f.role == "id":
		case f.width > 0:
			err = fmt.Errorf("it is a part of %[1]s; give %[1]s instead", c.Fields[f.parent].Name)
		case f.role == "name":
			name, err = importText(text, maxName)
		case f.Type.IsText():
			text, err = importText(text, maxText)
			if f.Type.kind == kindWord {
				text = Clean(text, maxShown)
			}
			b.setText(f.stored, text)
		default:
			if raw, err = f.Type.parse(text); err == nil {
				b.setBytes(f.stored, raw)
			}
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", f.Name, err))
			err = nil
		}
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return b.value(), name, errors.Join(faults[:min(len(faults), maxFaults)]...)
}

func importText(text string, limit int) (string, error) {
	switch {
	case len(text) > limit:
		return "", fmt.Errorf("the text is longer than %d bytes", limit)
	case !utf8.ValidString(text):
		return "", errors.New("the text is not UTF-8")
	}
	return text, nil
}

// ImportField returns the name of the field that a label in an import means. A label is a field's
// name, or the name of an attribute that shows it. Case, spaces and punctuation do not matter.
func (c *Collection) ImportField(label string) (name string, ok bool) {
	name, ok = c.labels[PlainLabel(label)]
	return name, ok
}

// PlainLabel reduces a label to its letters and digits, in lower case.
func PlainLabel(label string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, label)
}

// labels assigns a field to each label of an import. The name of a field has precedence over the name
// of an attribute.
func (c *compiler) labels() {
	c.Collection.labels = map[string]string{}
	add := func(label string, f *Field) {
		label = PlainLabel(label)
		if c.Collection.labels[label] == "" {
			c.Collection.labels[label] = f.Name
		}
	}
	for i := range c.Collection.Fields {
		add(c.Collection.Fields[i].Name, &c.Collection.Fields[i])
	}
	for i := range c.file.Attributes {
		a := &c.file.Attributes[i]
		if f := c.FieldNamed(a.Field); f != nil && a.Field != "" {
			add(a.Trait, f)
		}
	}
}

// NameField returns the name of the field with a token's own name, or "".
func (c *Collection) NameField() string {
	for i := range c.Fields {
		if c.Fields[i].role == "name" {
			return c.Fields[i].Name
		}
	}
	return ""
}

// Missing returns the names of the fields that a row of an import lacks. It compares the row with
// each getter that returns all fields of the row, or with all getters if no getter does. The getter
// with the fewest missing fields counts. Without getters nothing is missing.
func (c *Collection) Missing(fields map[string]string) []string {
	var least []string
	for _, fitting := range []bool{true, false} {
		for g := range c.Getters {
			lacks, fits := c.Getters[g].compare(c, fields)
			switch {
			case fitting && !fits:
			case len(lacks) == 0:
				return nil
			case least == nil || len(lacks) < len(least):
				least = lacks
			}
		}
		if least != nil {
			return least
		}
	}
	return nil
}

// compare compares the getter with a row of an import. It returns the getter's fields that the row
// lacks, and reports whether the getter returns all fields of the row.
func (g *Getter) compare(c *Collection, fields map[string]string) (lacks []string, fits bool) {
	for _, f := range g.fields {
		if _, ok := fields[f.Name]; !ok && f.role != "id" {
			lacks = append(lacks, f.Name)
		}
	}
	for name := range fields {
		if f := c.FieldNamed(name); f != nil && !slices.Contains(g.fields, f) {
			return lacks, false
		}
	}
	return lacks, true
}
