// Package trial tests the built program as in production: many instances, faults, limits, upgrades,
// backups. It has only tests. Run them with go test, for longer with -soak N, and with -update to
// write docs/FAULTS.md.
package trial
