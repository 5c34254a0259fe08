package main

import (
	"fmt"
	"image"
	"strings"

	"petsupply/internal/art/petpack"
)

// dragonHeader is the text of pack.json, with %s for the values that paintDragons fills in.
const dragonHeader = `{
 "$schema": "pack.schema.json",
 "format": "petpack/2",
 "id": "dragons",
 "version": "1.0.0",
 "name": "Dragons",
 "licence": "CC0-1.0",
 "credits": [{"name": "petsupply contributors", "role": "art"}],
 "grid": 90,
 "scale": 4,
 "delays": %s,
 "values": {
  "body": %s,
  "wings": %s,
  "scales": %s
 },
 "slots": [
  {"name": "scene-back", "files": ["scene/back.png"], "switch": "background"},
  {"name": "shadow", "files": ["shadow/{body}.png"], "switch": "background", "play": %s},
  {"name": "dragon", "files": ["dragon/{body}-{wings}-{scales}.png"], "play": %s, "carry": %s},
  {"name": "heart", "files": ["heart@tame.png"], "optional": true, "at": "crest", "x": -4, "y": -11,
   "bob": [[0,0],[0,0],[0,-1],[0,-1],[0,-1],[0,0]]},
  {"name": "scene-front", "files": ["scene/front.png"], "switch": "background"},
  {"name": "frame", "files": ["frame.png"], "switch": "frame"}
 ],
 "places": {
%s
 }
}
`

// paintDragons returns the files of the example pack of dragons.
func paintDragons() (map[string][]byte, error) {
	var all []layer
	var places, bodies, wings, scales []string
	for _, w := range dragonWings {
		wings = append(wings, w.file)
	}
	for _, k := range dragonColours {
		scales = append(scales, k.file)
	}
	for _, b := range dragonBodies {
		bodies = append(bodies, b.file)
		for w, wing := range dragonWings {
			for _, k := range dragonColours {
				one := creature{looks: [3]look{{coat: k.coat}}, draw: func(p *pet, _ int, c coat) { b.draw(p, w, c) }}
				models := one.models(0, false)
				moves, p := pictures(models), models[0]
				if w == 0 && k.file == scales[0] {
					all = append(all, p.shadow("shadow/"+b.file+".png", moves[0]))
				}
				stem := fmt.Sprintf("dragon/%s-%s-%s", b.file, wing.file, k.file)
				all = append(all, layer{file: stem + ".png", img: moves[0], moves: moves[1:]})
				places = append(places, fmt.Sprintf("  %q: {\"anchors\": %s}", stem,
					line(map[string][2]int{"crest": p.points["crest"]})))
			}
		}
	}
	all = append(all, dragonStage()...)
	files := map[string][]byte{petpack.SchemaFile: petpack.Schema}
	files[petpack.ManifestFile] = fmt.Appendf(nil, dragonHeader, line(delays), line(bodies), line(wings), line(scales),
		line(dragonTempo.shadows()), line(dragonTempo.frames()), line(dragonCarry), strings.Join(places, ",\n"))
	for _, l := range all {
		data, err := encode(l.strip())
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", l.file, err)
		}
		files[l.path()] = data
	}
	var err error
	files[petpack.DictionaryFile], err = petpack.Encode(dragonWords())
	return files, err
}

// dragonStage returns the layers that do not depend on a dragon's genes: the scene, the frame, and
// the heart over a tame dragon.
func dragonStage() []layer {
	var out []layer
	for _, s := range scenes() {
		if s.file == "dawn-pass" {
			out = append(out, s.layer("scene/back.png"), layer{file: "scene/front.png", img: s.front().trim().img})
		}
	}
	for _, f := range frames() {
		if strings.HasPrefix(f.file, "frame/uncommon") {
			f.file = "frame.png"
			out = append(out, f)
		}
	}
	heart := image.NewNRGBA(image.Rect(0, 0, 9, 8))
	stamp{legend: keys(berry), rows: []string{
		".ooo.ooo.", "oslmommmo", "olmmmmmdo", "ommmmmmdo", ".ommmmdo.", "..ommdo..", "...odo...", "....o....",
	}}.draw(heart)
	return append(out, layer{file: "heart@tame.png", at: "crest", img: heart})
}

// dragonWords returns dictionary.json.
func dragonWords() map[string]any {
	var bodies []map[string]string
	var wings, scales, inks []string
	for _, b := range dragonBodies {
		bodies = append(bodies, map[string]string{"name": b.name, "lore": b.lore})
	}
	for _, w := range dragonWings {
		wings = append(wings, w.name)
	}
	for _, k := range dragonColours {
		c := k.coat.main[light]
		scales, inks = append(scales, k.name), append(inks, fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
	}
	return map[string]any{"bodies": bodies, "wings": wings, "scales": scales, "colours": map[string]any{"scales": inks}}
}
