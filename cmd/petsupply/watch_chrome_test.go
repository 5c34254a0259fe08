//go:build !race

package main

import (
	"os"
	"path/filepath"
	"testing"

	"petsupply/internal/art"
)

// TestWatchInABrowser paints as an artist does. An open page shows a picture as soon as it is
// saved, and explains one that cannot be drawn.
func TestWatchInABrowser(t *testing.T) {
	browser := chrome(t)
	dir := filepath.Join(t.TempDir(), "mine")
	if err := (art.Starter{ID: "mine"}).Write(dir); err != nil {
		t.Fatal(err)
	}
	r := start(t, "--pack", dir, "--watch")
	save := func(name, from string) {
		data, err := os.ReadFile(filepath.Join(dir, from))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}

	sheet, home := open(t, browser, calm), open(t, browser, calm)
	sheet.visit(r.site + watchPath + "sheet")
	home.visit(r.site + "/pet/2")
	picture := `document.querySelector("main img").src`
	first, drawn := js[string](home, picture), js[string](sheet, `document.images[1].src`)

	save("pet/grey-0.png", "pet/blue-1.png") // pet 2 is drawn as this one, because the pack lacks its appearance
	home.wait(picture + ` !== "` + first + `" && document.querySelector("main img").naturalWidth > 0`)
	save("pet/blue-1.png", "pet/golden-1.png")
	sheet.wait(`document.images[1].src !== "` + drawn + `"`)

	if err := os.WriteFile(filepath.Join(dir, "pet/blue-1.png"), []byte("not a picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, x := range []*tab{home, sheet} {
		x.wait(`document.querySelector("#pack-fault")?.textContent.includes("pet/blue-1.png: not a PNG")`)
	}
	save("pet/blue-1.png", "pet/green-1.png")
	for _, x := range []*tab{home, sheet} {
		x.wait(`document.readyState === "complete" && !document.querySelector("#pack-fault")`)
	}
	if said := home.consoleErrors(); len(said) > 0 {
		t.Errorf("the page complains: %q", said)
	}
}
