// Package lint reads what is shipped with the libraries of those who will run
// it: BuildKit, Compose, Kubernetes and Prometheus. It is a module of its own,
// so that none of them becomes a dependency of the program. Run go test in it.
package lint
