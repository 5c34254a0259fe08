//go:build race

package art

const raceDetector = true
