// Package packs embeds the art packs that come with the program. meadow is the default pack;
// its PNGs are the source. starter is the plain pack that artists begin with. Both are CC0;
// meadow/LICENSE has the text.
package packs

import "embed"

// Files holds each pack in a folder that has the name of the pack.
//
//go:embed meadow starter
var Files embed.FS
