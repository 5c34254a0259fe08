package main

import (
	"os"
	"strings"
	"testing"
)

// TestDeploymentsKeepTheirData: in the example deployments /data outlives the container, and every
// location of the proxy passes on its caller's address.
func TestDeploymentsKeepTheirData(t *testing.T) {
	read := func(file string) string {
		text, err := os.ReadFile("../../" + file)
		must(t, err)
		return string(text)
	}
	if text := read("deploy/kubernetes/petsupply.yaml"); strings.Contains(text, "emptyDir") ||
		!strings.Contains(text, "volumeClaimTemplates:\n    - metadata: {name: data}") {
		t.Error("Kubernetes: /data ends with the pod")
	}
	text := read("compose.yaml")
	for _, instance := range []string{"one", "two"} {
		if !strings.Contains(text, instance+":/data") || !strings.Contains(text, "\n  "+instance+":\n") {
			t.Errorf("compose: %s has no volume for /data", instance)
		}
	}
	proxy := read("deploy/nginx.conf")
	passes := strings.Count(proxy, "proxy_pass ")
	named := strings.Count(proxy, "X-Forwarded-For $remote_addr;")
	if passes != named {
		t.Errorf("nginx: %d of %d locations set X-Forwarded-For", named, passes)
	}
}
