package main

// golden returns the creatures of legends. They hatch from golden eggs.
func golden() []creature {
	return []creature{emberPhoenix, starStag, moonHare, gildedWyrm, crownedLion, auroraSerpent, runeOwl, dawnFox}
}
