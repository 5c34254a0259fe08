package web

import (
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
)

// A caller never sees parts of two publications.
func TestPublicationsDoNotMix(t *testing.T) {
	k := newKit(t, oneHost())
	old := updates(t, demo.End.Add(-time.Hour))
	fresh := updates(t, demo.End)
	ids := map[string]bool{old[0].Snapshot.ID: true, fresh[0].Snapshot.ID: true}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 50 {
			k.board.Set([][]supply.Record{old, fresh}[i%2]...)
		}
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		w := k.get("/supply/jewel/totalsupply")
		id := w.Header().Get("Supply-Snapshot")
		figure := w.Body.String()
		want := fresh[0].Snapshot
		if id == old[0].Snapshot.ID {
			want = old[0].Snapshot
		}
		if !ids[id] || figure != want.Total.String() {
			t.Fatalf("%s of snapshot %s", figure, id)
		}
	}
}
