// Package lint checks the files for operators with the libraries of the programs that read them:
// BuildKit, Compose, Kubernetes and Prometheus. It is a module of its own, so that none of them
// becomes a dependency of the program. Run go test in it.
package lint
