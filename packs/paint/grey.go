package main

// grey returns the creatures of the hills and woods. They hatch from grey eggs.
func grey() []creature {
	return []creature{cragBear, quillHedgehog, dustFox, ridgeRam, caveBat, pebbleMole, tuftedLynx, burrowHare}
}
