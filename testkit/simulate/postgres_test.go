//go:build soak

package simulate

import (
	"testing"

	"petsupply/testkit/postgres"
)

// TestOnPostgreSQL plays worlds on a real PostgreSQL. The virtual clock waits for it.
func TestOnPostgreSQL(t *testing.T) {
	for name, s := range map[string]Scenario{"figures": Draw(3), "pets": DrawPets(1002)} {
		t.Run(name, func(t *testing.T) {
			if f := runOn(t, s, postgres.Start(t)).Failure; f != nil {
				t.Error(f)
			}
		})
	}
}
