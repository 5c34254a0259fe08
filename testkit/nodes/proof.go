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
func (v *service) verify(ctx context.Context, t *town) error {
	return v.runVerify(ctx, v.address(t)+"/evidence", "--rpc", fmt.Sprintf("%d=%s", t.id, t.url))
}

// proves fetches the evidence of a figure and its proof, stops the node, and runs petsupply verify
// without it.
func (v *service) proves(ctx context.Context, t *town) error {
	var evidence, proof string
	err := within(ctx, patience, func() (err error) { // a proof comes later than its figure
		evidence, proof, err = v.fetchProof(t)
		return err
	})
	t.node.stop()
	if err != nil {
		return err
	}
	return v.runVerify(ctx, evidence, proof)
}

func (v *service) address(t *town) string { return "http://" + v.listen + "/supply/" + t.name }

// fetchProof saves evidence and proof of one snapshot as files. Everything that was read must be
// proven.
func (v *service) fetchProof(t *town) (evidence, proof string, err error) {
	body, err := get(v.address(t) + "/evidence")
	if err != nil {
		return "", "", err
	}
	var ev struct{ Snapshot string }
	if err := json.Unmarshal(body, &ev); err != nil {
		return "", "", err
	}
	proven, err := get(v.address(t) + "/proof?snapshot=" + ev.Snapshot)
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
	evidence, proof = filepath.Join(v.dir, "evidence.json"), filepath.Join(v.dir, "proof.json")
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
