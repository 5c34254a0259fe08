// Package examples has configurations to start from, and schemas for editors.
package examples

import _ "embed"

// Schema is the JSON Schema of the configuration file. make docs writes it.
//
//go:embed petsupply.schema.json
var Schema string

// CollectionSchema is the JSON Schema of collection files. make docs writes it.
//
//go:embed collection.schema.json
var CollectionSchema string
