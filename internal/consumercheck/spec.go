package consumercheck

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
)

// A specification is a service's OpenAPI document, as far as answers are compared with it.
type specification struct {
	Paths map[string]struct {
		Get struct {
			Responses map[string]struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}
	Components struct{ Schemas map[string]schema }
}

// A schema says which type a value has, and which keys an object has at least.
type schema struct {
	Ref        string `json:"$ref"`
	Type       any    // a name, or a list of names; nil for any type
	Required   []string
	Properties map[string]schema
	Items      *schema
}

// promises checks for a JSON document as the specification describes it for a path, and decodes the
// document.
func (s *specification) promises(path string, document any) check {
	return func(a *answer) error {
		var value any
		if err := isJSON(&value)(a); err != nil {
			return err
		}
		content, ok := s.Paths[path].Get.Responses["200"].Content["application/json"]
		if !ok {
			return errors.New("the specification does not describe this address")
		}
		if err := s.compare("the document", content.Schema, value); err != nil {
			return err
		}
		return json.Unmarshal(a.body, document)
	}
}

// compare returns an error if a value does not fit a schema. at says where the value is.
func (s *specification) compare(at string, want schema, value any) error {
	if name, ok := strings.CutPrefix(want.Ref, "#/components/schemas/"); ok {
		return s.compare(at, s.Components.Schemas[name], value)
	}
	if have := typeOf(value); want.Type != nil && !strings.Contains(fmt.Sprint(want.Type), have) &&
		!(want.Type == "number" && have == "integer") {
		return fmt.Errorf("%s is of the type %s, and the specification promises %v", at, have, want.Type)
	}
	if list, ok := value.([]any); ok && want.Items != nil {
		for i, x := range list {
			if err := s.compare(fmt.Sprintf("%s[%d]", at, i), *want.Items, x); err != nil {
				return err
			}
		}
	}
	object, _ := value.(map[string]any)
	for _, key := range want.Required {
		x, ok := object[key]
		if !ok {
			return fmt.Errorf("%s has no %s, which the specification promises", at, key)
		}
		if err := s.compare(at+"."+key, want.Properties[key], x); err != nil {
			return err
		}
	}
	return nil
}

// typeOf returns the name of a value's type in JSON Schema.
func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case float64:
		if v != math.Trunc(v) {
			return "number"
		}
		return "integer"
	}
	return "object"
}
