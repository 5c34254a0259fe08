package main

import (
	"os/exec"
	"strings"
	"testing"

	"petsupply/internal/supply"
	"petsupply/testkit/liar"
	"petsupply/testkit/process"
)

// docs/FORMATS.md is enough to write a verifier. A verifier in JavaScript, written only from that
// page, accepts the demo's log, and refuses it if a byte is changed.
func TestAVerifierInAnotherLanguage(t *testing.T) {
	process.SkipShort(t)
	r := start(t, "--data", t.TempDir())
	verify := func(address string) (string, error) {
		verify := exec.CommandContext(t.Context(), "node", "../../testkit/verifier/verify.mjs", address)
		out, err := verify.CombinedOutput()
		return string(out), err
	}
	if out, err := verify(r.supply); err != nil || strings.Count(out, " holds: ") != 3 {
		t.Fatalf("%v\n%s", err, out)
	}
	_, _, key := fetch(t, r.supply+"/log/key")
	address := strings.Split(string(key), "+")[1]
	size := logSize(t, r.supply)
	last := func(body []byte) []byte { body[len(body)-3] ^= 1; return body }
	for name, at := range map[string]string{
		"a leaf":        "/log/" + address + "/tile/entries/000.p/" + size,
		"a hash":        "/log/" + address + "/tile/0/000.p/" + size,
		"the signature": "/log/checkpoint", "the key": "/log/key", "evidence": "/jewel/evidence",
		"a figure": "/jade/totalsupply", "a document": "/jade",
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := verify(liar.Start(t, r.supply, &liar.Lie{At: at, Alter: last})); err == nil {
				t.Errorf("it holds\n%s", out)
			}
		})
	}
}

// A file's name need not be a valid URL.
func TestVerifyOfAFileWithAnOddName(t *testing.T) {
	for _, name := range []string{"12:00.json", "a%zz.json"} {
		c := verifyCmd{Evidence: name}
		if _, err := c.proofAddress(&supply.Evidence{}); err == nil {
			t.Errorf("the proof of %s was found", name)
		}
	}
}
