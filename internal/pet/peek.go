package pet

// Peek returns the pet if it is in memory, and never waits.
func (h *Herd) Peek(id uint64) (Pet, bool) { return h.remembered(id) }
