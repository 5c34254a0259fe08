package art

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestReleasedLinksStayAlive: every version of the default pack that was
// released is embedded, its links lead to it, and its pixels are what they were.
func TestReleasedLinksStayAlive(t *testing.T) {
	packs, err := OpenAll([]string{"embedded"})
	if err != nil {
		t.Fatal(err)
	}
	const released = "1.0.0"
	data, err := os.ReadFile("testdata/meadow-" + released + ".tsv")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		var l Look
		var v, sum string
		if _, err := fmt.Sscan(line, &l.Egg, &l.Appearance, &l.Rarity, &l.Element, &l.Background, &l.Shiny, &v, &sum); err != nil {
			t.Fatal(err)
		}
		n++
		p, ok := packs.Find(v, l)
		if !ok || p.ID() != "meadow" || p.Version() != released {
			t.Errorf("%v: the link %s is dead", l, v)
			continue
		}
		if got := pixelSum(t, p, l); got != sum {
			t.Errorf("%v: other pixels under %s", l, v)
		}
	}
	if n < 60 {
		t.Errorf("only %d links", n)
	}
}

// pixelSum names the pixels of a look.
func pixelSum(t *testing.T, p *Pack, l Look) string {
	t.Helper()
	h := sha256.New()
	for _, c := range pixels(decodePNG(t, p.Draw(l, View{Frame: true, Background: true, Scale: 1}))) {
		h.Write([]byte{c.R, c.G, c.B, c.A})
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}
