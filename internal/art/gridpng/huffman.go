package gridpng

import (
	"math/bits"
	"slices"
)

// A coder turns symbol counts into a Huffman code, in the form that deflate
// wants. Its fields are working space.
type coder struct {
	order []uint32 // count<<10 | symbol, ascending
	tree  []uint32
}

// lengths writes the length of each symbol's code to out: 0 for symbols that do not occur, and 1 or
// more for the others. No code is longer than longest. At least two symbols must occur.
func (h *coder) lengths(counts []uint32, longest int, out []uint8) {
	clear(out)
	h.order = h.order[:0]
	for s, n := range counts {
		if n > 0 {
			h.order = append(h.order, n<<10|uint32(s))
		}
	}
	slices.Sort(h.order)
	h.tree = h.tree[:0]
	for _, o := range h.order {
		h.tree = append(h.tree, o>>10)
	}
	depths(h.tree)

	// Codes that are longer than the limit get the length of the limit. Then there are too many
	// codes of this length for a prefix code, so shorter codes are lengthened until all fit.
	var at [33]int
	for _, d := range h.tree {
		at[min(int(d), longest)]++
	}
	full := 0
	for l := 1; l <= longest; l++ {
		full += at[l] << (longest - l)
	}
	for ; full > 1<<longest; full-- {
		at[longest]--
		for l := longest - 1; l > 0; l-- {
			if at[l] > 0 {
				at[l]--
				at[l+1] += 2
				break
			}
		}
	}
	i := len(h.order)
	for l := 1; l <= longest; l++ {
		for range at[l] {
			i--
			out[h.order[i]&1023] = uint8(l)
		}
	}
}

// depths replaces ascending weights with the depth of each leaf in the optimal tree, in place
// (Moffat and Katajainen, 1995).
func depths(a []uint32) {
	n := len(a)
	a[0] += a[1]
	root, leaf := 0, 2
	for next := 1; next < n-1; next++ {
		pick := func() uint32 {
			if leaf >= n || root < next && a[root] < a[leaf] {
				w := a[root]
				a[root] = uint32(next)
				root++
				return w
			}
			leaf++
			return a[leaf-1]
		}
		w := pick()
		a[next] = w + pick()
	}
	a[n-2] = 0
	for next := n - 3; next >= 0; next-- {
		a[next] = a[a[next]] + 1
	}
	free, used, depth := 1, 0, uint32(0)
	root = n - 2
	for next := n - 1; free > 0; depth++ {
		for root >= 0 && a[root] == depth {
			used++
			root--
		}
		for free > used {
			a[next] = depth
			next--
			free--
		}
		free, used = 2*used, 0
	}
}

// codes writes each symbol's code, bit-reversed as deflate sends it, with its
// length in the low four bits of out: code<<4 | length.
func codes(lengths []uint8, out []uint32) {
	var count, next [16]uint32
	for _, l := range lengths {
		count[l]++
	}
	count[0] = 0
	code := uint32(0)
	for l := 1; l < 16; l++ {
		code = (code + count[l-1]) << 1
		next[l] = code
	}
	for s, l := range lengths {
		if l == 0 {
			out[s] = 0
			continue
		}
		out[s] = uint32(bits.Reverse16(uint16(next[l]))>>(16-l))<<4 | uint32(l)
		next[l]++
	}
}
