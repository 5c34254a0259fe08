package petpack

import (
	"errors"
	"fmt"
)

// checkDelays checks the number of frames and their durations.
func (m *Manifest) checkDelays() error {
	if len(m.Delays) > maxFrames {
		return fmt.Errorf("%d delays; at most %d are allowed", len(m.Delays), maxFrames)
	}
	total := 0
	for _, d := range m.Delays {
		if d < minDelay || d > maxDuration {
			return fmt.Errorf("a delay of %d ms is not within %d to %d ms", d, minDelay, maxDuration)
		}
		total += d
	}
	if total > maxDuration {
		return fmt.Errorf("the movement lasts %d ms; at most %d ms are allowed", total, maxDuration)
	}
	return nil
}

// checkMotion checks that an asset's movement begins with the still picture and repeats without a
// jump. frames is how many frames a picture has.
func (a *Asset) checkMotion(frames int) error {
	if a.Frames <= 1 && len(a.Bob) == 0 {
		if len(a.Play) > 0 {
			return errors.New(
				"play: the file has only one frame; the name of a file with four frames ends in .strip4.png",
			)
		}
		return nil
	}
	if frames == 0 {
		return errors.New("it moves, but pack.json has no delays")
	}
	if a.Frames > maxFrames {
		return fmt.Errorf("%d frames; at most %d are allowed", a.Frames, maxFrames)
	}
	play := len(a.Play)
	if a.Frames > 1 && play == 0 {
		play = a.Frames
	}
	for what, n := range map[string]int{"play": play, "bob": len(a.Bob)} {
		if n > 0 && frames%n != 0 {
			return fmt.Errorf("%s has %d steps, which do not divide the picture's %d frames: the loop would jump",
				what, n, frames)
		}
	}
	for _, f := range a.Play {
		if f < 0 || f >= a.Frames {
			return fmt.Errorf("play: no frame %d; there are 0 to %d", f, a.Frames-1)
		}
	}
	for _, by := range a.Bob {
		if max(by[0], by[1], -by[0], -by[1]) > maxGrid {
			return fmt.Errorf("bob: %v moves the layer by more than %d pixels", by, maxGrid)
		}
	}
	if len(a.Carry) > 0 && (len(a.Carry) != a.Frames || a.Carry[0] != [2]int{}) {
		return fmt.Errorf("carry must have a step for each of the %d frames, and begin with [0, 0]", a.Frames)
	}
	if len(a.Play) > 0 && a.Play[0] != 0 || len(a.Bob) > 0 && a.Bob[0] != [2]int{} {
		return errors.New("the first frame is the still picture: play must begin with 0, and bob with [0, 0]")
	}
	return nil
}

// Step returns which frame of the asset's file is shown in frame t of the picture, and by how many
// pixels it is shifted.
func (a *Asset) Step(t int) (frame, dx, dy int) {
	switch {
	case a.Frames > 1 && len(a.Play) > 0:
		frame = a.Play[t%len(a.Play)]
	case a.Frames > 1:
		frame = t % a.Frames
	}
	if len(a.Bob) > 0 {
		by := a.Bob[t%len(a.Bob)]
		dx = by[0]
		dy = by[1]
	}
	return frame, dx, dy
}

// Carried returns how far a layer at one of the asset's anchors moves in frame t of the picture. A
// steady layer follows Bob but not Carry.
func (a *Asset) Carried(t int, steady bool) (dx, dy int) {
	frame, dx, dy := a.Step(t)
	if len(a.Carry) > 0 && !steady {
		dx += a.Carry[frame][0]
		dy += a.Carry[frame][1]
	}
	return dx, dy
}
