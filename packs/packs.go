// Package packs embeds the art packs that come with the program: meadow, the
// default one, whose pictures the program in paint draws, its earlier versions,
// and starter, the plain one that an artist begins with. All are CC0; the text
// of that licence stands in meadow.
package packs

import "embed"

// Files holds each pack as a folder or zip file of its name.
//
//go:embed meadow meadow-1.0.0.zip starter
var Files embed.FS

// Meadow names the versions of the default pack, the newest first. Published
// versions never change, so that links to their pictures stay alive.
var Meadow = []string{"meadow", "meadow-1.0.0.zip"}
