// Package packs embeds the art packs that come with the program: meadow, the
// default one, whose pictures the program in paint draws.
package packs

import "embed"

// Files holds each pack as a folder of its name.
//
//go:embed meadow
var Files embed.FS
