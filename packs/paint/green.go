package main

// green returns the creatures of the gardens. They hatch from green eggs.
func green() []creature {
	return []creature{leafSprite, mossBoar, capling, vineSerpent, petalMoth, cactusPup, gourdImp, rootTortoise}
}

// eyeTall and eyeTallFar are wide open eyes for pet.eye, like those in face.go.
var (
	eyeTall    = []string{".KKK.", "KWWKK", "KWWKK", "KWKKK", "KKdKK", "KdmlK", ".KKK."}
	eyeTallFar = []string{".KK.", "KWWK", "KWWK", "KWKK", "KKdK", "KdmK", ".KK."}
)
