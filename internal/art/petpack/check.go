package petpack

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A form is a pattern that a text in pack.json must match, with a description for messages.
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
	colourForm  = formOf(`^#[0-9a-fA-F]{6}$`, "a colour as #rrggbb")
	sumForm     = formOf(`^[0-9a-f]{64}$`, "64 lower-case hex digits")
)

func (m *Manifest) check() error {
	return cmp.Or(m.checkHead(), m.checkDelays(), m.checkSlots(), m.checkPalettes(), m.checkAssets())
}

func (m *Manifest) checkHead() error {
	switch {
	case m.Grid < 8 || m.Grid > maxGrid:
		return m.at("grid", fmt.Errorf("grid is %d, not 8 to %d", m.Grid, maxGrid))
	case m.Scale < 1 || m.Scale > MaxScale(m.Grid):
		most := MaxScale(m.Grid)
		return m.at("scale", fmt.Errorf("scale is %d, not 1 to %d; the largest makes pictures %d pixels wide",
			m.Scale, most, m.Grid*most))
	case m.Licence == "":
		return m.at("licence", errors.New("no licence: a pack must say under which terms its pictures may be used"))
	}
	return cmp.Or(m.at("id", idForm.check("id", m.ID)), m.at("version", versionForm.check("version", m.Version)),
		m.at("licence", licenceForm.check("licence", m.Licence)))
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
	for i, s := range m.Slots {
		path := fmt.Sprintf("slots[%d]", i)
		if s.Switch != "" && s.Switch != "background" && s.Switch != "frame" {
			return m.at(path+".switch", fmt.Errorf("slot %q: switch %q is neither background nor frame", s.Name, s.Switch))
		}
		if err := nameForm.check("name", s.Name); err != nil {
			return m.at(path, fmt.Errorf("slot %q: %w", s.Name, err))
		}
		names = append(names, s.Name)
	}
	return m.at("slots", checkTwice("slot", names))
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

func (m *Manifest) checkPalettes() error {
	for name, swaps := range m.Palettes {
		err := nameForm.check("name", name)
		for from, to := range swaps {
			err = cmp.Or(err, colourForm.check("colour", from), colourForm.check("colour", to))
		}
		if err != nil {
			return m.at("palettes."+name, fmt.Errorf("palette %q: %w", name, err))
		}
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
			return fmt.Errorf("%s, of slot %q: %w", m.Where(a), a.Slot, err)
		}
	}
	return nil
}

func (a *Asset) check(m *Manifest) error {
	if _, ok := m.Palettes[a.Swap]; a.Swap != "" && !ok {
		return fmt.Errorf("no palette %q", a.Swap)
	}
	if a.Licence != "" {
		if err := licenceForm.check("licence", a.Licence); err != nil {
			return err
		}
	}
	return cmp.Or(a.checkFile(), a.checkWhen(m), a.checkPlace(), a.checkMotion(len(m.Delays)))
}

func (a *Asset) checkFile() error {
	switch {
	case a.File == "":
	case !fs.ValidPath(a.File) || strings.ContainsAny(a.File, "\\:\x00"):
		return errors.New("its path leaves the pack, or is not a clean path with forward slashes")
	case path.Ext(a.File) != ".png":
		return errors.New("not a .png file")
	}
	return nil
}

func (a *Asset) checkWhen(m *Manifest) error {
	for name, values := range a.When {
		t, err := m.trait(name)
		switch {
		case err != nil:
			return fmt.Errorf("when: %w", err)
		case len(values) == 0:
			return fmt.Errorf("when: %s has no values, so the layer is never drawn", name)
		case slices.Min(values) < 0 || uint64(slices.Max(values)) > t.Max:
			return fmt.Errorf("when: %s %v: the values must be from 0 to %d", name, values, t.Max)
		}
		if err := checkTwice("when: "+name, values); err != nil {
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
