package tlog

import (
	"errors"
	"fmt"
	"strings"
)

const (
	tileHeight = 8
	// TileWidth is how many hashes, or entries, a full tile has.
	TileWidth = 1 << tileHeight
	// maxLevel is the highest level of tiles that a log can have.
	maxLevel = 63 / tileHeight
	// maxParts bounds the path of a tile: more digits than any log has tiles.
	maxParts = 6
)

// Entries is the level of tiles that hold leaves rather than hashes.
const Entries = -1

// A Tile is a stretch of a level of the tree, as it is served: Width hashes from
// N*TileWidth on, in the level that has 256 to the power of Level leaves below
// each of its hashes.
type Tile struct {
	Level int // or Entries
	N     int64
	Width int // TileWidth: it is full
}

// Full says whether the tile is as wide as any.
func (t Tile) Full() bool { return t.Width == TileWidth }

// First is the number, in its level, of the first hash or entry of the tile.
func (t Tile) First() int64 { return t.N * TileWidth }

// treeLevel is the level of the tree whose hashes the tile has.
func (t Tile) treeLevel() int { return max(t.Level, 0) * tileHeight }

// within says whether a log of that size has the whole tile.
func (t Tile) within(size int64) bool {
	return t.First()+int64(t.Width) <= size>>t.treeLevel()
}

var errTile = errors.New("not the path of a tile")

// ParseTile reads the path of a tile below the log's: L/N or entries/N, where N
// is three digits at a time, all but the last with an x before them, and .p/W
// follows where the tile is partial. Only the one spelling that Path has is read.
func ParseTile(parts []string) (Tile, error) {
	t := Tile{Level: Entries, Width: TileWidth}
	if len(parts) < 2 || len(parts) > maxParts {
		return t, errTile
	}
	if parts[0] != "entries" {
		n, err := parseNumber(parts[0])
		if err != nil || n > maxLevel {
			return t, errTile
		}
		t.Level = int(n)
	}
	if last := len(parts) - 1; last >= 2 && strings.HasSuffix(parts[last-1], ".p") {
		w, err := parseNumber(parts[last])
		if err != nil || w < 1 || w >= TileWidth {
			return t, errTile
		}
		t.Width = int(w)
		parts = append(append([]string{}, parts[:last-1]...), strings.TrimSuffix(parts[last-1], ".p"))
	}
	for i, p := range parts[1:] {
		p, more := strings.CutPrefix(p, "x")
		if len(p) != 3 || more == (i == len(parts)-2) {
			return t, errTile
		}
		for _, c := range []byte(p) {
			if c < '0' || c > '9' {
				return t, errTile
			}
			t.N = t.N*10 + int64(c-'0')
		}
	}
	if len(parts) > 2 && parts[1] == "x000" {
		return t, errTile // a shorter spelling of it is the right one
	}
	return t, nil
}

// Path is where the tile is served below the log's address.
func (t Tile) Path() string {
	level := "entries"
	if t.Level != Entries {
		level = fmt.Sprint(t.Level)
	}
	n, path := t.N, fmt.Sprintf("%03d", t.N%1000)
	for n >= 1000 {
		n /= 1000
		path = fmt.Sprintf("x%03d/%s", n%1000, path)
	}
	if !t.Full() {
		path += fmt.Sprintf(".p/%d", t.Width)
	}
	return "tile/" + level + "/" + path
}

// Tiles are those of a log of that size: of each level the full ones, and last
// the partial one.
func Tiles(size int64) (list []Tile) {
	for level := Entries; level <= maxLevel; level++ {
		n := size >> Tile{Level: level}.treeLevel()
		for i := range n / TileWidth {
			list = append(list, Tile{level, i, TileWidth})
		}
		if rest := int(n % TileWidth); rest > 0 {
			list = append(list, Tile{level, n / TileWidth, rest})
		}
	}
	return list
}
