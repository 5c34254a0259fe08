package main

// A scene is one background: what is behind the pet, and the strip in front that covers its feet.
type scene struct {
	file, name  string
	back, front func() *plate
}

// scenes are the backgrounds in the order of their trait value.
func scenes() []scene {
	return []scene{
		{"meadow", "Larksong Meadow", meadowBack, meadowFront},
		{"forest-path", "Fernlight Path", forestBack, forestFront},
		{"moonlit-marsh", "Heron's Moonmarsh", marshBack, marshFront},
		{"snow-ridge", "Whitecrest Ridge", snowBack, snowFront},
		{"lava-field", "Cinder Flats", lavaBack, lavaFront},
		{"dawn-pass", "Dawnflag Pass", dawnBack, dawnFront},
		{"lantern-street", "Paperlight Lane", streetBack, streetFront},
		{"waterfall-pool", "Veilwater Pool", poolBack, poolFront},
		{"harvest-farm", "Goldsheaf Farm", farmBack, farmFront},
		{"ancient-grove", "Elderbough Grove", groveBack, groveFront},
		{"star-ruins", "Starfall Ruins", ruinsBack, ruinsFront},
	}
}

// scenery returns every background layer and the frames.
func scenery() []layer {
	var out []layer
	for _, s := range scenes() {
		back := layer{file: "scene/" + s.file + "-back.png", img: s.back().trim().img}
		back.stir(s.file)
		out = append(out, back,
			layer{file: "scene/" + s.file + "-front.png", img: s.front().trim().img})
	}
	return append(out, frames()...)
}

// backgroundNames returns the names of the scenes in the dictionary, in order.
func backgroundNames() []string {
	var names []string
	for _, s := range scenes() {
		names = append(names, s.name)
	}
	return names
}
