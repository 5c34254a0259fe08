package art

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"petsupply/internal/art/petpack"
	"petsupply/internal/pet/collection"
)

// Limits of a starter pack, and its grid.
const (
	maxStarterValues = 64
	maxStarterBodies = 256
	starterGrid      = 64
)

// A starterPack makes the files of a simple pack for a collection: a body for each kind of token,
// and a badge for each value of every other look field. A look field has "is: look" in the
// collection file.
type starterPack struct {
	c     *collection.Collection
	texts *collection.Texts // without the words of a pack
	files map[string][]byte
	m     petpack.Manifest
	badge int // number of slots with badges so far
}

// newStarter makes the starter pack of a collection.
func newStarter(c *collection.Collection) (map[string][]byte, error) {
	texts, err := c.Texts(nil, func(s string) string { return s })
	if err != nil {
		return nil, err
	}
	s := &starterPack{c: c, texts: texts, files: map[string][]byte{}}
	s.m = petpack.Manifest{Schema: petpack.SchemaFile, Format: "petpack/2", ID: "my-pack", Version: "0.1.0",
		Name: "my-pack", Licence: "CC0-1.0", Credits: []petpack.Credit{{Name: "author of my-pack", Role: "art"}},
		Grid: starterGrid, Scale: 6, Values: map[string][]string{}}
	s.slot(petpack.Slot{Name: "scene", Files: []string{"scene.png"}, Switch: "background"})
	s.paint("scene.png", func(x, y int) color.NRGBA {
		if y > 48 {
			return color.NRGBA{0x9a, 0xb8, 0x7c, 0xff}
		}
		return color.NRGBA{0xcf, 0xe3, 0xee, 0xff}
	})
	s.bodies()
	s.slot(petpack.Slot{Name: "frame", Files: []string{"frame.png"}, Switch: "frame"})
	s.paint("frame.png", func(x, y int) color.NRGBA {
		if min(x, y, starterGrid-1-x, starterGrid-1-y) < 2 {
			return color.NRGBA{0x5a, 0x48, 0x3a, 0xff}
		}
		return color.NRGBA{}
	})
	s.files["README.md"] = []byte(s.readme())
	for name, v := range map[string]any{petpack.ManifestFile: s.m, petpack.DictionaryFile: s.dictionary()} {
		data, err := petpack.Encode(v)
		if err != nil {
			return nil, err
		}
		s.files[name] = data
	}
	return s.files, nil
}

func (s *starterPack) slot(slot petpack.Slot) { s.m.Slots = append(s.m.Slots, slot) }

// paint adds a layer.
func (s *starterPack) paint(name string, at func(x, y int) color.NRGBA) {
	palette := color.Palette{color.NRGBA{}}
	img := image.NewPaletted(image.Rect(0, 0, starterGrid, starterGrid), nil)
	for y := range starterGrid {
		for x := range starterGrid {
			c := at(x, y)
			i := slices.Index(palette, color.Color(c))
			if i < 0 {
				i = len(palette)
				palette = append(palette, c)
			}
			img.Pix[y*img.Stride+x] = uint8(i)
		}
	}
	img.Palette = palette
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic("encoding a layer of the starter: " + err.Error())
	}
	s.files[name] = b.Bytes()
}

// bodies adds one slot for the kinds, and one for each other look field. If no look field belongs
// to the kinds, the first look field that is not a boolean takes their place.
func (s *starterPack) bodies() {
	var looks, main []*collection.Field
	for i := range s.c.Fields {
		if f := &s.c.Fields[i]; f.Look {
			if _, ok := f.Most(); ok {
				looks = append(looks, f)
			}
		}
	}
	for _, f := range looks {
		if slices.Contains(s.c.KindFields(), f) {
			main = append(main, f)
		}
	}
	if i := slices.IndexFunc(looks, func(f *collection.Field) bool { return !isBool(f) }); len(main) == 0 && i >= 0 {
		main = looks[i : i+1]
	}
	s.body(main)
	for _, f := range looks {
		if !slices.Contains(main, f) {
			s.badges(f)
		}
	}
}

func isBool(f *collection.Field) bool {
	most, _ := f.Most()
	return f.Bool || most == 1
}

// body adds the slot of the kinds: a ball with eyes for each kind, at most maxStarterBodies, and
// one for all other kinds. If fields is empty, there is one picture for all tokens and, as an
// example, one for id 1.
func (s *starterPack) body(fields []*collection.Field) {
	one := wordForm.ReplaceAllString(strings.ToLower(s.c.One), "-")
	one = cmp.Or(strings.Trim(one, "-"), "token")
	if len(fields) == 0 {
		s.slot(petpack.Slot{Name: one, Files: []string{one + "/{id}.png", one + ".png"}})
		s.paint(one+".png", ball(0))
		s.paint(one+"/1.png", ball(1))
		return
	}
	names := []string{""}
	var holes []string
	for _, f := range fields {
		holes = append(holes, "{"+f.Key+"}")
		var next []string
		for _, name := range names {
			for _, value := range s.values(f) {
				if len(next) < maxStarterBodies {
					next = append(next, strings.TrimPrefix(name+"-"+value, "-"))
				}
			}
		}
		names = next
	}
	pattern := one + "/" + strings.Join(holes, "-") + ".png"
	s.slot(petpack.Slot{Name: one, Files: []string{pattern, one + "/unknown.png"}})
	for i, name := range names {
		s.paint(one+"/"+name+".png", ball(i+1))
	}
	s.paint(one+"/unknown.png", ball(0))
}

