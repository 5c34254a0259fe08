package app

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/internal/store"
)

// TestAFollowerNamesTheLeader: on a store that another instance leads, the log says so once.
func TestAFollowerNamesTheLeader(t *testing.T) {
	address := "sqlite://" + filepath.Join(t.TempDir(), "p.db")
	var said bytes.Buffer
	var instances []*leader
	for _, name := range []string{"first", "second"} {
		db, err := store.Open(t.Context(), address, time.Second, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		instances = append(instances, &leader{store: db, instance: name, ttl: time.Minute,
			log: slog.New(slog.NewTextHandler(&said, nil))})
	}
	for range 2 {
		for _, l := range instances {
			won, err := l.renew(t.Context())
			if err != nil || won != (l.instance == "first") {
				t.Errorf("%s: leads %t, %v", l.instance, won, err)
			}
		}
	}
	if strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "another instance leads") ||
		!strings.Contains(said.String(), "leader=first") {
		t.Errorf("the log says\n%s", &said)
	}
}
