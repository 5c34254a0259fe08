package site

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"petsupply/internal/supply"
)

// A tokenPage explains one token's figures.
type tokenPage struct {
	tokenCard
	Days    int
	Rows    []row
	Chains  []chainLine
	Ledgers []ledgerVersion
	Formula string
	Verify  string // the commands that recompute the figure
}

// A row is one entry of the ledger with its amount.
type row struct {
	supply.Entry
	Address  string
	Explorer string
	Amount   *supply.Amount // nil: not measured
	Counted  bool
	Call     string // calldata
	Return   string
}

type chainLine struct {
	supply.EvidenceBlock
	Explorer string
}

func (s *Site) token(r *http.Request) (*page, error) {
	st, ok := s.Board.Now().State(strings.ToLower(r.PathValue("token")))
	if !ok {
		return nil, fmt.Errorf("token page: %w", supply.ErrNotFound)
	}
	d := days(r)
	t := tokenPage{tokenCard: s.tokenCard(r, st, d), Days: d, Formula: supply.Formula, Ledgers: ledgerVersions(st.Ledger)}
	if st.Available() && st.Snapshot.Evidence != nil {
		s.explain(&t, st.Snapshot.Evidence)
	} else {
		for _, e := range st.Token.Ledger {
			t.Rows = append(t.Rows, s.row(e))
		}
	}
	return &page{
		template: "token", Title: st.Token.Name + " supply", Section: st.Token.Path, Data: t, Live: true,
		Card: &card{Title: st.Token.Symbol + " supply", URL: s.SiteURL + "/token/" + st.Token.Path,
			Description: "Total and circulating supply of " + st.Token.Name + ", entry by entry, and how to recompute it."},
	}, nil
}

func (s *Site) row(e supply.Entry) row {
	address := cmp.Or(e.Holder, e.Native, e.To, e.ERC20)
	return row{Entry: e, Counted: true, Address: address, Explorer: s.explorer(e.Chain, "address", address)}
}

// explain fills in what was measured and how.
func (s *Site) explain(t *tokenPage, ev *supply.Evidence) {
	nodes := ""
	for _, c := range ev.Chains {
		t.Chains = append(t.Chains, chainLine{c, s.explorer(c.Chain, "block", strconv.FormatUint(c.Number, 10))})
		nodes += fmt.Sprintf(" --rpc %d=URL", c.ChainID)
	}
	for _, x := range ev.Entries {
		r := s.row(x.Entry)
		r.Amount, r.Counted = &x.Amount, x.Counted
		if len(x.Return) > 0 {
			r.Call, r.Return = x.Calldata.String(), x.Return.String()
		}
		t.Rows = append(t.Rows, r)
	}
	t.Verify = fmt.Sprintf("curl -s %s/%s/evidence -o evidence.json\npetsupply verify evidence.json%s", s.SupplyURL, ev.Token, nodes)
}
