package site

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"petsupply/internal/supply"
)

// scale is what the height of a band stands for, the same for all series: the
// widest of them with some air, but never so little that a steady figure would
// look like a steep one.
func scale(all ...[]supply.Amount) supply.Amount {
	var wide, high supply.Amount
	for _, series := range all {
		low, top := slices.MinFunc(series, supply.Amount.Cmp), slices.MaxFunc(series, supply.Amount.Cmp)
		wide, high = larger(wide, top.Sub(low)), larger(high, top)
	}
	if wide = larger(wide, divided(high, 100)); wide.Sign() <= 0 {
		return supply.Whole(1, 0)
	}
	return wide.Add(divided(wide, 5))
}

// newBand places a series in a band that begins at top: in its middle, or on
// the ground where it would otherwise begin below zero.
func newBand(name, key string, top int, series []supply.Amount, unit supply.Amount) band {
	low, high := slices.MinFunc(series, supply.Amount.Cmp), slices.MaxFunc(series, supply.Amount.Cmp)
	air := unit.Sub(high.Sub(low))
	b := band{Name: name, Key: key, Top: top, Foot: top + bandHigh, low: larger(low.Sub(divided(air, 2)), supply.Zero(0))}
	b.Low, b.High = compact(b.low, unit), compact(b.low.Add(unit), unit)
	b.Change = change(series[0], series[len(series)-1])
	return b
}

// height is where an amount stands in its band.
func (b band) height(a, unit supply.Amount) float64 {
	return float64(b.Foot) - float64(part(a.Sub(b.low), unit, 1_000_000))/1_000_000*bandHigh
}

func larger(a, b supply.Amount) supply.Amount {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// divided is a/n, rounded down. The zero Amount has no units.
func divided(a supply.Amount, n int64) supply.Amount {
	if a.Units == nil {
		return a
	}
	return supply.Amount{Units: new(big.Int).Quo(a.Units, big.NewInt(n)), Decimals: a.Decimals}
}

// whole is an amount without its decimals, in groups of three.
func whole(a supply.Amount) string {
	w, _, _ := strings.Cut(a.String(), ".")
	return group(w)
}

// compact writes an amount short enough for an axis, with as many digits as it
// takes to see a difference of step: 116.9M.
func compact(a, step supply.Amount) string {
	digits, _, _ := strings.Cut(a.String(), ".")
	n := len(digits)
	if n <= 6 {
		return group(digits)
	}
	size, suffix := 3*((n-1)/3), ""
	if units := []string{6: "M", 9: "B", 12: "T"}; size < len(units) {
		suffix = units[size]
	} else {
		size, suffix = n-1, " × 10"+raised(n-1)
	}
	wide, _, _ := strings.Cut(step.String(), ".")
	places := min(max(size-len(wide)+2, 0), 3)
	out := digits[:n-size]
	if rest := strings.TrimRight(digits[n-size:n-size+places], "0"); rest != "" {
		out += "." + rest
	}
	return out + suffix
}

// raised writes a number as an exponent.
func raised(n int) string {
	return strings.Map(func(c rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[c-'0'] }, strconv.Itoa(n))
}

// change words how far a figure went, in hundredths of a percent.
func change(from, to supply.Amount) string {
	d := to.Sub(from)
	sign := "+"
	if d.Sign() < 0 {
		d, sign = from.Sub(to), "−"
	}
	switch n := part(d, from, 10_000); {
	case d.Sign() == 0:
		return "unchanged"
	case from.Sign() == 0:
		return "from zero"
	case n == 0:
		return sign + "<0.01%"
	case n >= 100_000:
		return sign + group(fmt.Sprint(n/100)) + "%"
	default:
		return fmt.Sprintf("%s%d.%02d%%", sign, n/100, n%100)
	}
}

// decimal writes n with so many digits behind the point.
func decimal(n int64, places int) string {
	text := fmt.Sprintf("%0*d", places+1, n)
	return text[:len(text)-places] + "." + text[len(text)-places:]
}
