// Package packs embeds the two art packs that come with the program: meadow,
// the default one, whose pictures the program in paint draws, and starter, the
// plain one that an artist begins with. Both are CC0; the text of that licence
// stands in meadow.
package packs

import "embed"

// Files holds each pack as a folder of its name.
//
//go:embed meadow starter
var Files embed.FS
