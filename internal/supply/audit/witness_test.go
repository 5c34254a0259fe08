package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// witness returns the key of a witness, and the line with its signature of a checkpoint at a time.
func witness(t *testing.T, checkpoint []byte, name string, at time.Time) (key, line string) {
	t.Helper()
	secret := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32))
	signer, err := torchwood.NewCosignatureSigner(name, secret)
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(checkpoint), "\n\n")
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s\n", at.Unix(), text)
	signed := binary.BigEndian.AppendUint32(nil, signer.KeyHash())
	signed = binary.BigEndian.AppendUint64(signed, uint64(at.Unix()))
	signed = append(signed, ed25519.Sign(secret, []byte(message))...)
	return signer.Verifier().String(), "— " + name + " " + base64.StdEncoding.EncodeToString(signed) + "\n"
}

// wants makes an audit require the witnesses of a policy.
func wants(t *testing.T, policy string) func(*Config) {
	t.Helper()
	p, err := tlog.ParsePolicy(policy)
	if err != nil {
		t.Fatal(err)
	}
	return func(c *Config) { c.Witnesses = p }
}

// Enough witnesses of a policy must have signed the head.
func TestWitnessesAreCounted(t *testing.T) {
	for name, row := range map[string]struct {
		policy string // policy with the witnesses one and two, which signed, and other
		forged bool
		signed int
		want   string // "": the audit holds
	}{
		"one by its key": {policy: "one", signed: 1},
		"the other":      {policy: "other", want: "0 of its witnesses signed this head []"},
		"both":           {policy: "witness 1 one\nwitness 2 two\ngroup all all 1 2\nquorum all\n", signed: 2},
		"two of three": {policy: "witness 1 one\nwitness 2 two\nwitness 3 other\ngroup g 2 1 2 3\nquorum g\n",
			signed: 2},
		"one is missing": {policy: "witness 1 one\nwitness 3 other\ngroup g all 1 3\nquorum g\n", want: "only 1/2"},
		"a forged one": {policy: "witness 1 one\nwitness 2 two\ngroup any any 1 2\nquorum any\n", forged: true,
			want: "signatures of the checkpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t)
			head := s.checkpoint()
			one, first := witness(t, head, "example.org/one", demo.Start)
			two, second := witness(t, head, "example.org/two", demo.Start)
			other, _ := witness(t, head, "example.net/other", demo.Start)
			if row.forged {
				at := len(second) - 12 // stays base64
				letter := "B"
				if second[at] == 'B' {
					letter = "C"
				}
				second = second[:at] + letter + second[at+1:]
			}
			s.cosign = func(signed []byte) []byte { return append(signed, first+second...) }
			policy := strings.NewReplacer("one", one, "two", two, "other", other).Replace(row.policy)
			r, err := once(t, s, wants(t, policy))
			if row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want)) ||
				row.want == "" && (err != nil || len(r.Cosigned) != row.signed) {
				t.Errorf("%v, want %q; signed by %v", err, row.want, r.Cosigned)
			}
		})
	}
}

// A witness signs a head a moment after the log.
func TestAWitnessMaySignLater(t *testing.T) {
	s := honest(t)
	key, line := witness(t, s.checkpoint(), "example.org/one", demo.Start)
	signed := s.clone()
	signed.cosign = func(checkpoint []byte) []byte { return append(checkpoint, line...) }
	w := &world{states: []state{{0, s}, {time.Hour + 5*time.Second, signed}}}
	if r, err := w.audit(t, time.Hour, wants(t, key)); err != nil || len(r.Cosigned) != 1 {
		t.Errorf("%v; signed by %v", err, r.Cosigned)
	}
}

// With a maximum age, signatures that are older or from the future do not count.
func TestOldSignaturesDoNotCount(t *testing.T) {
	for name, row := range map[string]struct {
		signed time.Duration // before the audit
		holds  bool
	}{"recent": {time.Hour, true}, "old": {9 * time.Hour, false}, "from the future": {-9 * time.Hour, false},
		"slightly in the future": {-time.Minute, true}} {
		t.Run(name, func(t *testing.T) {
			s := honest(t)
			key, line := witness(t, s.checkpoint(), "example.org/one", demo.Start.Add(2*time.Hour-row.signed))
			s.cosign = func(signed []byte) []byte { return append(signed, line...) }
			w := &world{states: []state{{0, s}}}
			_, err := w.audit(t, 2*time.Hour, wants(t, key), func(c *Config) { c.MaxAge = 3 * time.Hour })
			if (err == nil) != row.holds {
				t.Error(err)
			}
		})
	}
}

