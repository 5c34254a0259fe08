package answer

import "testing"

func TestNegotiate(t *testing.T) {
	for _, c := range []struct {
		accept string
		want   Encoding
	}{
		{"", Identity}, {"gzip", gzipped}, {"GZIP", gzipped},
		{"x-gzip", gzipped},
		{"zstd", zstandard}, {"gzip, zstd", zstandard}, {"gzip, zstd", zstandard},
		{"gzip, deflate, br, zstd", zstandard}, {"gzip, deflate, br", gzipped},
		{"gzip;q=1.0, zstd;q=0.9", gzipped}, {"gzip;q=0", Identity}, {"gzip;q=0.000", Identity},
		{"*", zstandard}, {"*;q=0", Identity}, {"zstd;q=0, *", gzipped},
		{"identity;q=1, gzip;q=0.5", Identity}, {"br", Identity}, {"deflate, identity",
			Identity},
		{"gzip;q=2", Identity}, {"gzip;q=0.1234", Identity}, {"gzip;level=9", Identity},
		{" gzip ; q=0.5 ,\tzstd ;q=0.4", gzipped}, {",,;,gzip", gzipped}, {"gzipp", Identity},
	} {
		t.Run(c.accept, func(t *testing.T) {
			if got := Negotiate(c.accept); got != c.want {
				t.Errorf("%q: %v, not %v", c.accept, got, c.want)
			}
		})
	}
}
