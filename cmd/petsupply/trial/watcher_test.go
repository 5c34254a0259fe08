package trial

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"petsupply/testkit/check"
)

// A watcher sends requests to a service without pause and records the answers. It reports obvious
// errors at once; an oracle judges the rest.
type watcher struct {
	pets []uint64 // pets that every instance has in memory
	// filling is set while the database runs out of room. A pet whose change is written just before
	// that cannot be read, so an instance may refuse it with a 503.
	filling atomic.Bool

	mu      sync.Mutex
	docs    map[string]tokenDoc
	petDocs map[string]petDoc
	bodies  map[string][32]byte  // hashes of pictures, by ETag
	asOf    map[string]time.Time // by place and token
	tally   map[string]int       // answers of this stage
	wrong   []string
}

// tokenDoc has the fields of a token's document.
type tokenDoc struct {
	Symbol      string
	Total       *string    `json:"totalSupply"`
	Circulating *string    `json:"circulatingSupply"`
	Burned      *string    `json:"burnedSupply"`
	Locked      *string    `json:"lockedSupply"`
	Reserved    *string    `json:"reservedSupply"`
	AsOf        *time.Time `json:"asOf"`
	MeasuredAt  *time.Time `json:"measuredAt"`
	Status      string
	Snapshot    string
	Blocks      []struct {
		Chain  string
		Number uint64
		Hash   string
	}
}

// figures returns the figures, as a row of history has them.
func (d *tokenDoc) figures() [5]string {
	return [5]string{*d.Total, *d.Circulating, *d.Burned, *d.Locked, *d.Reserved}
}

// petDoc has the fields of a pet's document that a chain can confirm.
type petDoc struct {
	Data struct {
		Realm, Owner string
		InTransit    bool
		Block        uint64
	}
	RawData json.RawMessage
}

// A place is an address for requests: an instance, or nginx in front of all.
type place struct {
	name, base string
	ops        string       // its probes and metrics
	down       atomic.Int32 // above 0 if it need not answer; changes with every fault
}

func newWatcher(pets []uint64) *watcher {
	return &watcher{pets: pets, docs: map[string]tokenDoc{}, petDocs: map[string]petDoc{},
		bodies: map[string][32]byte{}, asOf: map[string]time.Time{}, tally: map[string]int{}}
}

// watch sends requests to a place until the test ends or stop is called.
func (w *watcher) watch(t testing.TB, at *place, seed uint64) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() {
		dice := rand.New(rand.NewPCG(seed, 7))
		client := &http.Client{Timeout: check.Patience, Transport: &http.Transport{}}
		defer client.CloseIdleConnections()
		for ctx.Err() == nil {
			w.ask(ctx, client, at, w.question(dice))
			select { // a steady load that the machine can bear
			case <-ctx.Done():
			case <-time.After(40 * time.Millisecond):
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// question returns a random path.
func (w *watcher) question(dice *rand.Rand) string {
	token := tokens[dice.IntN(len(tokens))]
	id := w.pets[dice.IntN(len(w.pets))]
	switch dice.IntN(8) {
	case 0:
		return "/supply/"
	case 1, 2:
		return "/supply/" + token
	case 3:
		return "/supply/" + token + "/totalsupply"
	case 4:
		return "/supply/" + token + "/circulatingsupply"
	case 5, 6:
		return fmt.Sprintf("/pets/token/%d", id)
	}
	return fmt.Sprintf("/pets/image/%d?size=%d", id, 90*(1+dice.IntN(2)))
}

// ask sends one request and records the answer.
func (w *watcher) ask(ctx context.Context, client *http.Client, at *place, path string) {
	before := at.down.Load()
	seen := w.seen()
	status, header, body, err := get(ctx, client, at.base+path)
	if ctx.Err() != nil {
		return
	}
	excused := before%2 == 1 || at.down.Load() != before
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case err != nil && excused:
		w.tally["unreachable"]++
	case err != nil:
		w.tally["broken"]++
		w.wrong = append(w.wrong, fmt.Sprintf("%s %s: %v", at.name, path, err))
	default:
		w.tally[fmt.Sprint(status)]++
		if err := w.judge(answer{at.name, path, status, header, body, seen}); err != nil {
			w.wrong = append(w.wrong, fmt.Sprintf("%s %s: %v", at.name, path, err))
		}
	}
}

func get(ctx context.Context, client *http.Client, url string) (int, http.Header, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	return res.StatusCode, res.Header, body, err
}

// seen returns the newest asOf of every place and token.
func (w *watcher) seen() map[string]time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.asOf)
}

// An answer is the answer of a place, with the state that was known before the request. With two
// requests at once, the later answer may be judged first.
type answer struct {
	from, path string
	status     int
	header     http.Header
	body       []byte
	seen       map[string]time.Time
}

