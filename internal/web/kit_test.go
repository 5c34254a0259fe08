package web

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/torchwood"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	merkle "golang.org/x/mod/sumdb/tlog"

	"petsupply/internal/art"
	"petsupply/internal/art/gallery"
	"petsupply/internal/demo"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/directory"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/tlog"
	"petsupply/internal/turns"
	"petsupply/testkit/traits"
)

// A clock shows the same time until a test moves it.
type clock struct{ unix atomic.Int64 } // nanoseconds

func (c *clock) now() time.Time          { return time.Unix(0, c.unix.Load()).UTC() }
func (c *clock) set(t time.Time)         { c.unix.Store(t.UnixNano()) }
func (c *clock) advance(d time.Duration) { c.unix.Add(int64(d)) }

// started is when the servers of these tests start.
var started = demo.End.Add(90 * time.Minute)

// A kit is a server on the demo kingdom, with stand-ins for everything behind it.
type kit struct {
	*Server
	cfg   Config
	clock *clock
	board *supply.Board
	store *petStore
	pets  *petSource
}

// oneHost and threeHosts are configurations with one host and with a host for each interface.
func oneHost() Config {
	return Config{SupplyURL: "http://localhost:8080/supply", PetsURL: "http://localhost:8080/pets",
		SiteURL: "http://localhost:8080/"}
}

func threeHosts() Config {
	return Config{SupplyURL: "https://supply.example.org", PetsURL: "https://pets.example.org",
		SiteURL: "https://example.org"}
}

func newKit(t testing.TB, cfg Config) *kit {
	t.Helper()
	return newSitedKit(t, cfg, func(*kit) Pages { return cfg.Site })
}

// newSitedKit is newKit with pages that need the kit.
func newSitedKit(t testing.TB, cfg Config, pages func(*kit) Pages) *kit {
	t.Helper()
	k := &kit{clock: new(clock), store: newPetStore(t)}
	k.clock.set(started)
	dir := directory.New(directory.Config{Registry: &pet.Registry{Collection: traits.Pets(), Realms: demo.Realms()},
		Reader: k.store, Feed: k.store})
	k.pets = &petSource{Directory: dir}
	cfg.Now = k.clock.now
	cfg.Processor = turns.New("answers", 2, 256)
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.NewTextHandler(io.Discard, nil)))
	cfg.Supply = true
	cfg.Past = history{t}
	cfg.Proofs = proofs{}
	cfg.TLog = tiles{}
	cfg.Pets = k.pets
	cfg.PetListings = dir
	cfg.Realms = demo.Realms()
	cfg.Words = words(t)
	cfg.Packs = art.Packs{pack(t)}
	cfg.Gallery = gallery.New(gallery.Config{Turns: cfg.Processor})
	cfg.Collection = Collection{Name: "Pets", Description: "Pets of an invented kingdom.",
		Image: "http://localhost:8080/pets/image/1"}
	cfg.SupplySpec, cfg.PetsSpec = specifications(t, cfg)
	k.board = supply.NewBoard(demo.Tokens(), supply.AgePolicy{}, true)
	k.board.Set(updates(t, demo.End)...)
	cfg.Site = pages(k)
	k.cfg = cfg
	var err error
	k.Server, err = New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	k.board.Subscribe(k.OnPublication)
	return k
}

