package index

import (
	"cmp"
	"slices"

	"petsupply/internal/pet"
)

// mergeSpans sorts spans and joins those that touch.
func mergeSpans(spans []pet.Span) []pet.Span {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b pet.Span) int { return cmp.Compare(a.From, b.From) })
	out := spans[:0]
	for _, s := range spans {
		if n := len(out); n > 0 && s.From <= out[n-1].To+1 {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}

// cutSpan removes a part, which is within one span, from the spans.
func cutSpan(spans []pet.Span, part pet.Span) []pet.Span {
	var out []pet.Span
	for _, s := range spans {
		if part.To < s.From || s.To < part.From {
			out = append(out, s)
			continue
		}
		if s.From < part.From {
			out = append(out, pet.Span{From: s.From, To: part.From - 1})
		}
		if part.To < s.To {
			out = append(out, pet.Span{From: part.To + 1, To: s.To})
		}
	}
	return out
}