// judge checks one answer. The caller holds mu.
func (w *watcher) judge(a answer) error {
	path := a.path
	status := a.status
	header := a.header
	body := a.body
	if status == http.StatusServiceUnavailable && strings.HasPrefix(path, "/pets/") &&
		header.Get("Retry-After") != "" &&
		(w.filling.Load() || strings.Contains(string(body), "is still being read") ||
			strings.Contains(string(body), "too many answers")) { // the machine is busy
		return nil
	}
	if status != http.StatusOK {
		return fmt.Errorf("status %d: %s", status, clipped(body))
	}
	switch {
	case path == "/supply/":
		var all []tokenDoc
		if err := json.Unmarshal(body, &all); err != nil || len(all) != 3 {
			return fmt.Errorf("%d tokens, %v", len(all), err)
		}
		for _, d := range all {
			if err := w.token(a, d); err != nil {
				return err
			}
		}
	case strings.HasSuffix(path, "supply"):
		return w.figure(path, header, body)
	case strings.HasPrefix(path, "/supply/"):
		var d tokenDoc
		if err := json.Unmarshal(body, &d); err != nil {
			return err
		}
		return w.token(a, d)
	case strings.HasPrefix(path, "/pets/token/"):
		var d petDoc
		if err := json.Unmarshal(body, &d); err != nil {
			return err
		}
		w.petDocs[fmt.Sprint(path, d.Data, string(d.RawData))] = d
	default:
		if !bytes.HasPrefix(body, []byte("\x89PNG\r\n\x1a\n")) {
			return fmt.Errorf("not a PNG: %s", clipped(body))
		}
		sum := sha256.Sum256(body)
		if old, ok := w.bodies[header.Get("ETag")]; ok && old != sum {
			return fmt.Errorf("two pictures have the ETag %s", header.Get("ETag"))
		}
		w.bodies[header.Get("ETag")] = sum
	}
	return nil
}

// token records a token's document. An instance never goes back in time.
func (w *watcher) token(a answer, d tokenDoc) error {
	if d.Total == nil || d.Circulating == nil || d.AsOf == nil || d.MeasuredAt == nil {
		return fmt.Errorf("no figure, status %s", d.Status)
	}
	// stale_after is 1m. Equal figures are published again after half of that, so a fresh snapshot can
	// be 90 s old.
	if age := time.Since(*d.MeasuredAt); d.Status == "fresh" && age > 100*time.Second {
		return fmt.Errorf("said to be fresh after %v", age)
	}
	if a.from != "front" {
		key := a.from + d.Symbol
		if last := a.seen[key]; d.AsOf.Before(last) {
			return fmt.Errorf("went back from %v to %v", last, *d.AsOf)
		}
		if d.AsOf.After(w.asOf[key]) {
			w.asOf[key] = *d.AsOf
		}
	}
	key := d.Symbol + d.Snapshot
	if old, ok := w.docs[key]; ok && (*old.Total != *d.Total || *old.Circulating != *d.Circulating) {
		return fmt.Errorf("snapshot %s has two totals: %s and %s", d.Snapshot, *old.Total, *d.Total)
	}
	w.docs[key] = d
	return nil
}

// figure compares a bare figure with the document of the same snapshot, if that was seen.
func (w *watcher) figure(path string, header http.Header, body []byte) error {
	if !figure.Match(body) {
		return fmt.Errorf("%q is no figure", clipped(body))
	}
	words := strings.Split(path, "/")
	d, ok := w.docs[strings.ToUpper(words[2])+header.Get("Supply-Snapshot")]
	if !ok {
		return nil
	}
	want := *d.Total
	if words[3] == "circulatingsupply" {
		want = *d.Circulating
	}
	if string(body) != want {
		return fmt.Errorf("%s in snapshot %s, whose document says %s", body, d.Snapshot, want)
	}
	return nil
}

// stage begins a new count of answers.
func (w *watcher) stage() {
	w.mu.Lock()
	defer w.mu.Unlock()
	clear(w.tally)
}

// total returns how many answers there were since the stage began.
func (w *watcher) total() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, each := range w.tally {
		n += each
	}
	return n
}

// counted describes the answers since the stage began.
func (w *watcher) counted() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var words []string
	for _, k := range slices.Sorted(maps.Keys(w.tally)) {
		switch k {
		case "unreachable":
			continue // requested from an instance that was taken away
		case "broken":
			words = append(words, fmt.Sprintf("%d cut off", w.tally[k]))
		default:
			words = append(words, fmt.Sprintf("%d times %s", w.tally[k], k))
		}
	}
	return strings.Join(words, ", ")
}

// report fails the test for every wrong answer.
func (w *watcher) report(t testing.TB) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, text := range w.wrong {
		if i == 20 {
			t.Errorf("and %d more", len(w.wrong)-i)
			break
		}
		t.Error(text)
	}
	w.wrong = nil
}
