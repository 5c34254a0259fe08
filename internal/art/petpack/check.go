package petpack

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// A form is a regular expression that a text in pack.json must match, with a description for
// messages.
type form struct {
	*regexp.Regexp
	says string
}

func formOf(expr, says string) form { return form{regexp.MustCompile(expr), says} }

func (f form) check(what, text string) error {
	if f.MatchString(text) {
		return nil
	}
	return fmt.Errorf("%s %q: not %s", what, text, f.says)
}

var (
	idForm      = formOf(`^[a-z0-9][a-z0-9-]{0,39}$`, "1 to 40 lower-case letters, digits and dashes")
	versionForm = formOf(`^[0-9A-Za-z][0-9A-Za-z.+-]{0,31}$`, "1 to 32 letters, digits, dots, pluses and dashes")
	nameForm    = formOf(`^[a-z][a-z0-9_-]{0,39}$`, "1 to 40 lower-case letters, digits, dashes and underscores")
	licenceForm = formOf(`^[\x21-\x7e]([\x20-\x7e]{0,198}[\x21-\x7e])?$`, "1 to 200 plain ASCII characters")
)

func (m *Manifest) check() error {
	return cmp.Or(m.checkHead(), m.checkDelays(), m.checkSlots(), m.checkAssets())
}

func (m *Manifest) checkHead() error {
	switch {
	case m.Grid < 8 || m.Grid > maxGrid:
		return fmt.Errorf("grid is %d, not 8 to %d", m.Grid, maxGrid)
	case m.Scale < 1 || m.Scale > MaxScale(m.Grid):
		most := MaxScale(m.Grid)
		return fmt.Errorf("scale is %d, not 1 to %d; the largest makes pictures %d pixels wide",
			m.Scale, most, m.Grid*most)
	case m.Licence == "":
		return errors.New("no licence: a pack must say under which terms its pictures may be used")
	}
	return cmp.Or(idForm.check("id", m.ID), versionForm.check("version", m.Version),
		licenceForm.check("licence", m.Licence))
}

// checkValues checks that the names of trait values are valid, not too many, and all different.
func (m *Manifest) checkValues() error {
	for trait, names := range m.Values {
		t, err := m.trait(trait)
		if err != nil {
			return fmt.Errorf("values: %w", err)
		}
		for _, name := range names {
			if err := nameForm.check("values: "+trait, name); err != nil {
				return err
			}
		}
		if uint64(len(names)) > t.Max+1 {
			return fmt.Errorf("values: %s has %d names, but only %d values", trait, len(names), t.Max+1)
		}
		if err := checkTwice("values: "+trait, names); err != nil {
			return err
		}
	}
	return nil
}

func (m *Manifest) checkSlots() error {
	if len(m.Slots) == 0 || len(m.Slots) > maxSlots {
		return fmt.Errorf("%d slots, not 1 to %d", len(m.Slots), maxSlots)
	}
	var names []string
	for _, s := range m.Slots {
		if s.Switch != "" && s.Switch != "background" && s.Switch != "frame" {
			return fmt.Errorf("slot %q: switch %q is neither background nor frame", s.Name, s.Switch)
		}
		if err := nameForm.check("name", s.Name); err != nil {
			return fmt.Errorf("slot %q: %w", s.Name, err)
		}
		names = append(names, s.Name)
	}
	return checkTwice("slot", names)
}

// checkTwice refuses a value that is in a list more than once.
func checkTwice[T comparable](what string, list []T) error {
	seen := map[T]bool{}
	for _, v := range list {
		if seen[v] {
			return fmt.Errorf("%s %v occurs twice", what, v)
		}
		seen[v] = true
	}
	return nil
}

func (m *Manifest) checkAssets() error {
	if len(m.Assets) > maxAssets {
		return fmt.Errorf("%d assets; at most %d are allowed", len(m.Assets), maxAssets)
	}
	for i := range m.Assets {
		a := &m.Assets[i]
		if err := a.check(m); err != nil {
			return fmt.Errorf("%s, of slot %q: %w", a.Where(), a.Slot, err)
		}
	}
	return nil
}

func (a *Asset) check(m *Manifest) error {
	return cmp.Or(a.checkWhen(m), a.checkPlace(), a.checkMotion(len(m.Delays)))
}

func (a *Asset) checkWhen(m *Manifest) error {
	for name, values := range a.When {
		t, err := m.trait(name)
		switch {
		case err != nil:
			return err
		case slices.Min(values) < 0 || uint64(slices.Max(values)) > t.Max:
			return fmt.Errorf("%s %v: the values must be from 0 to %d", name, values, t.Max)
		}
		if err := checkTwice(name, values); err != nil {
			return err
		}
	}
	return nil
}

func (a *Asset) checkPlace() error {
	const span = 4 * maxGrid
	near := func(x, y int) bool { return max(x, y) <= span && min(x, y) >= -span }
	if !near(a.X, a.Y) {
		return fmt.Errorf("x %d, y %d: want numbers from %d to %d", a.X, a.Y, -span, span)
	}
	for name, p := range a.Anchors {
		if !nameForm.MatchString(name) || !near(p[0], p[1]) {
			return fmt.Errorf("anchor %q at %v: its name is not valid, or a coordinate is not from %d to %d",
				name, p, -span, span)
		}
	}
	if a.At != "" && len(a.Anchors) > 0 {
		return fmt.Errorf("is placed at anchor %q, so it cannot have anchors itself", a.At)
	}
	return nil
}
