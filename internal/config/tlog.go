package config

import (
	"fmt"

	"filippo.io/torchwood"

	"petsupply/internal/supply/tlog"
)

// TLog configures the log of everything that is published.
type TLog struct {
	// The secret key: 32 random bytes in base64, as openssl rand -base64 32 prints them.
	// Default: with SQLite, a key that the first start makes in a file beside the store. With
	// PostgreSQL, there is no log without a key.
	Key string `yaml:"key,omitempty" secret:"true"`
	// Name of the log. Another name begins a new log. Default: the name of the log in the store.
	// In a new store it is supply_url without its scheme, followed by /log.
	Origin string `yaml:"origin,omitempty"`
	// Servers of other operators that also sign each checkpoint. A checkpoint is the signed head of
	// the log. The signatures of witnesses are served with it, and show that everyone sees the same
	// log.
	Witnesses []Witness `yaml:"witnesses,omitempty"`
}

// A Witness signs checkpoints of the log as long as the log only grows.
type Witness struct {
	// Its base address. The service posts to URL/add-checkpoint (C2SP tlog-witness).
	URL string `yaml:"url" jsonschema:"required" secret:"true"`
	// Its verifier key for cosignatures with Ed25519, NAME+HASH+KEY.
	Key string `yaml:"key" jsonschema:"required"`
}

// maxWitnesses bounds the signatures that are served with each checkpoint.
const maxWitnesses = 32

func (t *TLog) check(add addFault) {
	if t.Key != "" {
		if _, err := tlog.ParseKey(t.Key); err != nil {
			add("tlog.key", "%v", err)
		}
	}
	if t.Origin != "" {
		if err := tlog.CheckOrigin(t.Origin); err != nil {
			add("tlog.origin", "%v", err)
		}
	}
	if len(t.Witnesses) > maxWitnesses {
		add("tlog.witnesses", "lists more than %d witnesses", maxWitnesses)
	}
	names := map[string]bool{}
	for i, w := range t.Witnesses {
		path := fmt.Sprintf("tlog.witnesses[%d]", i)
		if siteFault(w.URL, "") != "" {
			add(path+".url", "want an address such as https://witness.example.org")
		}
		key, err := torchwood.NewCosignatureVerifier(w.Key)
		switch {
		case err != nil:
			add(path+".key", "want a witness's verifier key for cosignatures with Ed25519, NAME+HASH+KEY: %v", err)
		case names[key.Name()]:
			add(path+".key", "there is another witness named %s", key.Name())
		case key.Name() == t.Origin:
			add(path+".key", "a log cannot witness itself: this key has the same name as tlog.origin")
		default:
			names[key.Name()] = true
		}
	}
}
