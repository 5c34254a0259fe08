package answer

import (
	"strings"
	"testing"
)

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		accept []string
		want   Encoding
	}{
		{nil, Identity}, {[]string{""}, Identity}, {[]string{"gzip"}, gzipped}, {[]string{"GZIP"}, gzipped},
		{[]string{"x-gzip"}, gzipped},
		{[]string{"zstd"}, zstandard}, {[]string{"gzip, zstd"}, zstandard}, {[]string{"gzip", "zstd"}, zstandard},
		{[]string{"gzip, deflate, br, zstd"}, zstandard}, {[]string{"gzip, deflate, br"}, gzipped},
		{[]string{"gzip;q=1.0, zstd;q=0.9"}, gzipped}, {[]string{"gzip;q=0"}, Identity}, {[]string{"gzip;q=0.000"}, Identity},
		{[]string{"*"}, zstandard}, {[]string{"*;q=0"}, Identity}, {[]string{"zstd;q=0, *"}, gzipped},
		{[]string{"identity;q=1, gzip;q=0.5"}, Identity}, {[]string{"br"}, Identity}, {[]string{"deflate, identity"},
			Identity},
		{[]string{"gzip;q=2"}, Identity}, {[]string{"gzip;q=0.1234"}, Identity}, {[]string{"gzip;level=9"}, Identity},
		{[]string{" gzip ; q=0.5 ,\tzstd ;q=0.4"}, gzipped}, {[]string{",,;,gzip"}, gzipped}, {[]string{"gzipp"}, Identity},
	} {
		t.Run(strings.Join(c.accept, ", "), func(t *testing.T) {
			if got := Negotiate(c.accept); got != c.want {
				t.Errorf("%q: %v, not %v", c.accept, got, c.want)
			}
		})
	}
}
