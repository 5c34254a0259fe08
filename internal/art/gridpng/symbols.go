package gridpng

import "math/bits"

// lengthCode maps a match length to deflate's symbol for it, minus 257.
var lengthCode = func() (t [maxMatch + 1]uint8) {
	for c := range lengthBase {
		for l := int(lengthBase[c]); l <= maxMatch; l++ {
			t[l] = uint8(c)
		}
	}
	return t
}()

var lengthBase = [29]uint16{
	3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31,
	35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
}

var lengthExtra = [29]uint8{
	0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
}

// distCode returns deflate's symbol for a distance, and the number of its extra bits. These are the
// low bits of dist-1.
func distCode(dist int) (code, extra uint32) {
	d := uint32(dist - 1)
	if d < 4 {
		return d, 0
	}
	extra = uint32(bits.Len32(d)) - 2
	return 2*extra + 2 + d>>extra&1, extra
}
