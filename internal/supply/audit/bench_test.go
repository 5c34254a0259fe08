package audit

import "testing"

// BenchmarkAudit audits 20,000 leaves, including the server's time. A million take 50 times as long.
func BenchmarkAudit(b *testing.B) {
	s := honest(b, 20_000)
	for b.Loop() {
		if r, err := s.run(b, nil); err != nil || r.Size != 20_003 {
			b.Fatalf("the log has %d leaves: %v", r.Size, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/20_003, "ns/leaf")
}
