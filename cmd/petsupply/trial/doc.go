// Package trial puts the built program through what production will: many
// instances, faults, limits, upgrades, backups. It has tests only; run them with
// go test, for longer with -soak N, and with -update to write docs/FAULTS.md.
package trial
