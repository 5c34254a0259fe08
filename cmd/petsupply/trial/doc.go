// Package trial tests the built program as in production: many instances, faults, limits,
// upgrades. It has only tests. Run them with go test. -soak N makes them longer, and -update writes
// docs/FAULTS.md.
package trial
