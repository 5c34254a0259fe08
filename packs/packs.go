// Package packs embeds the art packs that come with the program: meadow, the
// default one, which the program in paint draws, and starter, the plain one
// that an artist begins with. Both are CC0; meadow/LICENSE has the text.
package packs

import "embed"

// Files holds each pack as a folder of its name.
//
//go:embed meadow starter
var Files embed.FS
