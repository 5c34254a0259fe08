package supply

import (
	"context"
	"errors"

	"petsupply/internal/supply/proof"
)

// Prove gathers the proof of some evidence. The document says how each entry is known. The error
// joins the reasons why entries are not proven.
func (p *Prover) Prove(ctx context.Context, ev *Evidence) (*proof.Document, error) {
	d, faults := p.prove(ctx, ev)
	return d, errors.Join(faults...)
}
