package web

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"petsupply/internal/art/card"
	"petsupply/internal/web/answer"
)

// Both cards have the promised size. The address of a pet's card with its version never changes.
func TestCards(t *testing.T) {
	k := newKit(t, oneHost())
	for _, target := range []string{"/pet/1/card.png", "/supply/jade/card.png"} {
		w := k.get(target)
		img, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
		if w.Code != http.StatusOK || err != nil || img.Bounds() != image.Rect(0, 0, 1200, 630) {
			t.Errorf("%s: status %d, want a card of 1200 x 630: %v", target, w.Code, err)
		}
	}
	v := strings.TrimPrefix(strings.Trim(k.get("/pet/1/card.png").Header().Get("Etag"), `"`), "card-")
	if got := k.get("/pet/1/card.png?v=" + v).Header().Get("Cache-Control"); got != versionPolicy.String() {
		t.Errorf("with its version: %s", got)
	}
}

// Callers pay for cards that have to be drawn.
func TestCardsAreLimited(t *testing.T) {
	cfg := oneHost()
	cfg.Limit = answer.Limit{PerSecond: 1, Burst: card.Cost}
	k := newKit(t, cfg)
	k.remember(3)
	if w := k.get("/pet/1/card.png"); w.Code != http.StatusOK {
		t.Fatalf("the first: %d", w.Code)
	}
	if w := k.get("/pet/2/card.png"); w.Code != http.StatusTooManyRequests {
		t.Errorf("one more: %d", w.Code)
	}
	if w := k.get("/pet/1/card.png"); w.Code != http.StatusOK {
		t.Errorf("a card that was drawn before: %d", w.Code)
	}
	if w := k.get("/supply/jade/card.png"); w.Code != http.StatusTooManyRequests {
		t.Errorf("the card of a token: %d", w.Code)
	}
}
