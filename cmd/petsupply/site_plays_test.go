//go:build !race

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"strings"
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
		const pixels = canvas.getImageData(0, 0, image.displayWidth, image.displayHeight).data;
		const sum = [...new Uint8Array(await crypto.subtle.digest("SHA-256", pixels))];
		out.push(image.duration / 1000 + " " + sum.map(b => b.toString(16).padStart(2, "0")).join(""));
		image.close();
	}
	return out.concat(String(track.repetitionCount));
})()`

// plays: the browser shows a movement that begins with the still picture and repeats forever.
func plays(t *testing.T, browser context.Context, r *running) {
	x := open(t, browser, moving)
	for _, id := range []string{"1", "7"} {
		url := r.pets + "/image/" + id + "?background=false&animated=true"
		_, _, still := fetch(t, r.pets+"/image/"+id+"?background=false")
		img, err := png.Decode(bytes.NewReader(still))
		if err != nil {
			t.Fatal(err)
		}
		canvas := image.NewNRGBA(img.Bounds())
		draw.Draw(canvas, canvas.Rect, img, image.Point{}, draw.Src)
		first := fmt.Sprintf("%x", sha256.Sum256(canvas.Pix))
		x.do(chromedp.Navigate(url))
		got := js[[]string](x, readFrames)
		if len(got) < 5 || !strings.HasSuffix(got[0], first) || got[len(got)-1] != "Infinity" {
			t.Errorf("%s is shown as\n%q, which does not begin with %s", url, got, first)
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
