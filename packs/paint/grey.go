package main

// grey returns the creatures of the hills and woods.
func grey() []creature {
	return []creature{cragBear, quillHedgehog, dustFox, ridgeRam, caveBat, pebbleMole, tuftedLynx, burrowHare}
}
