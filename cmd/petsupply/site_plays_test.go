//go:build !race

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/draw"
	"image/gif"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// readFrames decodes the picture in the browser, and returns the milliseconds of each frame and the
// SHA-256 of its RGBA bytes.
const readFrames = `(async () => {
	const answer = await fetch(location.href);
	const decoder = new ImageDecoder({data: await answer.arrayBuffer(), type: answer.headers.get("Content-Type")});
	await decoder.tracks.ready;
	await decoder.completed;
	const track = decoder.tracks.selectedTrack, out = [];
	for (let i = 0; i < track.frameCount; i++) {
		const {image} = await decoder.decode({frameIndex: i});
		const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight).getContext("2d");
		canvas.drawImage(image, 0, 0);
		const sum = await crypto.subtle.digest("SHA-256", canvas.getImageData(0, 0, image.displayWidth, image.displayHeight).data);
		out.push(image.duration / 1000 + " " + [...new Uint8Array(sum)].map(b => b.toString(16).padStart(2, "0")).join(""));
		image.close();
	}
	return out.concat(String(track.repetitionCount));
})()`

// plays: the browser shows the same movement in both forms. It equals the GIF as the standard
// library reads it, and repeats forever.
func plays(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, desktop)
	for _, id := range []string{"1", "7"} {
		url := r.pets + "/image/" + id + "?background=false&animated=true"
		want := append(gifFrames(t, url+"&format=gif"), "Infinity")
		for _, form := range []string{"&format=gif", ""} {
			x.do(chromedp.Navigate(url + form))
			if got := js[[]string](x, readFrames); len(got) < 5 || !slices.Equal(got, want) {
				t.Errorf("%s%s is shown as\n%q, not\n%q", url, form, got, want)
			}
		}
	}
	seen := map[[32]byte]bool{}
	for end := time.Now().Add(time.Minute); len(seen) < 3; time.Sleep(20 * time.Millisecond) {
		picture, err := chromedp.Run(x.ctx, chromedp.FullScreenshot(100))
		if err != nil || time.Now().After(end) {
			t.Fatalf("the picture does not move: %v", err)
		}
		seen[sha256.Sum256(picture)] = true
	}
}

// gifFrames plays a GIF with the standard library.
func gifFrames(t *testing.T, url string) (out []string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	canvas := image.NewNRGBA(image.Rect(0, 0, g.Config.Width, g.Config.Height))
	for i, frame := range g.Image {
		draw.Draw(canvas, frame.Bounds(), frame, frame.Bounds().Min, draw.Over)
		out = append(out, fmt.Sprintf("%d %x", 10*g.Delay[i], sha256.Sum256(canvas.Pix)))
		if g.Disposal[i] == gif.DisposalBackground {
			clear(canvas.Pix)
		}
	}
	return out
}
