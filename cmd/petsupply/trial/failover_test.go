package trial

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"filippo.io/torchwood"
	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/tlog"
	"petsupply/testkit/anvil"
	"petsupply/testkit/cosigner"
	"petsupply/testkit/postgres"
)

// A pair is two instances on a PostgreSQL with a replica. They publish one token, and a witness
// signs their log.
type pair struct {
	node    *anvil.Node
	witness *cosigner.Witness
	key     *torchwood.CosignatureVerifier
	away    atomic.Bool // the witness does not answer
	all     [2]*instance
	links   [2]*link // links from each instance to its database
	gems    int64    // tokens on the chain
}

var gemHolder = common.HexToAddress("0x6000000000000000000000000000000000000006")

// newPair prepares both instances. Nothing runs yet.
func newPair(t *testing.T, primary *postgres.Server) *pair {
	t.Helper()
	const origin = "example.org/log"
	secret := [32]byte{7}
	log, err := tlog.NewKey(secret).Verifier(origin)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{node: anvil.Test(t, anvil.Options{}), witness: cosigner.New(t, "witness.example.org", log)}
	if p.key, err = torchwood.NewCosignatureVerifier(p.witness.Signer.Verifier().String()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.away.Load() {
			http.Error(w, "away", http.StatusServiceUnavailable)
			return
		}
		p.witness.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	if _, err := primary.Database("petsupply"); err != nil {
		t.Fatal(err)
	}
	for i := range p.all {
		p.links[i] = newLink(t, primary.Socket())
		dir := t.TempDir()
		config := filepath.Join(dir, "petsupply.yaml")
		text := fmt.Sprintf(`store: postgres://petsupply@%s/petsupply?sslmode=disable
lease: 1s
refresh: {every: 1s, stale_after: 10m, refuse_after: 1h}
tlog: {key: %s, origin: %s, witnesses: [{url: %s/w, key: %s}]}
chains: {main: {id: 31337, rpc: [%s], finality: latest, blocks: on-demand}}
tokens: [{path: gem, symbol: GEM, name: Gem, max_change: 1000%%,
          ledger: [{label: All, bucket: issued, chain: main, native: "%s"}]}]
`, p.links[i].address, base64.StdEncoding.EncodeToString(secret[:]), origin, server.URL, p.key, p.node.URL, gemHolder)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.all[i] = newInstance(t, binary(t, "old"), "--config", config, "--data", dir)
	}
	return p
}

// mint makes one more token, and waits until an instance serves the new figure.
func (p *pair) mint(t *testing.T, at *instance) {
	t.Helper()
	p.gems++
	wei := new(big.Int).Mul(big.NewInt(p.gems), big.NewInt(1e18))
	if err := p.node.SetBalance(t.Context(), gemHolder, wei); err != nil {
		t.Fatal(err)
	}
	within(t, patience, fmt.Sprintf("%d gems", p.gems), func() bool {
		status, _, body, err := get(t.Context(), probing, "http://"+at.listen+"/supply/gem/totalsupply")
		return err == nil && status == http.StatusOK && string(body) == fmt.Sprint(p.gems)
	})
}

// head returns the size of the head that an instance serves, and whether the witness
// signed it.
func (p *pair) head(t *testing.T, at *instance) (size int64, cosigned bool) {
	t.Helper()
	status, _, body, err := get(t.Context(), probing, "http://"+at.listen+"/supply/log/checkpoint")
	if err != nil || status != http.StatusOK {
		return 0, false
	}
	c, err := tlog.ParseCheckpoint(body)
	if err != nil {
		t.Fatal(err)
	}
	list, err := tlog.Cosignatures(body, p.key)
	return c.N, err == nil && len(list) > 0
}

// awaitHead waits for a head above that size with the witness's signature.
func (p *pair) awaitHead(t *testing.T, at *instance, above int64) (size int64) {
	t.Helper()
	within(t, patience, fmt.Sprintf("a cosigned head above %d leaves", above), func() bool {
		var cosigned bool
		size, cosigned = p.head(t, at)
		return cosigned && size > above
	})
	return size
}

// awaitTrouble waits until an instance reports a problem of its log, and its metric has a value.
func awaitTrouble(t *testing.T, at *instance, words, metric string) {
	t.Helper()
	within(t, patience, words, func() bool {
		h, err := at.ready()
		return err == nil && strings.Contains(strings.Join(h.Problems, "; "), words)
	})
	if !strings.Contains(metrics(t, at), "\n"+metric+"\n") {
		t.Errorf("not %s:\n%s", metric, grep(metrics(t, at), "petsupply_log_"))
	}
}

// After a change of the leader, a new head of the log waits for a witness. If a replica lacks the
// last signed head, no other head is signed. Figures are still published, the last head stays, and
// an alert fires.
func TestFailoverForksNoLog(t *testing.T) {
	primary, replica := postgres.Replicated(t)
	p := newPair(t, primary)
	a, b := p.all[0], p.all[1]
	p.gems = 99
	a.run(t)
	p.mint(t, a)
	p.awaitHead(t, a, 0)
	b.start(t)

	p.away.Store(true)
	a.kill()
	signed, err := primary.Number("petsupply", "SELECT signed FROM tlog")
	if err != nil {
		t.Fatal(err)
	}
	first := int64(signed)
	p.mint(t, b)
	awaitTrouble(t, b, "served once a witness has signed it", "petsupply_log_stopped 0")
	if size, cosigned := p.head(t, b); size != first || !cosigned {
		t.Errorf("while the witness is away a head of %d leaves is served, %d were signed before", size, first)
	}
	p.away.Store(false)
	second := p.awaitHead(t, b, first)

	a.start(t) // this head is the newest that it sees
	within(t, patience, "the replica to have it", func() bool {
		n, err := replica.Number("petsupply", fmt.Sprintf(
			"SELECT COUNT(*) FROM tlog WHERE signed = %d AND checkpoint LIKE '%%witness%%'", second))
		return err == nil && n == 1
	})
	p.links[0].sever()
	if err := replica.Execute("postgres", "ALTER SYSTEM SET primary_conninfo = ''",
		"SELECT pg_reload_conf()"); err != nil {
		t.Fatal(err)
	}
	within(t, patience, "the replica's end of following", func() bool {
		n, err := replica.Number("postgres", "SELECT COUNT(*) FROM pg_stat_wal_receiver")
		return err == nil && n == 0
	})
	p.mint(t, b)
	p.awaitHead(t, b, second)
	b.kill()
	primary.Stop()

	if err := replica.Execute("postgres", "SELECT pg_promote()"); err != nil {
		t.Fatal(err)
	}
	p.links[0].set(func() { p.links[0].target, p.links[0].cut = replica.Socket(), false })
	p.mint(t, a)
	awaitTrouble(t, a, "the witness witness.example.org knows another log of this name", "petsupply_log_stopped 1")
	p.mint(t, a)
	if size, cosigned := p.head(t, a); size != second || !cosigned {
		t.Errorf("a head of %d leaves is served, the last that the replica has is of %d", size, second)
	}
	if forks := p.witness.Forks(); len(forks) > 0 {
		t.Errorf("two heads of sizes %v were signed", forks)
	}
}
