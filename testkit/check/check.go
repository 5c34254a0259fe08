// Package check has what tests of several rooms need.
package check

import (
	"testing"
	"time"
)

// Patience is how long a test waits if nothing else limits the time, because machines may be busy.
const Patience = 3 * time.Minute

// Await waits until ok returns true, and returns how long that took. After Patience it fails the
// test, which says what it waited for.
func Await(t testing.TB, what string, ok func() bool) time.Duration {
	t.Helper()
	began := time.Now()
	for !ok() {
		if time.Since(began) > Patience {
			t.Fatalf("waited %v for %s", Patience, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
	return time.Since(began)
}

// Must fails the test if there is an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
