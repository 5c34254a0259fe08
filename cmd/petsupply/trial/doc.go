// Package trial tests the built program as in production: many instances, faults, and limits. It
// has only tests. docs/FAULTS.md says what callers see. Build tag soak makes the tests longer.
package trial
