//go:build !soak

package check

// Soak reports whether tests run in their long form, as in make soak.
const Soak = false
