package main

import (
	"math"
	"slices"
)

// A pairing is one round: the results of both sides. Less is better.
type pairing struct{ ours, peer float64 }

// takeTurns measures both sides in each round. They take turns in going first. The first round only
// warms up caches, connections and the processor's clock.
func (h *harness) takeTurns(unit string, ours, peer func() (float64, error)) ([]pairing, error) {
	var rounds []pairing
	for round := range h.rounds + 1 {
		var p pairing
		turns := []func() error{
			func() (err error) { p.ours, err = ours(); return err },
			func() (err error) { p.peer, err = peer(); return err },
		}
		if round%2 == 1 {
			slices.Reverse(turns)
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return nil, err
			}
		}
		if round > 0 {
			h.say("  round %d: ours %s, peer %s %s", round, figure(p.ours), figure(p.peer), unit)
			rounds = append(rounds, p)
		}
	}
	return rounds, nil
}

// compare makes a row from rounds in which less is better. The ratio is the median of the rounds'
// own ratios, because noise that lasts longer than a round affects both sides alike.
func compare(name, unit, against string, reach float64, rounds []pairing) row {
	var ours, peer, ratios []float64
	for _, p := range rounds {
		ours = append(ours, p.ours)
		peer = append(peer, p.peer)
		if p.ours > 0 {
			ratios = append(ratios, p.peer/p.ours)
		}
	}
	return row{Name: name, Unit: unit, Against: against, Reach: reach, Ours: median(ours), Peer: median(peer),
		Ratio: median(ratios), Spread: spread(ratios)}
}

// within makes a row of values that must not exceed a bound.
func within(name, unit string, bound float64, values []float64) row {
	return row{Name: name, Unit: unit, Reach: 1, Ours: median(values), Peer: bound, Ratio: bound / median(values),
		Spread: spread(values), Against: "our limit"}
}

// median returns the middle value, or the mean of the two middle values. It returns 0 for no
// values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// spread returns half the distance between the lowest and the highest value, as a share of the
// median: 0.05 means ±5 %.
func spread(values []float64) float64 {
	m := median(values)
	if m == 0 {
		return 0
	}
	return (slices.Max(values) - slices.Min(values)) / 2 / m
}

// quantile returns the smallest of the values that at least this share of them do not exceed. It
// returns 0 if there are no values.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(share*float64(len(sorted)))) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}
