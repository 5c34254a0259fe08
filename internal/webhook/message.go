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

// A Message is one event as it is sent. Its id and bytes are the same each time it is sent.
type Message struct {
	ID    string
	Body  []byte
	seq   uint64
	event string // its type, such as pet.moved
}

// newMessage encodes an event.
func newMessage(seq uint64, feed, kind string, at time.Time, data any) (Message, error) {
	m := Message{seq: seq, event: feed + "." + kind}
	var err error
	m.Body, err = json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{m.event, at.UTC(), data})
	// The id depends on the number and the bytes, because a restored database may use the number
	// again for another event. The id contains no full stop, because a full stop follows it in the
	// signed text.
	sum := sha256.Sum256(m.Body)
	m.ID = fmt.Sprintf("msg_%s-%s_%d_%x", feed, kind, seq, sum[:8])
	return m, err
}

// Example returns a message to test a receiver with. No event caused it.
func Example(now time.Time) (Message, error) {
	return newMessage(uint64(now.Unix()), "webhook", "test", now,
		map[string]string{"message": "Nothing happened. This tests the webhook."})
}

// pageSize is how many events are read at a time.
const pageSize = 100

// A reader returns at most pageSize events of a feed, in order. It begins after the event whose
// number is the argument after.
type reader = func(ctx context.Context, after uint64) ([]Message, error)

// readPets reads the changes of pets, in the form of /changes.
func readPets(s Store) reader {
	return func(ctx context.Context, after uint64) ([]Message, error) {
		list, err := s.WebhookChanges(ctx, after, pageSize)
		if kept, ok := errors.AsType[pet.OutsideFeed](err); ok {
			resume := kept.Oldest - 1
			if after > kept.Newest {
				resume = kept.Newest
			}
			return nil, lostError{resume}
		}
		return messages(list, err, func(c pet.Change) (Message, error) {
			return newMessage(c.Seq, Pets, c.Kind, c.At, c.InFeed())
		})
	}
}

// readSupply reads the notices about figures.
func readSupply(s Store) reader {
	return func(ctx context.Context, after uint64) ([]Message, error) {
		list, err := s.SupplyNotices(ctx, after, pageSize)
		if err == nil && len(list) > 0 && list[0].Seq > after+1 {
			return nil, lostError{list[0].Seq - 1}
		}
		return messages(list, err, func(n supply.Notice) (Message, error) {
			return newMessage(n.Seq, Supply, n.Kind, n.At, n)
		})
	}
}

// messages encodes a page of events. If err is not nil, it only returns err.
func messages[T any](list []T, err error, encode func(T) (Message, error)) ([]Message, error) {
	if err != nil {
		return nil, err
	}
	out := make([]Message, len(list))
	for i, e := range list {
		if out[i], err = encode(e); err != nil {
			return nil, fmt.Errorf("encoding an event: %w", err)
		}
	}
	return out, nil
}

// A lostError says that the feed does not have the next event. Either the event was deleted, or the
// feed was restored from a backup and ends before the hook's place.
type lostError struct {
	resume uint64 // the queue continues after the event with this number
}

func (e lostError) Error() string {
	return fmt.Sprintf("the next event is not in the feed; continuing after event %d", e.resume)
}
