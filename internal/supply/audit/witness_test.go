package audit

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// witness signs the head of the service's log with an independent program, and returns its key.
func (s *service) witness(t *testing.T, name string) *torchwood.CosignatureVerifier {
	t.Helper()
	signer, err := torchwood.NewCosignatureSigner(name, ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32)))
	if err != nil {
		t.Fatal(err)
	}
	if s.signed == nil {
		s.signed = s.checkpoint(t)
	}
	text, _, _ := strings.Cut(string(s.signed), "\n\n")
	cosigned, err := note.Sign(&note.Note{Text: text + "\n"}, signer)
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(cosigned), "\n\n")
	s.signed = append(s.signed, line...)
	key, err := torchwood.NewCosignatureVerifier(signer.Verifier().String())
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func TestWitnessesAreCounted(t *testing.T) {
	t.Parallel()
	other := honest(t, 3).witness(t, "example.net/other").String() // this witness did not sign
	stranger, _ := tlog.NewKey([32]byte{9}).Verifier("example.net/log")
	for name, row := range map[string]struct {
		policy string // policy with the witnesses one and two, which signed, and other
		forge  func([]byte) []byte
		signed int
		want   string // "": the audit holds
	}{
		"none is wanted": {},
		"one by its key": {policy: "one", signed: 1},
		"the other": {policy: "other",
			want: "witnesses: the witness policy is not met: 0 of its witnesses signed this head []"},
		"both":         {policy: "witness 1 one\nwitness 2 two\ngroup all all 1 2\nquorum all\n", signed: 2},
		"two of three": {policy: "witness 1 one\nwitness 2 two\nwitness 3 other\ngroup g 2 1 2 3\nquorum g\n", signed: 2},
		"one is missing": {policy: "witness 1 one\nwitness 3 other\ngroup g all 1 3\nquorum g\n",
			want: "1 of its witnesses signed this head [example.org/one]; only 1/2"},
		"another log": {policy: "log " + stranger + "\nwitness 1 one\nquorum 1\n", want: "is not met"},
		"a forged one": {policy: "witness 1 one\nwitness 2 two\ngroup any any 1 2\nquorum any\n",
			want: "witnesses: cosignatures of the checkpoint", forge: func(signed []byte) []byte {
				at := len(signed) - 12 // stays base64
				if signed[at] == 'B' {
					signed[at] = 'C'
				} else {
					signed[at] = 'B'
				}
				return signed
			}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := honest(t, 3)
			keys := strings.NewReplacer("one", s.witness(t, "example.org/one").String(), "two",
				s.witness(t, "example.org/two").String(), "other", other)
			s.policy = keys.Replace(row.policy)
			if row.forge != nil {
				s.signed = row.forge(s.signed)
			}
			r, err := s.run(t, nil)
			switch {
			case row.want != "":
				if err == nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("%v, want %s", err, row.want)
				}
			case err != nil || r.OtherSignatures != 2-row.signed || len(r.Cosigned) != row.signed:
				t.Errorf("the report is %+v, %v", r, err)
			case row.signed > 0 &&
				(r.Cosigned[0].Witness != "example.org/one" || time.Since(r.Cosigned[0].Time).Abs() > time.Minute):
				t.Errorf("the cosignature is %+v", r.Cosigned[0])
			}
		})
	}
}