// words returns the words of the demo's pets.
func words(t testing.TB) *pet.Words {
	t.Helper()
	w, err := pet.NewWords(collection.Pets(), pack(t).Tables(), demo.Realms())
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// updates measures the kingdom as it was at a time.
func updates(t testing.TB, at time.Time) []supply.Record {
	t.Helper()
	var list []supply.Record
	for _, r := range supply.Measure(context.Background(), demo.Tokens(), demo.Chains(at), at) {
		if r.Err != nil {
			t.Fatalf("measuring %s: %v", r.Token.Path, r.Err)
		}
		list = append(list, supply.Record{Token: r.Token.Path, Snapshot: r.Snapshot,
			Confirmed: r.Snapshot.MeasuredAt})
	}
	return list
}

var thePack = struct{ atomic.Pointer[art.Pack] }{}

// pack opens the embedded pack, once for all tests.
func pack(t testing.TB) *art.Pack {
	t.Helper()
	if p := thePack.Load(); p != nil {
		return p
	}
	p, err := art.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	thePack.Store(p)
	return p
}

// tiles has a log of 300 leaves, whose bytes are all the same, and a log of 20 leaves that ended.
type tiles struct{}

func (tiles) Find(_ context.Context, address string) (*tlog.Log, error) {
	switch address {
	case "", "01234567":
		return &tlog.Log{Origin: "example.org/log", VerifierKey: "example.org/log+01234567+AQ==", Size: 300,
			Signed: []byte("example.org/log\n300\n")}, nil
	case "89abcdef":
		return &tlog.Log{Origin: "example.org/before", VerifierKey: "example.org/before+89abcdef+AQ==", Size: 20,
			Signed: []byte("example.org/before\n20\n")}, nil
	case "ffffffff":
		return nil, errors.New("the store is away")
	}
	return nil, tlog.ErrNone
}

func (tiles) Tile(_ context.Context, l *tlog.Log, t merkle.Tile) ([]byte, error) {
	switch n := t.N*torchwood.TileWidth + int64(t.W); {
	case t.L > 0 || t.N > 1 || n > l.Size:
		return nil, tlog.ErrNone
	case t.N == 0 && t.W == 13:
		return nil, errors.New("the store is away")
	case t.L == tlog.Entries:
		return bytes.Repeat([]byte("\x00\x02{}"), t.W), nil
	}
	return make([]byte, merkle.HashSize*t.W), nil
}

// Include finds all leaves except those of jade.
func (tiles) Include(_ context.Context, leaf string) (string, error) {
	for _, u := range days() {
		if u.Token == "jade" && u.Snapshot.ID == leaf {
			return "", tlog.ErrNone
		}
	}
	return "c2sp.org/tlog-proof@v1\nindex 7\n\n" + leaf, nil
}

// proofs has one of jewel's figures and none of crystal's. For other tokens it fails.
type proofs struct{}

func (proofs) Proof(_ context.Context, token, snapshot string) (*proof.Document, error) {
	d := &proof.Document{Format: proof.Format, Snapshot: snapshot,
		Entries: []proof.Entry{{Label: "Minted", Known: proof.Proven}, {Label: "Promised", Known: proof.Declared}}}
	switch token {
	case "jewel":
		d.Chains = []proof.Chain{{ChainID: 1, Header: []byte{1},
			Nodes: []hexutil.Bytes{{1}}, Codes: []hexutil.Bytes{{2}},
			Calls: []proof.Call{{To: &common.Address{7}, Data: []byte{1}, Return: make([]byte, 32)},
				{Balance: &common.Address{8}, Return: make([]byte, 32)}}}}
	case "crystal":
		return nil, supply.ErrNotFound
	default:
		return nil, errors.New("the store is away")
	}
	return d, nil
}

func (proofs) ProofOf(ctx context.Context, n *supply.Snapshot) (*proof.Document, error) {
	if n.Token == "jewel" && n.AsOf.Before(demo.Start.AddDate(0, 0, 1)) {
		return nil, &supply.Thinned{Kept: []supply.KeptAt{{AsOf: demo.End, Snapshot: "0123456789abcdef"}}}
	}
	return proofs{}.Proof(ctx, n.Token, n.ID)
}

// history measures the kingdom once a day.
type history struct{ t testing.TB }

func (h history) History(_ context.Context, token string, from, to time.Time, points int) ([]supply.Point, error) {
	var list []supply.Point
	for at := from; !at.After(to) && !at.After(demo.End) && len(list) < min(points, 5); at = at.AddDate(0, 0, 1) {
		if at.Before(demo.Start) {
			continue
		}
		for _, u := range updates(h.t, at) {
			if u.Token == token {
				list = append(list, supply.Point{Snapshot: u.Snapshot})
			}
		}
	}
	return list, nil
}

func (history) Gaps(context.Context, string, time.Time, time.Duration) ([]supply.Gap, error) {
	return nil, nil
}

func (history) Events(context.Context, string) ([]supply.Notice, error) { return nil, nil }

func (history) EvidenceAt(context.Context, string, time.Time) (*supply.Evidence, error) {
	return nil, supply.ErrNotFound
}

// days returns the publications: the kingdom at the beginning of each of its first ten days, and at
// its end. The first figure of crystal comes on the sixth day.
var days = sync.OnceValue(func() (list []supply.Record) {
	for d := range 10 {
		for _, u := range updates(panicker{}, demo.Start.AddDate(0, 0, d)) {
			if u.Token != "crystal" || d >= 5 {
				list = append(list, u)
			}
		}
	}
	return append(list, updates(panicker{}, demo.End)...)
})

// A panicker replaces a testing.TB where there is no test.
type panicker struct{ testing.TB }

func (panicker) Helper()                        {}
func (panicker) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

func (h history) PublishedAt(_ context.Context, token string, m supply.Moment) (p supply.Point, err error) {
	err = supply.ErrNotFound
	for _, u := range days() {
		if u.Token != token || m.Snapshot != "" && m.Snapshot != u.Snapshot.ID {
			continue
		}
		if m.Snapshot != "" {
			return corrected(supply.Point{Snapshot: u.Snapshot}), nil
		}
		if !u.Snapshot.AsOf.After(m.At) {
			p = supply.Point{Snapshot: u.Snapshot}
			err = nil
		} else if errors.Is(err, supply.ErrNotFound) {
			err = &supply.BeforeFirst{First: u.Snapshot.AsOf}
		}
	}
	if err != nil {
		return p, err
	}
	return corrected(p), nil
}

// corrected adds the correction of the kingdom's fourth day.
func corrected(p supply.Point) supply.Point {
	if p.AsOf.Equal(demo.Start.AddDate(0, 0, 3)) {
		p.Correction = &supply.Correction{Reason: "an entry was missing", At: demo.End}
	}
	return p
}

func (h history) Ledgers(_ context.Context, token string) (list []ledger.Version, err error) {
	for _, t := range demo.Tokens() {
		if v := t.CurrentLedger(); t.Path == token {
			v.Since = &demo.Start
			list = append(list, v)
		}
	}
	return list, nil
}

// EvidenceOf has no evidence of jade's first two days.
func (h history) EvidenceOf(_ context.Context, n *supply.Snapshot) (*supply.Evidence, error) {
	for _, u := range days() {
		if u.Snapshot.ID != n.ID {
			continue
		}
		if next := demo.Start.AddDate(0, 0, 2); n.Token == "jade" && n.AsOf.Before(next) {
			return nil, &supply.Thinned{Kept: []supply.KeptAt{{AsOf: next, Snapshot: "0123456789abcdef"}}}
		}
		return u.Snapshot.Evidence, nil
	}
	return nil, supply.ErrNotFound
}

// A petSource is a directory whose memory a test fills.
type petSource struct {
	*directory.Directory
	mu     sync.RWMutex
	memory map[uint64]*pet.Prepared
}

func (s *petSource) Peek(id uint64) (*pet.Prepared, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	p, ok := s.memory[id]
	return p, ok
}

// remember puts the pets with ids 1 to n into memory, as they are now.
func (k *kit) remember(n uint64) {
	memory := map[uint64]*pet.Prepared{}
	for i := range n {
		memory[i+1] = pet.Prepare(traits.Pets(), k.store.pets[i])
	}
	k.pets.mu.Lock()
	defer k.pets.mu.Unlock()
	k.pets.memory = memory
}

// change puts pet id into memory, as the store has it now.
func (k *kit) change(id uint64) {
	k.pets.mu.Lock()
	defer k.pets.mu.Unlock()
	k.pets.memory[id] = pet.Prepare(traits.Pets(), k.store.pets[id-1])
}

// A petStore holds the kingdom's pets.
type petStore struct {
	pets    []pet.Pet // by id
	down    atomic.Bool
	stalled atomic.Pointer[chan struct{}] // if set, nothing is answered before it is closed
}

func newPetStore(t testing.TB) *petStore {
	makePets.Do(func() { thePets = demo.Pets(pack(t).Tables()) })
	return &petStore{pets: slices.Clone(thePets)}
}

// thePets are made once for all tests, because they take most of the time to make a kit.
var (
	makePets sync.Once
	thePets  []pet.Pet
)

func (s *petStore) err() error {
	if stalled := s.stalled.Load(); stalled != nil {
		<-*stalled
	}
	if s.down.Load() {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func (s *petStore) PetsByID(_ context.Context, ids []uint64) (map[uint64]pet.Pet, error) {
	found := map[uint64]pet.Pet{}
	for _, id := range ids {
		i, ok := slices.BinarySearchFunc(s.pets, id, func(p pet.Pet, id uint64) int { return cmp.Compare(p.ID, id) })
		if ok {
			found[id] = s.pets[i]
		}
	}
	return found, s.err()
}

func (s *petStore) ListPets(_ context.Context, q pet.Query, from pet.PagePosition) (_ []pet.Pet, next pet.PagePosition,
	_ error) {
	var list []pet.Pet
	for _, p := range s.pets {
		is := func(key string) bool {
			want := q.Traits[key]
			return len(want) == 0 || slices.Contains(want, int(traits.Number(p.Value, key)))
		}
		switch {
		case p.ID < from.ID,
			len(q.Realms) > 0 && !slices.Contains(q.Realms, p.Realm), q.Owner != nil && *q.Owner != p.Owner,
			!is("egg"), !is("rarity"), !is("element"), !is("shiny"), !is("background"):
			continue
		}
		if len(list) == q.Limit {
			return list, pet.PagePosition{ID: p.ID}, s.err()
		}
		list = append(list, p)
	}
	return list, next, s.err()
}

func (s *petStore) PetHistory(_ context.Context, id uint64, _ int) ([]pet.Change, error) {
	if id != 1 {
		return nil, s.err()
	}
	return []pet.Change{{ID: 1, At: demo.Start, Realm: "first", Block: 7, Kind: pet.Appeared, Fields: []pet.Delta{}}},
		s.err()
}

// ChangesSince has the changes 11 to 13.
func (s *petStore) ChangesSince(_ context.Context, since *uint64, limit int) (list []pet.Change, _ error) {
	if since != nil && (*since < 10 || *since > 13) {
		return nil, pet.OutsideFeed{Oldest: 11, Newest: 13}
	}
	for seq := uint64(11); seq <= 13 && len(list) < limit; seq++ {
		if since == nil || seq > *since {
			list = append(list, pet.Change{Seq: seq, ID: seq, At: demo.Start, Realm: "first", Block: 7,
				Kind: pet.Changed, Fields: []pet.Delta{{Field: "season", From: "1", To: "2"}}})
		}
	}
	return list, s.err()
}

func (s *petStore) PetCensus(context.Context) (*pet.Census, error) { return &pet.Census{}, s.err() }
func (s *petStore) LastPetChange(context.Context) (pet.FeedMark, error) {
	return pet.FeedMark{}, s.err()
}

// MissingPets returns none of the ids, because a realm is still being read.
func (s *petStore) MissingPets(context.Context, pet.Realm, []string, []uint64) ([]uint64, error) {
	return nil, s.err()
}
func (s *petStore) WhyUnread(context.Context, []string) (string, error) {
	return "second is still being read, 41 %", s.err()
}
func (s *petStore) PetChanges(_ context.Context, seq pet.FeedMark, _ int) ([]pet.FeedMark, error) {
	return nil, s.err()
}

// get sends a request to the kit without a network.
func (k *kit) get(target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "localhost:8080"
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	k.ServeHTTP(w, r)
	return w
}

// answered returns the number of answers of the express lane.
func (k *kit) answered() float64 { return testutil.ToFloat64(k.lane) }

// counted returns the value of the counter or gauge with this name and these values of its labels.
func (k *kit) counted(t *testing.T, name string, labels ...string) float64 {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(k.Collectors()...)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var values []string
			for _, l := range m.GetLabel() {
				values = append(values, l.GetValue())
			}
			if f.GetName() == name && slices.Equal(values, labels) {
				return m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	t.Fatalf("there is no counter %s %q", name, labels)
	return 0
}

// requests returns how many requests of a route were answered with a status.
func (k *kit) requests(t *testing.T, route, status string) float64 {
	t.Helper()
	return k.counted(t, "petsupply_http_requests_total", route, status)
}
