package main

import (
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/web"
)

// supplyCmd prints what is published, from the store: no chain is asked.
type supplyCmd struct {
	Token  string `arg:"" optional:"" help:"The token's path. Without it: all tokens."`
	Since  string `placeholder:"SPAN" help:"A table of the figures over time, from so long ago: 24h, 30d, 8w."`
	Points int    `default:"60" help:"At most this many rows of the table."`
	where
}

// Run prints the same bytes as the service answers, or the table.
func (c *supplyCmd) Run(p *program) error {
	var span time.Duration
	if c.Since != "" {
		var err error
		if span, err = supply.ParseDuration(c.Since); err != nil {
			return usageError{fmt.Errorf("--since: %w", err)}
		}
		if c.Token == "" {
			return usageError{fmt.Errorf("--since wants the token whose figures to print")}
		}
	}
	s, err := p.settings(c.where, "8080")
	if err != nil {
		return err
	}
	if c.Token != "" {
		t, err := s.token(c.Token)
		if err != nil {
			return err
		}
		c.Token = t.Path
	}
	h, err := s.open(p.ctx, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer h.close()
	if span > 0 {
		return c.table(p, h, span)
	}
	return c.document(p, h)
}

func (c *supplyCmd) document(p *program, h *house) error {
	if err := h.follow(p.ctx); err != nil {
		return err
	}
	var what any
	now := h.board.Now()
	if c.Token == "" {
		documents := []supply.Document{}
		for _, s := range now.States {
			documents = append(documents, s.Document())
		}
		what = documents
	} else {
		state, _ := now.State(c.Token)
		if !state.Available() {
			return fmt.Errorf("%s has no figure that may be published now; petsupply measure %s says why", c.Token, c.Token)
		}
		what = state.Document()
	}
	text, err := web.Encode(what)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}

func (c *supplyCmd) table(p *program, h *house, span time.Duration) error {
	to := time.Now()
	if h.demo {
		to = demo.End // its time does not move
	}
	points, err := h.store.History(p.ctx, c.Token, to.Add(-span), to, c.Points)
	if err != nil {
		return fmt.Errorf("reading the history of %s: %w", c.Token, err)
	}
	if len(points) == 0 {
		return fmt.Errorf("%s has no history yet", c.Token)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "as of\ttotal\tcirculating\tburned\tlocked\treserved\tledger\t")
	for _, x := range points {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%.8s\t\n", x.AsOf.Format(time.RFC3339),
			x.Total, x.Circulating, x.Burned, x.Locked, x.Reserved, x.LedgerHash)
	}
	return w.Flush()
}
