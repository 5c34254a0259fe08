//go:build soak

package main

import (
	"strings"
	"testing"
)

// Every benchmark works.
func TestQuick(t *testing.T) {
	var out, errs strings.Builder
	if code := run(t.Context(), []string{"-quick"}, &out, &errs); code != 0 {
		t.Errorf("it ended with %d: %s\n%s", code, &errs, &out)
	}
}
