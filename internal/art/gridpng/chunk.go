package gridpng

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	signature   = "\x89PNG\r\n\x1a\n"
	typePalette = 3
	typeRGBA    = 6
)

// AppendText appends a tEXt chunk for Picture.Text. keyword is defined by the PNG standard, such as
// Copyright. text must be plain ASCII.
func AppendText(dst []byte, keyword, text string) []byte {
	return appendChunk(dst, "tEXt", []byte(keyword+"\x00"+text))
}

// appendHeader appends everything before the palette.
func appendHeader(dst []byte, width, height, kind int, text []byte) []byte {
	dst = append(dst, signature...)
	start := len(dst)
	dst = openChunk(dst, "IHDR")
	dst = binary.BigEndian.AppendUint32(dst, uint32(width))
	dst = binary.BigEndian.AppendUint32(dst, uint32(height))
	dst = append(dst, 8, byte(kind), 0, 0, 0)
	dst = closeChunk(dst, start)
	return append(dst, text...)
}

func appendChunk(dst []byte, kind string, data []byte) []byte {
	start := len(dst)
	return closeChunk(append(openChunk(dst, kind), data...), start)
}

// openChunk begins a chunk whose length is not known yet. closeChunk ends the chunk that began at
// start.
func openChunk(dst []byte, kind string) []byte {
	dst = append(dst, 0, 0, 0, 0)
	return append(dst, kind...)
}

func closeChunk(dst []byte, start int) []byte {
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-8))
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start+4:]))
}

// Check returns an error unless png is a complete PNG and every chunk has the right checksum. It
// does not read the pixels.
func Check(png []byte) error {
	if len(png) < len(signature) || string(png[:len(signature)]) != signature {
		return errors.New("no PNG signature")
	}
	for rest := png[len(signature):]; len(rest) >= 12; {
		n := int64(binary.BigEndian.Uint32(rest))
		if n+12 > int64(len(rest)) {
			break
		}
		body := rest[4 : 8+n]
		if crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(rest[8+n:]) {
			return fmt.Errorf("chunk %q has a wrong checksum", body[:4])
		}
		rest = rest[12+n:]
		if string(body[:4]) == "IEND" && len(rest) == 0 {
			return nil
		}
	}
	return errors.New("the PNG is cut off, or something follows its end")
}
