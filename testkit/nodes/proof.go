package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// verify runs petsupply verify on the published figure, with the node.
func (v *service) verify(ctx context.Context) error {
	return v.runVerify(ctx, v.address()+"/evidence", "--rpc", fmt.Sprintf("%d=%s", v.town.id, v.town.url))
}

// proves fetches the evidence of a figure and its proof, stops the node, and runs petsupply verify
// without it.
func (v *service) proves(ctx context.Context) error {
	var evidence, proof string
	err := within(ctx, patience, func() (err error) { // a proof comes later than its figure
		evidence, proof, err = v.fetchProof()
		return err
	})
	v.town.node.stop()
	if err != nil {
		return err
	}
	return v.runVerify(ctx, evidence, proof)
}

// fetchProof saves evidence and proof of one snapshot as files. Everything that was read must be
// proven.
func (v *service) fetchProof() (evidence, proof string, err error) {
	body, err := get(v.address() + "/evidence")
	if err != nil {
		return "", "", err
	}
	var ev struct{ Snapshot string }
	if err := json.Unmarshal(body, &ev); err != nil {
		return "", "", err
	}
	proven, err := get(v.address() + "/proof?snapshot=" + ev.Snapshot)
	if err != nil {
		return "", "", err
	}
	var d struct{ Entries []struct{ Known string } }
	if err := json.Unmarshal(proven, &d); err != nil {
		return "", "", err
	}
	for _, e := range d.Entries {
		if e.Known != "proven" {
			return "", "", fmt.Errorf("an entry is %s, not proven", e.Known)
		}
	}
	evidence = filepath.Join(v.dir, "evidence.json")
	proof = filepath.Join(v.dir, "proof.json")
	if err := os.WriteFile(evidence, body, 0o600); err != nil {
		return "", "", err
	}
	return evidence, proof, os.WriteFile(proof, proven, 0o600)
}

func (v *service) runVerify(ctx context.Context, args ...string) error {
	out, err := exec.CommandContext(ctx, v.program, append([]string{"verify"}, args...)...).CombinedOutput()
	if err == nil && !strings.Contains(string(out), " 0 are false, 0 are not proven") {
		err = fmt.Errorf("verify does not report that everything is true and proven")
	}
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}
