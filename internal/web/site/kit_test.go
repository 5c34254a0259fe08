package site

import (
	"context"
	"net/http"
	"testing"
	"time"

	"petsupply/internal/art"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/testkit/traits"
)

// petWords returns the words of the default collection.
func petWords(t testing.TB, pack *art.Pack, realms []pet.Realm) *pet.Words {
	t.Helper()
	w, err := pet.NewWords(collection.Pets(), pack.Tables(), realms)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// silence is a stream that sends nothing.
type silence struct{ http.Handler }

func (silence) Broadcast(string, any) error { return nil }

// complete adds the values of a Config that a service always sets.
func complete(c Config) Config {
	c.Send = func(w http.ResponseWriter, _ *http.Request, page func() ([]byte, error)) error {
		body, err := page()
		_, _ = w.Write(body)
		return err
	}
	c.Charge = func(*http.Request, float64) time.Duration { return 0 }
	c.Census = func(context.Context) (*pet.Census, error) { return nil, errAway }
	c.Owners = func(context.Context) (pet.Owners, error) { return pet.Owners{}, errAway }
	c.Stream = silence{http.NotFoundHandler()}
	if c.Past == nil {
		c.Past = earlier{}
	}
	if c.Status == nil {
		c.Status = func() Status { return Status{} }
	}
	return c
}

// counted returns a count of pets in a realm with these traits, and with 0 for all other traits.
func counted(realm string, pets uint64, values ...any) pet.Count {
	c := traits.Pets()
	return pet.Count{Realm: realm, Numbers: pet.NumbersOf(c, c.CountedFields(), traits.V2(values...)), Pets: pets}
}
