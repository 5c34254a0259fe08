// Package examples holds configurations to start from, and the schema that
// editors check them by.
package examples

import _ "embed"

// Schema is the JSON Schema of the configuration file; make docs writes it.
//
//go:embed petsupply.schema.json
var Schema string
