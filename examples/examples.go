// Package examples has configurations to start from, and schemas for editors.
package examples

import _ "embed"

// Schema is the JSON Schema of the configuration file. go test ./internal/config -update writes it.
//
//go:embed petsupply.schema.json
var Schema string

// CollectionSchema is the JSON Schema of collection files. go test ./internal/pet/collection -update
// writes it.
//
//go:embed collection.schema.json
var CollectionSchema string
