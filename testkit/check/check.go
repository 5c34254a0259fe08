// Package check has what tests of several rooms need.
package check
