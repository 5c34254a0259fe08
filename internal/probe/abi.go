package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// An ABI lists the functions and events of a contract.
type ABI []abiItem

type abiItem struct {
	Type            string   `json:"type"`
	Name            string   `json:"name"`
	StateMutability string   `json:"stateMutability"`
	Inputs          []abiArg `json:"inputs"`
	Outputs         []abiArg `json:"outputs"`
}

type abiArg struct {
	Name       string   `json:"name"`
	Type       string   `json:"type"`
	Internal   string   `json:"internalType"`
	Indexed    bool     `json:"indexed"`
	Components []abiArg `json:"components"`
}

var errNoABI = errors.New("no ABI: want a JSON list of functions and events, " +
	`or a compiler's file that has one under "abi"`)

// ParseABI reads the ABI of a contract: the list itself, a compiler's output with the list under
// "abi", or an explorer's answer with the list as a string under "result".
func ParseABI(text []byte) (ABI, error) {
	var outer struct {
		ABI    json.RawMessage `json:"abi"`
		Result string          `json:"result"`
	}
	if json.Unmarshal(text, &outer) == nil {
		switch {
		case len(outer.ABI) > 0:
			text = outer.ABI
		case outer.Result != "":
			text = []byte(outer.Result)
		}
	}
	var list ABI
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoABI, err)
	}
	if !slices.ContainsFunc(list, func(i abiItem) bool { return i.Type == "function" && i.Name != "" }) {
		return nil, errNoABI
	}
	return list, nil
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]{0,63}$`)
	// fieldType matches the types that a collection file can describe.
	fieldType = regexp.MustCompile(`^(u?int[0-9]+|bool|address|string|bytes([1-9]|[12][0-9]|3[0-2]))$`)
	uintType  = regexp.MustCompile(`^uint[0-9]+$`)
)

// isView reports whether the item is a read-only function whose name is valid in a collection file.
func (i abiItem) isView() bool {
	return i.Type == "function" && (i.StateMutability == "view" || i.StateMutability == "pure") &&
		identifier.MatchString(i.Name)
}

// has reports whether the contract has a function, written like ownerOf(uint256).
func (a ABI) has(call string) bool {
	return slices.ContainsFunc(a, func(i abiItem) bool { return i.Type == "function" && i.call() == call })
}

func (i abiItem) call() string {
	var types []string
	for _, in := range i.Inputs {
		types = append(types, in.Type)
	}
	return i.Name + "(" + strings.Join(types, ",") + ")"
}

// noTraits are functions that take an id but return no traits.
var noTraits = []string{
	"ownerOf", "getApproved", "tokenURI", "uri", "tokenByIndex", "exists", "explicitOwnershipOf", "locked", "userOf",
	"userExpires", "totalSupply",
}

// A getter is a function that takes an id and returns traits.
type getter struct {
	name, call string
	returns    string // in the syntax of a collection file
	fields     []abiArg
}

// maxFields is the most fields that a collection has.
const maxFields = 64

// getters returns the functions that take one number and are not part of a standard, those with the
// most return values first. It leaves out functions whose results a collection file cannot describe.
func (a ABI) getters() (list []getter) {
	for _, i := range a {
		if !i.isView() || len(i.Inputs) != 1 || !uintType.MatchString(i.Inputs[0].Type) || len(i.Outputs) == 0 ||
			slices.Contains(noTraits, i.Name) {
			continue
		}
		g := getter{name: strings.Trim(i.Name, "_$"), call: i.call(), returns: "values", fields: i.Outputs}
		if len(i.Outputs) == 1 && i.Outputs[0].Type == "tuple" {
			g.returns = "struct"
			g.fields = i.Outputs[0].Components
		}
		fits := !slices.ContainsFunc(g.fields, func(f abiArg) bool { return !fieldType.MatchString(f.Type) })
		twin := slices.ContainsFunc(list, func(o getter) bool { return o.name == g.name })
		if fits && !twin && g.name != "" && len(g.fields) > 0 && len(g.fields) <= maxFields {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(x, y getter) int { return len(y.fields) - len(x.fields) })
	return list
}

func orNumber(name string, i int) string {
	if name == "" {
		return fmt.Sprintf("value %d", i+1)
	}
	return name
}

// standardEvents need no line in a collection file.
var standardEvents = []string{
	"Transfer", "Approval", "ApprovalForAll", "MetadataUpdate", "BatchMetadataUpdate", "TraitUpdated",
	"TraitUpdatedRange", "TraitUpdatedRangeUniformValue",
}

// events returns the contract's own events that name a token, in the syntax of a collection file.
// An argument of an event is an id if it is an unsigned integer, and its name ends in "id" or is the
// name of the getter.
func (a ABI) events(getter string) (list []string) {
	for _, i := range a {
		if i.Type != "event" || slices.Contains(standardEvents, i.Name) || !identifier.MatchString(i.Name) {
			continue
		}
		var args []string
		id := ""
		plain := true
		for n, arg := range i.Inputs {
			if !identifier.MatchString(arg.Name) {
				arg.Name = fmt.Sprintf("arg%d", n+1)
			}
			base := strings.TrimSuffix(arg.Type, "[]")
			plain = plain && (fieldType.MatchString(base) || base == "bytes")
			named := strings.EqualFold(getter, arg.Name) || strings.HasSuffix(strings.ToLower(arg.Name), "id")
			if id == "" && named && uintType.MatchString(arg.Type) {
				id = arg.Name
			}
			indexed := ""
			if arg.Indexed {
				indexed = " indexed"
			}
			args = append(args, arg.Type+indexed+" "+arg.Name)
		}
		if plain && id != "" {
			list = append(list, fmt.Sprintf("{event: %q, id: %s}", i.Name+"("+strings.Join(args, ", ")+")", id))
		}
	}
	return list
}
