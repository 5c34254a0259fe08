package consumercheck

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A specification is a service's OpenAPI document.
type specification map[string]any

// describes reports whether the interface has a path.
func (s specification) describes(path string) bool {
	return s.follow(map[string]any(s), "paths", path) != nil
}

// follow returns the object to which the keys lead from an object, or nil if there is none. It
// resolves references ($ref).
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
		header := s.follow(headers[name])
		if value == "" && header["required"] == true {
			return fmt.Errorf("there is no header %s, which the specification promises", name)
		}
		if value == "" {
			continue
		}
		if err := s.validate(header["schema"], value); err != nil {
			return fmt.Errorf("the header %s %w", name, err)
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
		var err error
		value, err = jsonschema.UnmarshalJSON(bytes.NewReader(a.body))
		if err != nil {
			return err
		}
	}
	if err := s.validate(s.follow(content)["schema"], value); err != nil {
		return fmt.Errorf("the answer %w", err)
	}
	return nil
}

// validate returns an error if a value does not fit a schema of the specification. A value without
// a schema fits.
func (s specification) validate(schema, value any) error {
	if schema == nil {
		return nil
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(jsonschema.SchemeURLLoader{}) // a specification must not name files of this machine
	// The copy of the components lets references in the schema lead to them.
	whole := map[string]any{"components": s["components"], "allOf": []any{schema}}
	if err := c.AddResource("urn:specification", whole); err != nil {
		return err
	}
	compiled, err := c.Compile("urn:specification")
	if err != nil {
		return fmt.Errorf("has a schema that is not valid: %w", err)
	}
	if err := compiled.Validate(value); err != nil {
		text := err.Error()
		_, text, _ = strings.Cut(text[strings.LastIndex(text, "\n")+1:], "- ")
		return fmt.Errorf("is not as the specification promises, %.300s", text)
	}
	return nil
}
