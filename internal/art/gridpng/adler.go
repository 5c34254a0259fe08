package gridpng

// checksum returns the Adler-32 sum of the scaled picture, filter bytes included. It sums over the
// runs of the unscaled rows, because scaling only multiplies these sums.
func checksum(rows []row, place *[256]uint8, bm *bitmap) uint32 {
	const mod = 65521
	scale, stride := uint64(bm.scale), uint64(bm.stride())
	total := uint64(bm.height) * scale * stride
	a, b := uint64(1), total
	for y := range bm.height {
		w := &rows[y]
		var sum, moment uint64 // sum of the values; twice the sum of each value times its x
		x := uint64(0)
		for _, e := range w.start[1 : w.count+1] {
			end := uint64(e)
			v := uint64(place[w.pixels[x]]) * (end - x)
			sum += v
			moment += v * (end + x - 1)
			x = end
		}
		a += scale * scale * sum
		// The sum b counts a byte once for itself and once for each byte after it. Byte k of pixel
		// x in the r-th copy of row y counts total - (y·scale+r)·stride - 1 - x·scale - k times.
		pairs := scale * (scale - 1) / 2
		rows := scale*(total-1-uint64(y)*scale*stride) - stride*pairs
		b += sum*(scale*rows-scale*pairs) - scale*scale*scale*(moment/2)
		a, b = a%mod, b%mod
	}
	return uint32(b<<16 | a)
}
