package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"time"
)

// An event is an element of a feed.
type event struct {
	seq  uint64
	feed string
	kind string // such as moved
	at   time.Time
	data any
}

// A Message is one event as it is sent. Its id and bytes are the same each time it is sent.
type Message struct {
	ID   string
	Body []byte
}

// message encodes an event.
func (e event) message() (m Message, err error) {
	m.Body, err = json.Marshal(struct {
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      any       `json:"data"`
	}{e.feed + "." + e.kind, e.at.UTC(), e.data})
	// The id depends on the number and the bytes, because a restored database may use the number
	// again for another event. The id contains no full stop, because a full stop follows it in the
	// signed text.
	sum := sha256.Sum256(m.Body)
	m.ID = fmt.Sprintf("msg_%s-%s_%d_%x", e.feed, e.kind, e.seq, sum[:8])
	return m, err
}

// Example returns a message to test a receiver with. No event caused it.
func Example(now time.Time) (Message, error) {
	return event{uint64(now.Unix()), "webhook", "test", now,
		map[string]string{"message": "Nothing happened. This tests the webhook."}}.message()
}

// pageSize is how many events are read at a time.
const pageSize = 100

// readFeed returns at most pageSize events of a feed, in order: those with higher numbers than after.
func readFeed(ctx context.Context, s Store, feed string, after uint64) (list []event, err error) {
	if feed == Supply {
		notices, err := s.SupplyNotices(ctx, after, pageSize)
		for _, n := range notices {
			list = append(list, event{n.Seq, feed, n.Kind, n.At, n})
		}
		return list, err
	}
	changes, err := s.WebhookChanges(ctx, after, pageSize) // in the form of /changes
	for _, c := range changes {
		list = append(list, event{c.Seq, feed, c.Kind, c.At, c.InFeed()})
	}
	return list, err
}
