package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A message is one event, as it is sent. However often that is, its id and its
// bytes are the same.
type message struct {
	seq   uint64
	event string // its type
	body  []byte
}

// newMessage words an event.
func newMessage(seq uint64, feed, kind string, at time.Time, data any) (message, error) {
	m := message{seq: seq, event: feed + "." + kind}
	var err error
	m.body, err = json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{m.event, at.UTC(), data})
	return m, err
}

// id is of the number and of the bytes: a database that was restored may give
// the number to another event.
func (m *message) id() string {
	sum := sha256.Sum256(m.body)
	return fmt.Sprintf("msg_%s_%d_%x", m.event, m.seq, sum[:8])
}

// pageSize is how many events are read at a time.
const pageSize = 100

// A reader returns the events of a feed after a number, in order.
type reader = func(ctx context.Context, after uint64) ([]message, error)

// readPets reads the changes of pets, as /changes has them.
func readPets(s Store) reader {
	return func(ctx context.Context, after uint64) ([]message, error) {
		list, err := s.ChangesSince(ctx, &after, pageSize)
		if kept := (pet.OutsideFeed{}); errors.As(err, &kept) {
			return nil, &lost{to: goOn(after, kept)}
		}
		return messages(list, err, func(c pet.Change) (message, error) {
			return newMessage(c.Seq, Pets, c.Kind, c.At, pet.FeedChange{Seq: c.Seq, Change: c})
		})
	}
}

// goOn is the place from which a reader goes on that stands outside of what is
// kept.
func goOn(after uint64, kept pet.OutsideFeed) uint64 {
	if after > kept.Newest {
		return kept.Newest
	}
	return kept.Oldest - 1
}

// readSupply reads what happened to figures.
func readSupply(s Store) reader {
	return func(ctx context.Context, after uint64) ([]message, error) {
		list, err := s.SupplyNotices(ctx, after, pageSize)
		if err == nil && len(list) > 0 && list[0].Seq > after+1 {
			return nil, &lost{to: list[0].Seq - 1}
		}
		return messages(list, err, func(e supply.Notice) (message, error) { return newMessage(e.Seq, Supply, e.Kind, e.At, e) })
	}
}

func messages[T any](list []T, err error, word func(T) (message, error)) ([]message, error) {
	if err != nil {
		return nil, err
	}
	out := make([]message, len(list))
	for i, e := range list {
		if out[i], err = word(e); err != nil {
			return nil, fmt.Errorf("wording an event: %w", err)
		}
	}
	return out, nil
}

// lost: events that were not delivered are no longer kept.
type lost struct{ to uint64 }

func (e *lost) Error() string {
	return fmt.Sprintf("events are not kept any more; going on after %d", e.to)
}
