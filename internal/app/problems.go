package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/supply"
)

// A problem is something that an operator should know about a service that still answers. One list
// of problems serves /readyz, the status page and the metrics.
type problem struct {
	kind string // one of problemKinds
	text string
}

// problemKinds lists the kinds of problems. They are the labels of a metric.
var problemKinds = []string{"store", "log", "figure", "held", "measuring", "reading", "index", "pets", "chain",
	"webhook"}

// problems returns the problems of the service. It returns within about a second.
func (v *Service) problems() []problem {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	var all []problem
	add := func(kind, format string, args ...any) {
		all = append(all, problem{kind: kind, text: fmt.Sprintf(format, args...)})
	}
	v.storeProblems(ctx, add)
	if v.keeper != nil {
		words, _ := v.keeper.Alarms()
		for _, text := range words {
			add("log", "%s", text)
		}
	}
	v.tokenProblems(add)
	if _, leading := v.leader.status(); leading {
		v.petProblems(ctx, add)
	}
	v.realmProblems(add)
	for _, name := range slices.Sorted(maps.Keys(v.Chains)) {
		c := v.Chains[name]
		healthy := 0
		for _, p := range c.Health() {
			if p.State == "ok" {
				healthy++
			}
		}
		if healthy < c.Quorum() {
			add("chain", "only %d of the %d providers that chain %s needs are healthy", healthy, c.Quorum(), name)
		}
	}
	if v.webhooks != nil {
		failing := v.webhooks.Failing()
		for _, name := range slices.Sorted(maps.Keys(failing)) {
			if d := failing[name]; d > time.Minute {
				add("webhook", "webhook %s has accepted no event for %s", name, d.Round(time.Second))
			}
		}
	}
	return all
}

// problemTexts returns the problems in words.
func problemTexts(list []problem) []string {
	var out []string
	for _, p := range list {
		out = append(out, p.text)
	}
	return out
}

// adder adds a problem to a list.
type adder = func(kind, format string, args ...any)

// storeProblems adds the problems of the store.
func (v *Service) storeProblems(ctx context.Context, add adder) {
	if text := v.leader.fault.Load(); text != nil {
		add("store", "%s", *text)
	}
	if err := v.Store.CheckFile(); err != nil {
		add("store", "%v", err)
	}
	if why := v.Store.WhyNotListed(ctx); why != "" {
		add("reading", "%s; until this is done, listings of pets with conditions answer 503", why)
	}
}

// tokenProblems adds the problems of figures.
func (v *Service) tokenProblems(add adder) {
	for _, s := range v.Board.Now().States {
		token := s.Token.Path
		switch s.Status {
		case supply.Stale, supply.Unavailable:
			add("figure", "%s is %s", token, s.Status)
		case supply.Withdrawn:
			add("figure", "%s is withdrawn: %s", token, s.Correction.Reason)
		}
		if f := s.Failed; f != nil {
			add("measuring", "measurements of %s have failed since %s: %s",
				token, f.Since.Format(time.RFC3339), f.Reason)
		}
		if h := s.Hold; h != nil {
			add("held", "%s has been held since %s: total %s and circulating %s are not published: %s; "+
				"if they are right: petsupply release %s --reason WHY", token, h.Since.Format(time.RFC3339),
				h.Candidate.Total, h.Candidate.Circulating, h.Reason, token)
		}
	}
}

// realmProblems adds the problems of reading realms. Only the leader reads them, so only it knows.
func (v *Service) realmProblems(add adder) {
	if _, leading := v.leader.status(); !leading {
		return
	}
	for _, x := range v.indexers {
		p := x.Progress()
		if p.Phase != "" && !p.Following() {
			add("reading", "realm %s is still being read, %.0f %%", p.Realm, p.Share)
		}
		if fault := p.Misfit(); fault != nil {
			add("index", "realm %s: its contract does not fit the collection: %v", p.Realm, fault)
		}
		if d, why, still := p.StandsStill(); still {
			add("index", "realm %s makes no progress: its pets have not been followed for %s, since block %d: %s",
				p.Realm, d.Round(time.Second), p.Block, why)
		}
	}
}

// petProblems adds what is odd about the stored pets.
func (v *Service) petProblems(ctx context.Context, add adder) {
	for _, text := range v.strayPets(ctx) {
		add("pets", "%s", text)
	}
	if v.barren(ctx) {
		add("pets", "no %s were found: none exist yet, or a realm does not match its contract; "+
			"petsupply config check --online says which", v.Settings.Registry().Collection.Many)
	}
}

// barren reports whether all realms that are not closed were read, but the store has no pet.
func (v *Service) barren(ctx context.Context) bool {
	if len(v.indexers) == 0 {
		return false
	}
	for _, x := range v.indexers {
		if p := x.Progress(); !p.Following() || p.Head == 0 {
			return false
		}
	}
	census, err := v.Pets.Census(ctx)
	if err != nil {
		return false
	}
	n, known := census.Count(pet.Query{})
	return known && n == 0
}
