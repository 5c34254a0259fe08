package tlog

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
)

// maxPolicy limits the text of a policy in bytes.
const maxPolicy = 64 << 10

// lastTime is the end of the year 9999 in Unix seconds. JSON cannot have later times.
const lastTime = 253_402_300_799

// A Policy says which witnesses must sign a checkpoint.
type Policy struct{ policy torchwood.Policy }

// A Cosignature says that a witness saw a head of a log, and that the log was append-only until
// then.
type Cosignature struct {
	Witness string    `json:"witness"`
	Time    time.Time `json:"time"` // by the clock of the witness
}

// ParsePolicy reads a policy in torchwood's format, or the verifier key of the one witness that
// must sign.
func ParsePolicy(text string) (*Policy, error) {
	if len(text) > maxPolicy {
		return nil, fmt.Errorf("the witness policy has more than %d bytes", maxPolicy)
	}
	if key := strings.TrimSpace(text); len(strings.Fields(key)) == 1 {
		text = "witness it " + key + "\nquorum it\n"
	}
	p, err := torchwood.ParsePolicy([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("not a witness policy: %w", err)
	}
	if err := checkPolicy(p, text); err != nil {
		return nil, fmt.Errorf("not a witness policy: %w", err)
	}
	return &Policy{p}, nil
}

// checkPolicy rejects policies that torchwood accepts but no checkpoint can meet: with two logs, or
// with one witness in two places.
func checkPolicy(p torchwood.Policy, text string) error {
	logs := 0
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		switch fields := strings.Fields(line); {
		case len(fields) > 1 && fields[0] == "log":
			if logs++; logs > 1 {
				return errors.New("it names two logs, but one checkpoint belongs to one log")
			}
		case len(fields) > 2 && fields[0] == "witness":
			v, err := torchwood.NewCosignatureVerifier(fields[2])
			if err != nil {
				return err
			}
			_, err = p.Verifier(v.Name(), v.KeyHash())
			if _, unused := errors.AsType[*note.UnknownVerifierError](err); err != nil && !unused {
				return fmt.Errorf("the witness %s is in two places; it can be in only one group, and only once",
					fields[1])
			}
		}
	}
	return nil
}

// Check returns the witnesses of the policy that signed a checkpoint. ErrFew means that there are
// too few. Signatures for whose times isRecent is false do not count. isRecent may be nil.
func (p *Policy) Check(signed []byte, isRecent func(time.Time) bool) ([]Cosignature, error) {
	c, known, err := signatures(signed, p.policy)
	if err != nil {
		return nil, err
	}
	list := []Cosignature{}
	names := []string{}
	counted := []note.Signature{}
	for _, s := range known {
		v, err := p.policy.Verifier(s.Name, s.Hash)
		if err != nil {
			return list, err
		}
		if _, witness := v.(*torchwood.CosignatureVerifier); !witness {
			counted = append(counted, s) // the log's own signature
			continue
		}
		at, err := torchwood.CosignatureTimestamp(s)
		if err == nil && s.Name == c.Origin {
			err = errItself
		}
		if err != nil {
			return list, fmt.Errorf("%s: %w", s.Name, err)
		}
		if at > lastTime {
			continue // not an error, because one dishonest witness must not make an honest log fail
		}
		w := Cosignature{Witness: s.Name, Time: time.Unix(at, 0).UTC()}
		name := s.Name
		if isRecent == nil || isRecent(w.Time) {
			counted = append(counted, s)
		} else {
			name += " at " + w.Time.Format(time.RFC3339) + ", which is not recent"
		}
		list = append(list, w)
		names = append(names, name)
	}
	if err := p.policy.Check(c.Origin, counted); err != nil {
		return list, fmt.Errorf("%w: %d of its witnesses signed this head [%s]; %w", ErrFew, len(list),
			strings.Join(names, ", "), err)
	}
	return list, nil
}

// ErrFew means that more witnesses must sign.
var ErrFew = errors.New("the witness policy is not met")
