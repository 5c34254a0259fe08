package web

import (
	"context"
	"errors"
	"regexp"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// Proofs is where the proofs of snapshots are kept. *store.Store is one.
type Proofs interface {
	// Proof returns the proof of a token's snapshot; supply.ErrNotFound where
	// none is kept.
	Proof(ctx context.Context, token, snapshot string) (*proof.Document, error)
	// ProofOf returns the proof of a publication; *supply.Thinned where it is no
	// longer kept, supply.ErrNotFound where none of the token's is.
	ProofOf(ctx context.Context, token string, p supply.Point) (*proof.Document, error)
}

var snapshotForm = regexp.MustCompile(`^([0-9a-f]{16}|[0-9a-f]{64})$`)

// proof serves the proof of the snapshot that is published, or of another one.
func (s *supplyAPI) proof(q *request) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	snapshot, asked := query.text("snapshot")
	if asked && !snapshotForm.MatchString(snapshot) {
		query.fail("snapshot", "not the id of a snapshot")
	}
	if query.err != nil {
		return nil, query.err
	}
	_, st, err := s.state(q)
	switch {
	case err != nil:
		return nil, err
	case s.proofs == nil:
		return nil, notFound("nothing is proven here")
	case !asked && !st.Available():
		return nil, noFigure(st)
	case !asked:
		snapshot = st.Snapshot.ID
	}
	if err := s.limit.take(q, 1); err != nil {
		return nil, err
	}
	d, err := s.proofs.Proof(q.Context(), st.Token.Path, snapshot)
	if errors.Is(err, supply.ErrNotFound) {
		return nil, notFound("no proof of this snapshot is kept")
	}
	if err != nil {
		return nil, unavailable(err)
	}
	cache := listPolicy
	if !asked && !st.RefuseAt.IsZero() {
		cache = cache.within(st.RefuseAt.Sub(q.at))
	}
	return jsonResponse(d, cache)
}

// proofThen serves the proof of what was published at a moment.
func (s *supplyAPI) proofThen(q *request, m *supply.Moment) (*response, error) {
	query := query{raw: q.URL.RawQuery}
	if _, asked := query.text("snapshot"); asked {
		query.fail("snapshot", "not taken together with a moment")
	}
	if query.err != nil {
		return nil, query.err
	}
	if s.proofs == nil {
		return nil, notFound("nothing is proven here")
	}
	st, cache, err := s.stateThen(q, m)
	if err != nil {
		return nil, err
	}
	d, err := s.proofs.ProofOf(q.Context(), st.Token.Path, st.Snapshot.Point())
	if err != nil {
		return nil, pastProblem(err, "no proof of this snapshot is kept")
	}
	return jsonResponse(d, cache)
}
