package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// verify runs petsupply verify on the published figure, with the node.
func (v *service) verify(ctx context.Context) error {
	return v.runVerify(ctx, v.address()+"/evidence", "--rpc", fmt.Sprintf("%d=%s", v.town.id, v.town.url))
}

// proves stops the node, and runs petsupply verify on a figure with its proof.
func (v *service) proves(ctx context.Context) error {
	var figure struct{ Snapshot string }
	err := within(ctx, patience, func() error { // a proof comes later than its figure
		if err := getJSON(v.address(), &figure); err != nil {
			return err
		}
		return getJSON(v.address()+"/proof?snapshot="+figure.Snapshot, &struct{}{})
	})
	v.town.node.stop()
	if err != nil {
		return err
	}
	return v.runVerify(ctx, v.address()+"/evidence?snapshot="+figure.Snapshot)
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
