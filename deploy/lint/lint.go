// Package lint checks the files for operators with the libraries of the programs that read them:
// BuildKit, Compose, Kubernetes and Prometheus. It also lints the specifications that the program
// serves. It is a module of its own, so that none of the libraries becomes a dependency of the
// program. make soak runs it.
package lint