var wordForm = regexp.MustCompile(`[^a-z0-9]+`)

// values returns the values of a field as file names show them. They are words if each value has
// its own word that fits a file name. Otherwise they are numbers.
func (s *starterPack) values(f *collection.Field) []string {
	n := min(cmp.Or(f.Values, 2), maxStarterValues)
	if most, _ := f.Most(); uint64(n) > most {
		n = int(most) + 1
	}
	var words, numbers []string
	for v := range n {
		word := strings.Trim(wordForm.ReplaceAllString(strings.ToLower(s.texts.FieldWord(f, uint64(v))), "-"), "-")
		named := slices.ContainsFunc(s.texts.FieldOptions(f),
			func(o collection.FieldOption) bool { return o.Number == uint64(v) })
		if named && word != "" && word[0] >= 'a' && len(word) <= 40 && !slices.Contains(words, word) {
			words = append(words, word)
		}
		numbers = append(numbers, strconv.Itoa(v))
	}
	if len(words) < n {
		return numbers
	}
	s.m.Values[f.Key] = words
	return words
}

// badges adds the slot of one look field: a small square for each of its values.
func (s *starterPack) badges(f *collection.Field) {
	x := 4 + s.badge%6*10
	y := 4 + s.badge/6*10
	s.badge++
	square := func(n int) func(px, py int) color.NRGBA {
		return func(px, py int) color.NRGBA {
			switch edge := min(px-x, py-y, x+7-px, y+7-py); {
			case edge < 0:
				return color.NRGBA{}
			case edge == 0:
				return color.NRGBA{0x2b, 0x26, 0x22, 0xff}
			}
			return starterInk(n)
		}
	}
	if isBool(f) {
		s.slot(petpack.Slot{Name: f.Key, Files: []string{f.Key + "@" + f.Key + ".png"}, Optional: true})
		s.paint(f.Key+"@"+f.Key+".png", square(3))
		return
	}
	s.slot(petpack.Slot{Name: f.Key, Files: []string{f.Key + "/{" + f.Key + "}.png"}, Optional: true})
	for i, value := range s.values(f) {
		s.paint(f.Key+"/"+value+".png", square(i))
	}
}

// starterInk returns colour n. Consecutive numbers have different colours.
func starterInk(n int) color.NRGBA {
	level := func(k int) uint8 { return uint8(0x60 + k%4*0x28) }
	return color.NRGBA{level(n * 3), level(n*5 + 1), level(n*7 + 2 + n/4), 0xff}
}

// ball paints a ball with eyes. n selects its colour and its shape.
func ball(n int) func(x, y int) color.NRGBA {
	dark := color.NRGBA{0x2b, 0x26, 0x22, 0xff}
	return func(x, y int) color.NRGBA {
		dx := x - 32
		dy := y - (36 - n%3)
		r := dx*dx + dy*dy*(9+n%5)/10
		switch {
		case (x == 26 || x == 38) && y >= 32 && y <= 35:
			return dark
		case r <= 15*15:
			return starterInk(n)
		case r <= 16*16+4:
			return dark
		}
		return color.NRGBA{}
	}
}

// dictionary returns a row for each value that the collection looks up in the pack's tables.
func (s *starterPack) dictionary() map[string]any {
	out := map[string]any{}
	for _, t := range s.c.PackTables() {
		out[t.Name] = s.rows(t, t.By, t.Name)
	}
	return out
}

func (s *starterPack) rows(t collection.PackTable, by []*collection.Field, name string) any {
	if len(by) == 0 {
		row := map[string]string{}
		for _, column := range t.Columns {
			row[column] = name
		}
		if len(row) == 0 {
			return name
		}
		return row
	}
	out := map[string]any{}
	n := 1
	if by[0] != nil {
		n = min(cmp.Or(by[0].Values, 1), maxStarterValues)
	}
	for v := range n {
		out[strconv.Itoa(v)] = s.rows(t, by[1:], fmt.Sprintf("%s %d", name, v))
	}
	return out
}

// readme explains the files to an artist.
func (s *starterPack) readme() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# An art pack for %s, to paint over\n\n", s.c.Name)
	b.WriteString("Every PNG here is a plain placeholder. " +
		"These are the slots of a picture, from back to front. Each\n" +
		"slot shows one layer, whose file name fits one of these patterns:\n\n")
	for _, slot := range s.m.Slots {
		fmt.Fprintf(&b, "- %s: `%s`\n", slot.Name, strings.Join(slot.Files, "`, `"))
	}
	fmt.Fprintf(&b, "\nA name in braces is a field of the collection. A file with @ and the name of a field is drawn\n"+
		"only if that field is true. A layer has the size of the grid, %d×%d pixels, or is smaller. If it is\n"+
		"smaller, `x` and `y` of its slot in pack.json are its position. The words in dictionary.json are\n"+
		"placeholders too.\n\n",
		s.m.Grid, s.m.Grid)
	b.WriteString("`petsupply pack lint .` says what is wrong with the pack.\n")
	return b.String()
}
