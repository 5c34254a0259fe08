package web

import (
	"bytes"
	"compress/gzip"
	"sync"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// shortest is the body below which compression saves no packet.
const shortest = 512

// A squeezer compresses whole bodies. Prepared answers are squeezed hard once,
// all others quickly each time.
type squeezer struct {
	gzip sync.Pool // of *kgzip.Writer
	zstd *zstd.Encoder
}

func newSqueezer(hard bool) (*squeezer, error) {
	level, speed := kgzip.BestSpeed, zstd.SpeedFastest
	if hard {
		level, speed = gzip.BestCompression, zstd.SpeedBetterCompression
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(speed), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<18), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	s := &squeezer{zstd: enc}
	s.gzip.New = func() any {
		w, err := kgzip.NewWriterLevel(nil, level)
		if err != nil {
			panic(err) // the level is one of the two constants above
		}
		return w
	}
	return s, nil
}

// squeeze returns body in encoding e, and false where it is not worth it.
func (s *squeezer) squeeze(e encoding, body []byte) ([]byte, bool) {
	if e == identity || len(body) < shortest {
		return nil, false
	}
	var out []byte
	if e == zstded {
		out = s.zstd.EncodeAll(body, nil)
	} else {
		var buf bytes.Buffer
		w := s.gzip.Get().(*kgzip.Writer)
		w.Reset(&buf)
		_, err := w.Write(body)
		if cerr := w.Close(); err != nil || cerr != nil {
			return nil, false
		}
		s.gzip.Put(w)
		out = buf.Bytes()
	}
	return out, len(out) < len(body)*9/10
}
