package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// checkLine checks one line of a script and returns the mistake, or "".
func checkLine(line string, resp *http.Response, body []byte, vars map[string]string) string {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "raw":
		return ""
	case "code":
		return compare(rest, strconv.Itoa(resp.StatusCode), vars)
	case "header":
		name, rest, _ := strings.Cut(rest, " ")
		return compare(rest, strings.Join(resp.Header.Values(name), ", "), vars)
	case "body":
		return compare(rest, string(body), vars)
	case "json":
		path, rest, _ := strings.Cut(rest, " ")
		value, err := dig(body, path)
		if err != nil {
			return err.Error()
		}
		return compare(rest, value, vars)
	case "let":
		name, what, _ := strings.Cut(rest, " = ")
		switch kind, arg, _ := strings.Cut(what, " "); kind {
		case "header":
			vars[name] = resp.Header.Get(arg)
		case "json":
			value, err := dig(body, arg)
			if err != nil {
				return err.Error()
			}
			vars[name] = value
		case "body":
			vars[name] = string(body)
		}
		if vars[name] == "" {
			return "nothing to keep"
		}
		return ""
	}
	return "no such check"
}

// compare reads "== text", "!= text" or "~ regexp".
func compare(rule, got string, vars map[string]string) string {
	op, want, _ := strings.Cut(rule, " ")
	want = fill(want, vars)
	ok := false
	switch op {
	case "==":
		ok = got == want
	case "!=":
		ok = got != want
	case "~":
		re, err := regexp.Compile(want)
		if err != nil {
			return err.Error()
		}
		ok = re.MatchString(got)
	default:
		return "no such comparison"
	}
	if ok {
		return ""
	}
	return fmt.Sprintf("got %.300q", got)
}

// dig finds a value in JSON by a path of keys and indices. It keeps numbers as they are written. #
// is an array's length.
func dig(body []byte, path string) (string, error) {
	dec := json.NewDecoder(strings.NewReader(string(body)))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "", fmt.Errorf("not JSON: %w", err)
	}
	for _, key := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			var ok bool
			v, ok = x[key]
			if !ok {
				return "", fmt.Errorf("no key %s", key)
			}
		case []any:
			if key == "#" {
				return strconv.Itoa(len(x)), nil
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				return "", fmt.Errorf("no element %s of %d", key, len(x))
			}
			v = x[i]
		default:
			return "", fmt.Errorf("nothing under %s", key)
		}
	}
	if v == nil {
		return "null", nil
	}
	return fmt.Sprint(v), nil
}
