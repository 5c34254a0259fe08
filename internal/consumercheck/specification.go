package consumercheck

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A specification is a service's OpenAPI document.
type specification map[string]any

// describes reports whether the interface has a path.
func (s specification) describes(path string) bool {
	return s.follow(map[string]any(s), "paths", path) != nil
}

// follow returns the object to which the keys lead from an object. It replaces references by what
// they name. It returns nil if there is no such object.
func (s specification) follow(from any, keys ...string) map[string]any {
	object, _ := from.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		object = s
		for key := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
			object, _ = object[key].(map[string]any)
		}
	}
	for _, key := range keys {
		object = s.follow(object[key])
	}
	return object
}

// fits returns an error if an answer is not as the specification describes it for a path.
func (s specification) fits(path string, a *answer) error {
	response := s.follow(map[string]any(s), "paths", path, "get", "responses", strconv.Itoa(a.status))
	if response == nil {
		return fmt.Errorf("the specification does not describe status %d of %s", a.status, path)
	}
	headers := s.follow(response, "headers")
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		value := a.header.Get(name)
		switch header := s.follow(headers[name]); {
		case value != "":
			if err := s.compare("the header "+name, s.follow(header, "schema"), value); err != nil {
				return err
			}
		case header["required"] == true:
			return fmt.Errorf("there is no header %s, which the specification promises", name)
		}
	}
	contents := s.follow(response, "content")
	if contents == nil {
		return nil
	}
	content, ok := contents[a.mediaType()]
	if !ok {
		return fmt.Errorf("the type is %q, and the specification promises %s",
			a.mediaType(), strings.Join(slices.Sorted(maps.Keys(contents)), " or "))
	}
	var value any = string(a.body)
	if strings.HasSuffix(a.mediaType(), "json") {
		if err := json.Unmarshal(a.body, &value); err != nil {
			return err
		}
	}
	return s.compare("the answer", s.follow(content, "schema"), value)
}

// compare returns an error if a value does not fit a schema. at says where the value is.
func (s specification) compare(at string, schema map[string]any, value any) error {
	have := typeOf(value)
	if want := schema["type"]; want != nil && !strings.Contains(fmt.Sprint(want), have) &&
		!(want == "number" && have == "integer") {
		return fmt.Errorf("%s is of the type %s, and the specification promises %v", at, have, want)
	}
	allowed, _ := schema["enum"].([]any)
	if only, ok := schema["const"]; ok {
		allowed = []any{only}
	}
	same := func(want any) bool { return fmt.Sprint(want) == fmt.Sprint(value) }
	if len(allowed) > 0 && !slices.ContainsFunc(allowed, same) {
		return fmt.Errorf("%s is %.60q, and the specification promises %v", at, fmt.Sprint(value), allowed)
	}
	switch value := value.(type) {
	case string:
		pattern, _ := schema["pattern"].(string)
		if fit, err := regexp.MatchString(pattern, value); err != nil || !fit {
			return fmt.Errorf("%s is %.60q, and the specification promises %s", at, value, pattern)
		}
	case []any:
		for i, item := range value {
			if err := s.compare(fmt.Sprintf("%s[%d]", at, i), s.follow(schema, "items"), item); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.compareObject(at, schema, value)
	}
	return nil
}

// compareObject does the same for the members of an object.
func (s specification) compareObject(at string, schema, object map[string]any) error {
	required, _ := schema["required"].([]any)
	for _, key := range required {
		if _, ok := object[fmt.Sprint(key)]; !ok {
			return fmt.Errorf("%s has no %s, which the specification promises", at, key)
		}
	}
	properties := s.follow(schema, "properties")
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if err := s.compare(at+"."+key, s.follow(properties[key]), object[key]); err != nil {
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
