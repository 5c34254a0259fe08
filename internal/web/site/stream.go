package site

import (
	"strconv"

	"petsupply/internal/supply"
)

// stateID tells one state of a token from another. Pages carry the id of what
// they show; the stream says the id of what is so.
func stateID(st supply.State) string {
	id := string(st.Status)
	if st.Snapshot != nil {
		id += " " + st.Snapshot.ID
	}
	if st.Hold != nil {
		id += " " + st.Hold.Candidate.ID + " " + strconv.Itoa(st.Hold.Confirmations)
	}
	return id
}

// manyPets is from how many on the stream no longer lists the pets that
// changed.
const manyPets = 500

// tellPages sends open pages an event when figures or pets change. They fetch
// what they show themselves; the event only says that it is worth it.
func (s *Site) tellPages() {
	s.Board.Subscribe(func(p *supply.Publication) {
		s.holds.watch(p)
		ids := map[string]string{}
		for _, st := range p.States {
			ids[st.Token.Path] = stateID(st)
		}
		s.publish("supply", ids)
	})
	if w, ok := s.Pets.(interface{ Subscribe(func(ids []uint64)) }); ok {
		w.Subscribe(func(ids []uint64) {
			s.strip.saw(ids)
			if len(ids) > manyPets {
				ids = nil // any of them
			}
			s.publish("pets", ids)
		})
	}
}

func (s *Site) publish(kind string, data any) {
	if s.Stream == nil {
		return
	}
	if err := s.Stream.Publish(kind, data); err != nil {
		s.Log.Error("telling pages of a change", "kind", kind, "error", err)
	}
}
