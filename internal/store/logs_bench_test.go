package store

import (
	"path/filepath"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
)

// BenchmarkAppend publishes three tokens at once, with a log and without.
func BenchmarkAppend(b *testing.B) {
	for _, name := range []string{"without log", "with log"} {
		b.Run(name, func(b *testing.B) {
			s := leading(b, "sqlite://"+filepath.Join(b.TempDir(), "store.db"))
			if name == "with log" {
				step(b, keeperOf(s, b.TempDir()))
			}
			n := jewel(b, demo.End)
			for i := 0; b.Loop(); i++ {
				var changes []supply.Change
				for _, token := range []string{"jewel", "crystal", "jade"} {
					next := *n
					next.Token, next.MeasuredAt = token, n.MeasuredAt.Add(time.Duration(i)*time.Second)
					changes = append(changes, supply.Change{Record: supply.Record{Token: token, Snapshot: &next,
						Confirmed: next.MeasuredAt}, Publishes: true})
				}
				saved(b, s, changes...)
			}
		})
	}
}
