package evm

import "context"

// A key stands for an answer: two answers are alike if their keys are.
type key [32]byte

// A vote is an answer and its key.
type vote[T any] struct {
	value T
	key   key
}

// A matter is what providers are to agree on.
type matter struct {
	name  string // for blame
	few   bool   // a quorum is asked first
	quiet bool   // honest providers may differ: nobody is blamed
}

// agree puts a question to the chain's providers and returns the answer that a
// quorum of them gave alike, once from each of them. Whoever answered otherwise
// is blamed, also when the answer comes late.
func agree[T any](ctx context.Context, c *Chain, m matter,
	ask func(context.Context, *provider) (T, error), keyOf func(T) key) ([]T, error) {
	winner := make(chan key, 1) // filled, if at all, before anybody is late
	got, err := poll(ctx, c, question[vote[T]]{
		few: m.few,
		ask: func(ctx context.Context, p *provider) (vote[T], error) {
			v, err := ask(ctx, p)
			if err != nil {
				return vote[T]{}, err
			}
			return vote[T]{v, keyOf(v)}, nil
		},
		decide: func(got []reply[vote[T]], pending int) verdict {
			k, n, _ := leading(got)
			switch {
			case n >= c.quorum:
				winner <- k
				return enough
			case n+pending < c.quorum:
				return lacking
			}
			return waiting
		},
		late: func(r reply[vote[T]]) {
			select {
			case k := <-winner:
				winner <- k
				if r.err == nil && r.value.key != k && !m.quiet {
					c.blame(r.from, m.name)
				}
			default: // nobody won
			}
		},
	})
	if err != nil {
		return nil, err
	}
	return count(c, m, got)
}

// count returns the answers of the quorum and blames the odd ones out. Where
// no answer leads, everybody is odd.
func count[T any](c *Chain, m matter, got []reply[vote[T]]) ([]T, error) {
	best, most, distinct := leading(got)
	var alike []T
	for _, r := range got {
		switch {
		case r.err != nil:
		case r.value.key == best:
			alike = append(alike, r.value.value)
		case distinct > 1 && !m.quiet:
			c.blame(r.from, m.name)
		}
	}
	switch {
	case most >= c.quorum:
		return alike, nil
	case distinct > 1:
		return nil, unanswered(ErrDisagree, got)
	}
	return nil, unanswered(ErrUnavailable, got)
}

// leading is the key that most replies share, how many do, and how many
// different keys there are. On a tie it is the zero key.
func leading[T any](got []reply[vote[T]]) (best key, most, distinct int) {
	votes := map[key]int{}
	for _, r := range got {
		if r.err == nil {
			votes[r.value.key]++
		}
	}
	for k, n := range votes {
		switch {
		case n > most:
			best, most = k, n
		case n == most:
			best = key{}
		}
	}
	return best, most, len(votes)
}
