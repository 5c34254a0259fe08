package site

import (
	"net/http"
	"time"

	"petsupply/internal/supply"
)

// A Status is how the service is doing, in words fit for the public: providers
// have names here, never addresses.
type Status struct {
	Version string
	Started time.Time
	Leader  string // "" where there is only one instance, or nobody leads
	Leading bool   // this instance does
	Store   string // the engine
	Chains  []ChainStatus
	Realms  []RealmStatus
}

// A ChainStatus is one chain and its providers.
type ChainStatus struct {
	Name      string
	ID        uint64
	Quorum    int
	Providers []ProviderStatus
}

// A ProviderStatus is one node that is asked.
type ProviderStatus struct {
	Name          string
	State         string
	Height        uint64
	Seen          time.Time // of that block
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	Trouble       string
}

// A RealmStatus is how far the pets of a realm are known.
type RealmStatus struct {
	Name   string
	Closed bool
	Phase  string
	Pets   uint64
	Block  uint64
	At     time.Time
	Share  float64 // of a bootstrap, 0 to 100
	Left   time.Duration
	Drift  uint64
}

type statusPage struct {
	Status
	States []supply.State
	Now    time.Time
}

func (s *Site) status(*http.Request) (*view, error) {
	d := statusPage{States: s.Board.Now().States, Now: time.Now().UTC()}
	if s.Status != nil {
		d.Status = s.Status()
	}
	return &view{page: "status", title: "Status", section: "status", data: d}, nil
}

// api explains the interfaces and shows the viewer.
func (s *Site) api(*http.Request) (*view, error) {
	return &view{page: "api", title: "API", section: "api", data: map[string]string{
		"Supply": s.SupplyURL, "Pets": s.PetsURL, "Site": s.SiteURL, "Spec": s.SiteURL + "/openapi.yaml",
	}}, nil
}
