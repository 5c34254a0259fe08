package site

import (
	"html/template"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// funcs are what templates call.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"figure":  figure,
		"asset":   func(name string) string { return s.stamps[name] },
		"site":    func(path string) string { return s.base() + path },
		"supply":  func(path string) string { return s.SupplyURL + path },
		"pets":    func(path string) string { return s.PetsURL + path },
		"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"when":    func(t time.Time) string { return t.UTC().Format("2 Jan 2006, 15:04:05 UTC") },
		"ago":     func(t time.Time) string { return ago(time.Since(t)) },
		"number":  func(n uint64) string { return group(strconv.FormatUint(n, 10)) },
		"short":   short,
		"picture": s.picture,
		"words":   statusWords,
		"amount":  func(a supply.Amount) digits { return figure(&a) },
		"name":    func(p pet.Pet) string { return p.DisplayName(s.Pack.Dictionary(), s.Realms) },
		"deref":   func(n *uint64) uint64 { return *n },
		"plus":    func(a, b uint64) uint64 { return a + b },
	}
}

// A digits is a figure split for reading: whole tokens in groups of three, and
// the rest of its digits behind the point.
type digits struct{ Whole, Rest string }

func figure(a *supply.Amount) digits {
	if a == nil {
		return digits{Whole: "–"}
	}
	whole, rest, found := strings.Cut(a.String(), ".")
	d := digits{Whole: group(whole)}
	if found {
		d.Rest = "." + rest
	}
	return d
}

// group puts a comma between every three digits.
func group(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// ago words a length of time as people do.
func ago(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		if n := int(d / u.size); n == 1 {
			return "1 " + u.name + " ago"
		} else if n > 1 {
			return strconv.Itoa(n) + " " + u.name + "s ago"
		}
	}
	return "just now"
}

// short keeps both ends of a long hexadecimal.
func short(s string) string {
	if len(s) <= 14 {
		return s
	}
	return s[:8] + "…" + s[len(s)-4:]
}

// percent is part of whole in thousandths of a percent, exactly rounded down.
func percent(part, whole supply.Amount) float64 {
	if whole.Sign() <= 0 {
		return 0
	}
	d := max(part.Decimals, whole.Decimals)
	a, errA := part.Rescale(d)
	b, errB := whole.Rescale(d)
	if errA != nil || errB != nil {
		return 0
	}
	n := new(big.Int).Mul(a.Units, big.NewInt(100_000))
	return float64(n.Quo(n, b.Units).Int64()) / 1000
}

// picture is the address of a pet's picture with its version.
func (s *Site) picture(p pet.Pet) string {
	return s.PetsURL + "/image/" + strconv.FormatUint(p.ID, 10) + "?v=" + s.version(p)
}

// explorer is where a chain's address can be looked at, "" if nowhere.
func (s *Site) explorer(chain, address string) string {
	base := strings.TrimSuffix(s.Explorers[chain], "/")
	if u, err := url.Parse(base); err != nil || (u.Scheme != "https" && u.Scheme != "http") || address == "" {
		return ""
	}
	return base + "/address/" + address
}

// statusWords explain a status to people.
func statusWords(s supply.Status) string {
	switch s {
	case supply.Fresh:
		return "Measured and checked."
	case supply.Stale:
		return "The last good figure; newer measurements are overdue."
	case supply.Holding:
		return "The last good figure; a newer one differs so much that it waits for confirmation."
	case supply.Demo:
		return "Invented, for the demo."
	}
	return "No figure that we would stand by right now."
}
