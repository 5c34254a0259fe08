package petpack

import _ "embed" // the schemas

// Schema is the JSON Schema of pack.json in the form of petpack/2, for editors.
//
//go:embed pack.schema.json
var Schema []byte

// LockSchema is the JSON Schema of pack.lock.
//
//go:embed lock.schema.json
var LockSchema []byte
