package store

import (
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"petsupply/internal/pet/index"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

// A distance counts the round trips to PostgreSQL.
type distance struct {
	trips atomic.Int64 // requests that the client sent after an answer
}

// between returns an address that leads to the database through d.
func (d *distance) between(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q, socket := u.Query(), ".s.PGSQL.5432"
	server := filepath.Join(q.Get("host"), socket)
	dir := t.TempDir()
	l, err := net.Listen("unix", filepath.Join(dir, socket))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go d.carry(client, server)
		}
	}()
	q.Set("host", dir)
	u.RawQuery = q.Encode()
	return u.String()
}

func (d *distance) carry(client net.Conn, server string) {
	defer client.Close()
	to, err := net.Dial("unix", server)
	if err != nil {
		return
	}
	defer to.Close()
	var answered atomic.Bool
	go func() {
		defer client.Close()
		buf := make([]byte, 1<<16)
		for {
			n, err := to.Read(buf)
			answered.Store(true)
			if _, failed := client.Write(buf[:n]); err != nil || failed != nil {
				return
			}
		}
	}()
	buf := make([]byte, 1<<20)
	for {
		n, err := client.Read(buf)
		if answered.Swap(false) {
			d.trips.Add(1)
		}
		if _, failed := to.Write(buf[:n]); err != nil || failed != nil {
			return
		}
	}
}

func TestAWindowOfThousandsIsWrittenFarFromTheDatabase(t *testing.T) {
	const pets = 6000
	d := &distance{}
	s := leading(t, d.between(t, postgres.Start(t)))
	b := batch{Realm: realm("second"), At: block(7), Touched: map[uint64]bool{}, Want: map[uint64]time.Time{}}
	for i := range uint64(pets) {
		b.Observations = append(b.Observations, see(second+1+i, alice, traits.V2("season", 1)))
		b.Touched[second+1+i] = true
	}
	counted := func(doing string) {
		t.Helper()
		trips := d.trips.Load()
		write(t, s, b)
		if n := d.trips.Load() - trips; n > 150 {
			t.Errorf("%s: %d pets cost %d round trips", doing, pets, n)
		}
	}
	counted("all are new")
	for i := range b.Observations { // all leave, so other realms look for them
		b.Observations[i].Owner = bridge
		b.Answered = append(b.Answered, b.Observations[i].ID)
		b.Want[b.Observations[i].ID] = block(9).Time
	}
	for n := range uint64(128) {
		b.Marks = append(b.Marks, index.BlockMark{Block: block(7 + n), IDs: []uint64{second + n}})
	}
	b.At = block(8)
	counted("all leave")
	for i := range b.Observations {
		b.Observations[i].Owner = alice
	}
	b.Realm, b.Marks, b.Answered, b.Want = realm("third"), nil, nil, nil
	counted("all arrive elsewhere")
	b.Want = map[uint64]time.Time{}
	for _, o := range b.Observations {
		b.Want[o.ID] = time.Now()
	}
	b.Observations = nil
	b.Realm, b.At, b.Undo = realm("third"), block(2), true
	counted("their arrival is undone")
	if p, ok := one(t, s, second+pets); !ok || p.Realm != "second" || !p.InTransit {
		t.Errorf("the last of them: %+v, %v", p, ok)
	}
	w, err := s.PetWork(t.Context(), "third", pets+1)
	if err != nil || len(w.Wanted) != pets {
		t.Errorf("%d are looked for in the third realm, %v", len(w.Wanted), err)
	}
}
