package main

// blue returns the creatures of the waters. They hatch from blue eggs.
func blue() []creature {
	return []creature{riverOtter, lanternRay, gardenTurtle, frilledNewt, tideCrab, coiledSeahorse, mistSeal, inkOctopus}
}
