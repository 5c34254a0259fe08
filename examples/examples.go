// Package examples has configurations to start from, and their schema for editors.
package examples

import _ "embed"

// Schema is the JSON Schema of the configuration file. make docs writes it.
//
//go:embed petsupply.schema.json
var Schema string
