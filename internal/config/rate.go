package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A rate is a number of events per unit of time, such as 50/s. "50/s public" limits public
// addresses only. Zero means no limit.
type rate struct {
	events     int
	per        time.Duration
	PublicOnly bool // private and loopback addresses are not limited
}

var rateUnits = map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour}

// PerSecond returns the number of events in a second, 0 for no limit.
func (r rate) PerSecond() float64 {
	if r.events == 0 {
		return 0
	}
	return float64(r.events) / r.per.Seconds()
}

// Words describes the rate as a limit of work, "" for no limit.
func (r rate) Words() string {
	if r.events == 0 {
		return ""
	}
	unit := map[time.Duration]string{time.Second: "a second", time.Minute: "a minute", time.Hour: "an hour"}[r.per]
	public := ""
	if r.PublicOnly {
		public = "public "
	}
	return fmt.Sprintf("each %sIP address may use %d ms of CPU time %s for it", public, r.events, unit)
}

// UnmarshalText reads a rate such as 50/s, 300/m, "50/s public" or off.
func (r *rate) UnmarshalText(text []byte) error {
	if s := string(text); s == "off" || s == "" {
		*r = rate{}
		return nil
	}
	amount, publicOnly := strings.CutSuffix(string(text), " public")
	n, unit, ok := strings.Cut(amount, "/")
	events, err := strconv.Atoi(n)
	per := rateUnits[unit]
	if !ok || err != nil || events < 1 || events > 1_000_000 || per == 0 {
		return fmt.Errorf("%q is not a rate; write 50/s, 300/m or off, or 50/s public to exempt private addresses", text)
	}
	*r = rate{events: events, per: per, PublicOnly: publicOnly}
	return nil
}

// MarshalText writes the form that UnmarshalText reads.
func (r rate) MarshalText() ([]byte, error) {
	for unit, per := range rateUnits {
		if per == r.per && r.events > 0 {
			text := fmt.Appendf(nil, "%d/%s", r.events, unit)
			if r.PublicOnly {
				text = append(text, " public"...)
			}
			return text, nil
		}
	}
	return []byte("off"), nil
}