// An inclusion in evidence has the cosignatures of its head. A witness that did not sign is
// reported as missing.
func TestVerifyWantsTheWitnessesOfAPolicy(t *testing.T) {
	s := honest(t)
	ev := *s.past[s.newest()]
	ev.Inclusion = s.include(s.newest())
	signer, line := witness(t, s.checkpoint(), "example.org/one", demo.Start)
	line = strings.TrimPrefix(line, "— example.org/one ")
	other, _ := witness(t, s.checkpoint(), "example.net/other", demo.Start)
	key, _ := s.key.Verifier(origin)
	for name, row := range map[string]struct {
		policy    string
		inclusion string
		want      supply.Outcome
		words     string // in the last finding
	}{
		"it signed":  {signer, ev.Inclusion + "— example.org/one " + line, supply.Holds, `signed by "example.org/one"`},
		"it did not": {signer, ev.Inclusion, supply.Unproven, "not met"}, // it may sign a moment later
		"another signed": {other,
			ev.Inclusion + "— example.org/one " + line, supply.Unproven, "not met"},
		"others signed too": {signer, ev.Inclusion + "— example.org/one " + line +
			"— x.example AAAAAAAA\n— y.example AAAAAAAA\n", supply.Holds, `signed by "example.org/one"`},
		"without a policy": {"", ev.Inclusion + "— example.org/one " + line, supply.Holds, "leaf 2 of 3"},
		"no inclusion yet": {signer, "", supply.Unproven, "no proof"},
		"a forged one":     {signer, ev.Inclusion + "— example.org/one A" + line, supply.False, "malformed"},
		"nobody is wanted": {"quorum none", ev.Inclusion, supply.Holds, "needs no witness"},
	} {
		t.Run(name, func(t *testing.T) {
			var cfg Config
			if row.policy != "" {
				wants(t, row.policy)(&cfg)
			}
			if last := lastFinding(t, ev, row.inclusion, key, cfg.Witnesses); last.Outcome != row.want ||
				!strings.Contains(last.Detail, row.words) {
				t.Errorf("the last finding is %+v", last)
			}
		})
	}

	// A snapshot may be in an earlier log, which has another key. That is no lie: with the new key it is
	// only not proven that a log has it.
	next, err := tlog.NewKey([32]byte{9}).Verifier(origin)
	if err != nil {
		t.Fatal(err)
	}
	hash, err := hex.DecodeString(tlog.Address(next))
	if err != nil {
		t.Fatal(err)
	}
	_, signature, _ := strings.Cut(ev.Inclusion, "— "+origin+" ")
	forged := base64.StdEncoding.EncodeToString(append(hash, make([]byte, 64)...)) + "\n"
	for inclusion, want := range map[string]supply.Outcome{
		ev.Inclusion: supply.Unproven,
		strings.Replace(ev.Inclusion, "index ", "index 1", 1): supply.False,
		"x" + ev.Inclusion: supply.False,
		strings.Replace(ev.Inclusion, signature, forged, 1): supply.False,
	} {
		if last := lastFinding(t, ev, inclusion, next, nil); last.What != "log" || last.Outcome != want {
			t.Errorf("%s: the last finding is %+v", inclusion, last)
		}
	}
}

func lastFinding(t *testing.T, ev supply.Evidence, inclusion, key string, witnesses *tlog.Policy) supply.Finding {
	t.Helper()
	ev.Inclusion = inclusion
	v := supply.Verify(t.Context(), &ev, supply.Against{Key: key, Witnesses: witnesses})
	return v[len(v)-1]
}

// A hostile log or service costs an audit little memory: it gives up.
func TestAHostileLogIsGivenUp(t *testing.T) {
	s := honest(t)
	for i := range maxKept {
		leaf := tlog.LedgerVersion{Token: fmt.Sprintf("t%d", i), Ledger: strings.Repeat("a", 64),
			Since: demo.Start}.Leaf()
		s.leaves = append(s.leaves, leaf)
	}
	if _, err := once(t, s); err == nil || !strings.Contains(err.Error(), errTooMuch.Error()) ||
		errors.As(err, new(*Fault)) {
		t.Errorf("very many tokens: %v", err)
	}
	for target, body := range map[string]string{"/": "[" + strings.Repeat(" ", maxList) + "]",
		"/log/key":        strings.Repeat("x", 2000),
		"/jewel/evidence": strings.Repeat("{", maxDocument+1), "/jewel/totalsupply": strings.Repeat("1", 2000)} {
		s := honest(t)
		s.answer[target] = body
		if _, err := once(t, s); !errors.As(err, new(*Fault)) || !strings.Contains(err.Error(), "longer than") {
			t.Errorf("a long answer at %s: %.300v", target, err)
		}
	}
	s = honest(t)
	s.answer["/jewel/totalsupply"] = "status 500"
	if _, err := once(t, s); err == nil || errors.As(err, new(*Fault)) {
		t.Errorf("a service that fails is accused: %v", err)
	}
	s.answer = map[string]string{"/log/key": "status 404"}
	if _, err := once(t, s); err == nil || errors.As(err, new(*Fault)) ||
		!strings.Contains(err.Error(), "there is no log") {
		t.Errorf("a service without a log: %v", err)
	}
	key, _ := s.key.Verifier(origin)
	if _, err := once(t, s, func(c *Config) { c.Key = key }); !errors.As(err, new(*Fault)) {
		t.Errorf("a service hides a log whose key is known: %v", err)
	}
}
