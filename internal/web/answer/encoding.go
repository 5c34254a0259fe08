package answer

import (
	"bytes"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// An Encoding is a way to encode a body on the wire.
type Encoding uint8

const (
	Identity Encoding = iota
	gzipped
	zstandard
	encodings // their number
)

// name is the encoding's token in Content-Encoding.
func (e Encoding) name() string { return [encodings]string{"", "gzip", "zstd"}[e] }

// suffix is the end of an ETag in this encoding.
func (e Encoding) suffix() string { return [encodings]string{"", "-gz", "-zs"}[e] }

// Negotiate picks the encoding for an Accept-Encoding, and never allocates. The highest weight wins.
// Among equal weights, zstd comes before gzip and gzip before identity, because the body is smaller.
// Items that it cannot read are ignored. If everything is refused, it returns identity.
func Negotiate(accept string) Encoding {
	weight := [encodings]int{-1, -1, -1} // in thousandths; below 0 if not named
	star := -1
	for accept != "" {
		var item string
		item, accept, _ = strings.Cut(accept, ",")
		name, q, ok := weighted(item)
		switch {
		case !ok:
		case name == "*":
			star = q
		case EqualFold(name, "gzip"), EqualFold(name, "x-gzip"):
			weight[gzipped] = q
		case EqualFold(name, "zstd"):
			weight[zstandard] = q
		case EqualFold(name, "identity"):
			weight[Identity] = q
		}
	}
	for e := range weight {
		if weight[e] < 0 {
			weight[e] = star
		}
	}
	if weight[Identity] < 0 {
		weight[Identity] = 1 // callers accept it unless they say otherwise
	}
	best := Identity
	for _, e := range [...]Encoding{gzipped, zstandard} {
		if weight[e] > 0 && weight[e] >= weight[best] {
			best = e
		}
	}
	return best
}

// weighted reads "name;q=0.5" as a name and thousandths.
func weighted(item string) (name string, q int, ok bool) {
	name, param, has := strings.Cut(item, ";")
	name = strings.Trim(name, " \t")
	if !has {
		return name, 1000, name != ""
	}
	key, value, _ := strings.Cut(param, "=")
	if !EqualFold(strings.Trim(key, " \t"), "q") {
		return "", 0, false
	}
	q, ok = thousandths(strings.Trim(value, " \t"))
	return name, q, ok && name != ""
}

// thousandths reads a weight: 0 to 1 with at most three decimals.
func thousandths(s string) (int, bool) {
	if s == "" || s[0] != '0' && s[0] != '1' || len(s) > 5 || len(s) > 1 && s[1] != '.' {
		return 0, false
	}
	n, err := strconv.Atoi((s[:1] + strings.TrimPrefix(s[1:], ".") + "000")[:4])
	return n, err == nil && n <= 1000
}

// minCompressed is the smallest body that is compressed. Below it, compression saves no packet.
const minCompressed = 512

// Writers have large tables. The garbage collector frees them from the pools when nothing was
// compressed for a while. The best levels make bodies of our size at most a tenth smaller.
var (
	gzips = sync.Pool{New: func() any { return must(gzip.NewWriterLevel(nil, 3)) }}
	zstds = sync.Pool{New: func() any {
		return must(zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(1<<18), zstd.WithLowerEncoderMem(true)))
	}}
)

// must panics on an error. Its callers pass constant options.
func must[T any](w T, err error) T {
	if err != nil {
		panic(err)
	}
	return w
}

// compress returns body in encoding e, or nil if that is not worth it.
func compress(e Encoding, body []byte) []byte {
	if e == Identity || len(body) < minCompressed {
		return nil
	}
	var out []byte
	if e == zstandard {
		w := zstds.Get().(*zstd.Encoder)
		out = w.EncodeAll(body, nil)
		zstds.Put(w)
	} else {
		var buf bytes.Buffer
		w := gzips.Get().(*gzip.Writer)
		w.Reset(&buf)
		_, _ = w.Write(body) // writing to memory cannot fail
		_ = w.Close()
		gzips.Put(w)
		out = buf.Bytes()
	}
	if len(out) >= len(body)*9/10 {
		return nil
	}
	return out
}
