package main

import (
	"encoding/json"
	"strings"
	"testing"

	"petsupply/internal/web/openapi"
)

// An operation is a kind of request that a specification has.
type operation struct {
	ID, Path   string
	Parameters []operationParameter
}

// An operationParameter is a part of a path or of a query.
type operationParameter struct {
	Name, In string
	Schema   struct{ Enum []string }
	Ref      string `json:"$ref"`
}

// operationsOf returns the operations of a specification.
func operationsOf(t *testing.T, d openapi.Document) (list []operation) {
	t.Helper()
	var doc struct {
		Paths map[string]struct {
			Parameters []operationParameter
			Get        struct {
				OperationID string
				Parameters  []operationParameter
			}
		}
		Components struct{ Parameters map[string]operationParameter }
	}
	must(t, json.Unmarshal(d.JSON(), &doc))
	for path, item := range doc.Paths {
		op := operation{ID: item.Get.OperationID, Path: path}
		for _, p := range append(item.Parameters, item.Get.Parameters...) {
			if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
				p = doc.Components.Parameters[name]
			}
			op.Parameters = append(op.Parameters, p)
		}
		list = append(list, op)
	}
	return list
}
