package web

import (
	"context"
	"errors"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
	"petsupply/internal/web/answer"
)

// Proofs has the proofs of snapshots. *store.Store is one.
type Proofs interface {
	// Proof returns the proof of a token's snapshot, or supply.ErrNotFound if none is kept.
	Proof(ctx context.Context, token, snapshot string) (*proof.Document, error)
	// ProofOf returns the proof of a publication. The error is a *supply.Thinned if the proof is no
	// longer kept, and supply.ErrNotFound if there never was one.
	ProofOf(ctx context.Context, n *supply.Snapshot) (*proof.Document, error)
}

// proof serves the proof of the snapshot that is published.
func (s *supplyAPI) proof(q *answer.Request) (*answer.Response, error) {
	_, st, err := s.state(q)
	switch {
	case err != nil:
		return nil, err
	case !st.Available() && st.Status != supply.Withdrawn:
		return nil, noFigure(st)
	}
	if err := q.Pay(0); err != nil {
		return nil, err
	}
	d, err := s.proofs.Proof(q.Context(), st.Token.Path, st.Snapshot.ID)
	if errors.Is(err, supply.ErrNotFound) {
		return nil, answer.NotFound("no proof of this snapshot is kept")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	return answer.JSON(d, untilRefused(st, q))
}

// proofAt serves the proof of the figures that were published at a moment.
func (s *supplyAPI) proofAt(q *answer.Request, m *supply.Moment) (*answer.Response, error) {
	st, cache, err := s.stateAt(q, m)
	if err != nil {
		return nil, err
	}
	d, err := s.proofs.ProofOf(q.Context(), st.Snapshot)
	if err != nil {
		return nil, pastProblem(err, "no proof of this snapshot is kept")
	}
	return answer.JSON(d, cache)
}
