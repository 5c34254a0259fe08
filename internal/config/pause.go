package config

import (
	"time"

	"petsupply/internal/supply/ledger"
)

// A pause is a length of time that may be 0.
type pause time.Duration

// UnmarshalText reads 0s, or a length of time like 90s, 10m or 7d.
func (p *pause) UnmarshalText(text []byte) error {
	if d, err := time.ParseDuration(string(text)); err == nil && d == 0 {
		*p = 0
		return nil
	}
	d, err := ledger.ParseDuration(string(text))
	*p = pause(d)
	return err
}

// MarshalText writes the form that UnmarshalText reads.
func (p pause) MarshalText() ([]byte, error) { return []byte(time.Duration(p).String()), nil }
