package main

// yellow returns the creatures of sky and sand. They hatch from yellow eggs.
func yellow() []creature {
	return []creature{sunFinch, stormHawk, honeyBee, kiteDragonet, cloudLamb, glimmerBeetle, duneLizard, windWeasel}
}