// A forged signature of a witness is found wherever a head is served.
func TestAForgedWitnessOfAnotherHead(t *testing.T) {
	s := honest(t, 3)
	s.policy = s.witness(t, "example.org/one").String()
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	at := bytes.LastIndex(s.signed, []byte("— "))
	forged := strings.Replace(string(s.signed[at:]), string(s.signed[len(s.signed)-12:]), "AAAAAAAAAAA\n", 1)
	ev := *s.proofs[0]
	ev.Inclusion += forged
	for path, lie := range map[string]string{"/jewel/evidence": string(tlog.Encode(ev)),
		"/log/" + s.address() + "/checkpoint": string(s.signed[:at]) + forged} {
		s.answer = map[string]string{path: lie}
		if _, err := s.run(t, nil); err == nil || !strings.Contains(err.Error(), "cosignatures of the checkpoint") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Signatures by unknown keys are counted in every head, even if a witness signed another head.
func TestSignaturesByUnknownKeys(t *testing.T) {
	s := honest(t, 3)
	s.policy = s.witness(t, "example.org/one").String()
	s.handler(t) // makes the inclusion
	ev := *s.proofs[0]
	ev.Inclusion += "— example.net/auditor AAAAAAAA\n"
	s.answer["/jewel/evidence"] = string(tlog.Encode(ev))
	if r, err := s.run(t, nil); err != nil || r.OtherSignatures != 1 || len(r.Cosigned) != 1 {
		t.Errorf("%v, signatures of others: %d, of witnesses: %v", err, r.OtherSignatures, r.Cosigned)
	}
}

// A forged signature of a witness is found on the head of an earlier log too. Signatures by unknown
// keys are counted there.
func TestSignaturesOfAnEarlierHead(t *testing.T) {
	for line, want := range map[string]string{
		"— example.net/auditor AAAAAAAA\n": "<nil>, 1",
		"— example.org/one KEY":            "cosignatures of the checkpoint",
	} {
		s, before := successor(t, 8)
		key := s.witness(t, "example.org/one").String()
		s.policy = key
		s.answer["/log/"+before.address()+"/checkpoint"] = string(before.checkpoint(t)) +
			strings.Replace(line, "KEY", forged(t, key), 1)
		r, err := s.run(t, nil)
		if got := fmt.Sprintf("%v, %d", err, r.OtherSignatures); !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// A witness may sign with any time. A report with a time that JSON cannot have could not be printed,
// so such a signature does not count. The other witnesses of the policy still do.
func TestAWitnessWithAnImpossibleTime(t *testing.T) {
	s := honest(t, 3)
	one := s.witnessAt(t, "example.org/one", time.Unix(253_402_300_800, 0)) // the first second of the year 10000
	two := s.witness(t, "example.org/two").String()
	for quorum, holds := range map[string]bool{"any": true, "all": false} {
		s.policy = "witness 1 " + one + "\nwitness 2 " + two + "\ngroup g " + quorum + " 1 2\nquorum g\n"
		r, err := s.run(t, nil)
		if (err == nil) != holds || len(r.Cosigned) != 1 || r.Cosigned[0].Witness != "example.org/two" {
			t.Errorf("%s of both: %v, signed by %v", quorum, err, r.Cosigned)
		}
	}
}

// witnessAt signs like witness, at another time.
func (s *service) witnessAt(t *testing.T, name string, at time.Time) (key string) {
	t.Helper()
	key = s.witness(t, name).String()
	text, _, _ := strings.Cut(string(s.signed), "\n\n")
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s\n", at.Unix(), text)
	signature := ed25519.Sign(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, 32)), []byte(message))
	hash, _ := hex.DecodeString(strings.Split(key, "+")[1])
	line := slices.Concat(hash, binary.BigEndian.AppendUint64(nil, uint64(at.Unix())), signature)
	s.signed = append(s.signed[:bytes.LastIndex(s.signed, []byte("— "))],
		"— "+name+" "+base64.StdEncoding.EncodeToString(line)+"\n"...)
	return key
}

// With a maximum age, the witnesses that the policy needs must have signed recently. The signature
// of one of them is not enough.
func TestOldSignaturesDoNotCount(t *testing.T) {
	for name, row := range map[string]struct {
		two    time.Duration // when the second witness signed
		quorum string
		holds  bool
	}{
		"both are recent":               {time.Hour, "all", true},
		"one is old, and not needed":    {-9 * time.Hour, "any", true},
		"one is old":                    {-9 * time.Hour, "all", false},
		"one is from the future":        {9 * time.Hour, "all", false},
		"so, and it is not needed":      {9 * time.Hour, "any", true},
		"one is slightly in the future": {2*time.Hour + time.Minute, "all", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := honest(t, 3)
			s.now, s.maxAge = demo.Start.Add(2*time.Hour), 3*time.Hour
			one := s.witnessAt(t, "example.org/one", s.now)
			two := s.witnessAt(t, "example.org/two", demo.Start.Add(row.two))
			s.policy = "witness 1 " + one + "\nwitness 2 " + two + "\ngroup g " + row.quorum + " 1 2\nquorum g\n"
			r, err := s.run(t, nil)
			if (err == nil) != row.holds || !row.holds && !strings.Contains(err.Error(), "which is not recent") ||
				len(r.Cosigned) != 2 {
				t.Errorf("%v, signed by %v", err, r.Cosigned)
			}
		})
	}
}

// An inclusion in evidence has the cosignatures of its head. A witness that did not sign is
// reported as missing.
func TestVerifyWantsTheWitnessesOfAPolicy(t *testing.T) {
	s := honest(t, 3)
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	ev := *s.proofs[0]
	signer := s.witness(t, "example.org/one").String()
	_, line, _ := strings.Cut(string(s.signed), "— example.org/one ")
	key, _ := s.key.Verifier(origin)
	for name, row := range map[string]struct {
		policy    string
		inclusion string
		want      supply.Outcome
		words     string
	}{
		"it signed":  {signer, ev.Inclusion + "— example.org/one " + line, supply.Holds, `signed by "example.org/one"`},
		"it did not": {signer, ev.Inclusion, supply.Unproven, "not met"}, // it may sign a moment later
		"another signed": {honest(t, 3).witness(t, "example.net/other").String(),
			ev.Inclusion + "— example.org/one " + line, supply.Unproven, "not met"},
		"others signed too": {signer, ev.Inclusion + "— example.org/one " + line +
			"— x.example AAAAAAAA\n— y.example AAAAAAAA\n", supply.Holds, "were not checked: 2"},
		"no inclusion yet": {signer, "", supply.Unproven, "no proof"},
		"a forged one":     {signer, ev.Inclusion + "— example.org/one A" + line, supply.False, "malformed"},
		"nobody is wanted": {"quorum none", ev.Inclusion, supply.Holds, "needs no witness"},
	} {
		t.Run(name, func(t *testing.T) {
			policy, err := tlog.ParsePolicy(row.policy)
			if err != nil {
				t.Fatal(err)
			}
			shown := ev
			shown.Inclusion = row.inclusion
			if name == "others signed too" {
				v := supply.Verify(t.Context(), &shown, supply.Against{Key: key})
				if last := v[len(v)-1]; last.Outcome != supply.Holds || !strings.Contains(last.Detail, "were not checked: 3") {
					t.Errorf("without a policy, the last finding is %+v", last)
				}
			}
			v := supply.Verify(t.Context(), &shown, supply.Against{Key: key, Witnesses: policy})
			if last := v[len(v)-1]; last.Outcome != row.want || !strings.Contains(last.Detail, row.words) {
				t.Errorf("the last finding is %+v", last)
			}
		})
	}
}

// The snapshots from before a new log are in an earlier log, which may have another key. That is no
// lie: with the new key it is only not proven that a log has them.
func TestVerifyOfASnapshotInAnEarlierLog(t *testing.T) {
	s := honest(t, 3)
	if _, err := s.run(t, nil); err != nil {
		t.Fatal(err)
	}
	key, err := tlog.NewKey([32]byte{9}).Verifier(origin)
	if err != nil {
		t.Fatal(err)
	}
	own := s.proofs[0].Inclusion
	_, signature, _ := strings.Cut(own, "— "+origin+" ")
	for name, row := range map[string]struct {
		inclusion string
		want      supply.Outcome
	}{
		"whole":           {own, supply.Unproven},
		"another leaf":    {strings.Replace(own, "index ", "index 1", 1), supply.False},
		"no inclusion":    {"x" + own, supply.False},
		"a forged signer": {strings.Replace(own, signature, forged(t, key), 1), supply.False},
	} {
		shown := *s.proofs[0]
		shown.Inclusion = row.inclusion
		v := supply.Verify(t.Context(), &shown, supply.Against{Key: key})
		if last := v[len(v)-1]; last.What != "log" || last.Outcome != row.want {
			t.Errorf("%s: the last finding is %+v", name, last)
		}
	}
}

// forged returns a signature in the name of a key that did not sign.
func forged(t *testing.T, key string) string {
	t.Helper()
	hash, err := hex.DecodeString(tlog.Address(key))
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(append(hash, make([]byte, 64)...)) + "\n"
}

// No served figure rests on a decision after the head that was read: witnesses have not signed it, and
// no checkpoint keeps it.
func TestAnUndoneCorrectionThatNoWitnessSaw(t *testing.T) {
	s := withdrawn(t)
	policy, err := tlog.ParsePolicy(s.witness(t, "example.org/one").String())
	if err != nil {
		t.Fatal(err)
	}
	honestly := s.handler(t)
	undone := *s
	undone.answer, undone.signed, undone.proofs = nil, nil, []*supply.Evidence{new(*s.proofs[0])}
	undone.proofs[0].Correction = nil
	undone.leaves = append(slices.Clone(s.leaves), decided(supply.UndoCorrect, s.proofs[0].Snapshot))
	falsely := undone.handler(t)
	undone.proofs[0].Inclusion = s.proofs[0].Inclusion
	heads := 0
	r, err := Run(t.Context(), Config{URL: "http://service.test", Witnesses: policy, Client: &http.Client{Transport: roundTrip(
		func(q *http.Request) (*http.Response, error) {
			w := httptest.NewRecorder()
			isHead, isLog := q.URL.Path == s.head(), strings.HasPrefix(q.URL.Path, "/log/")
			if isHead {
				heads++
			}
			if isHead && heads%2 == 1 || !isLog && heads == 1 { // the later head is shown only to compare it
				honestly.ServeHTTP(w, q)
			} else {
				falsely.ServeHTTP(w, q)
			}
			return w.Result(), nil
		})}})
	if err == nil {
		t.Errorf("%q are served, but are wrong in the log with %d leaves that witnesses signed: %v, %q", r.Served, r.Size,
			r.Cosigned, r.Retried)
	}
}
