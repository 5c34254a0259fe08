package collection

import (
	"petsupply/internal/yamlfile"
)

// A file is a collection file as written. The comments of its fields are copied to
// examples/collection.schema.json.
type file struct {
	// The name of the collection.
	Name string `yaml:"name" jsonschema:"required"`
	// The word for one token, such as pet. Default: token.
	One string `yaml:"one"`
	// The word for several tokens, such as pets. Default: tokens.
	Many string `yaml:"many"`
	// A sentence about the collection.
	Description string `yaml:"description"`
	// The calls that return a token's traits, by a name of your choice. Realms refer to these
	// names. Without getters, traits come from the command `petsupply import`.
	Getters yamlfile.Ordered[getterFile] `yaml:"getters"`
	// How the service finds the tokens of a contract.
	Count countFile `yaml:"count"`
	// Events that say that a token's traits have changed. The events of ERC-721, ERC-4906 and
	// ERC-7496 are known already.
	Events []eventFile `yaml:"events"`
	// The traits, in the order in which the contract returns them.
	Fields []fieldFile `yaml:"fields"`
	// Tables of words. A table of the same name in the art pack has precedence.
	Tables map[string]Table `yaml:"tables"`
	// Words that are looked up in tables, by name. Attributes, data and texts refer to these names.
	Words yamlfile.Ordered[valueFile] `yaml:"words"`
	// The texts of a token.
	Token tokenFile `yaml:"token"`
	// The attributes of a token's metadata, in order.
	Attributes []attributeFile `yaml:"attributes"`
	// Further values in the metadata, under the key `data`.
	Data yamlfile.Ordered[valueFile] `yaml:"data"`
}

type getterFile struct {
	// The call, such as getPet(uint256). Its argument is the token's id.
	Call string `yaml:"call" jsonschema:"required"`
	// What the call returns: struct (one struct) or values (several values). Default: struct.
	Returns string `yaml:"returns"`
}

// A countFile is a word, or an object with one of two keys.
type countFile struct {
	// A call that returns the id of the next token.
	Next string `yaml:"next"`
	// A call that returns the id of the newest token.
	Last string `yaml:"last"`

	kind string // enumerable or transfers
}

// SetScalar reads a plain word: "enumerable" or "transfers".
func (c *countFile) SetScalar(s string) error {
	c.kind = s
	return nil
}

type eventFile struct {
	// The event with the names of its arguments, such as Fed(address indexed owner, uint256 id). For
	// an argument with the struct of a getter, write the getter's name as its type.
	Event string `yaml:"event" jsonschema:"required"`
	// Which argument is the token's id.
	ID string `yaml:"id" jsonschema:"required"`
}

type fieldFile struct {
	// The field's name in the contract. This file names the field by it. In rawData and in changes it
	// is in lower case.
	Name string `yaml:"name" jsonschema:"required"`
	// The type: uint8 to uint256, int8 to int256, bool, address, bytes1 to bytes32, string, or word
	// for text that listings can filter by.
	Type string `yaml:"type"`
	// Another name for queries and for the file names of packs. Default: the name.
	Key string `yaml:"key"`
	// The roles: id, name, look (pictures depend on it), rank (higher values are rarer).
	Is roles `yaml:"is"`
	// Whether listings can filter by the field.
	Filter bool `yaml:"filter"`
	// How the gallery sorts by the field: ascending or descending.
	Sort string `yaml:"sort"`
	// What pages call a change of this field, such as Fed.
	Change string `yaml:"change"`
	// The number of values, which start at 0. A pack must draw all of them.
	Values int `yaml:"values"`
	// Whether the field means true or false: 0 is false, and any other number is true.
	Bool bool `yaml:"bool"`
	// The getters that return the field. Default: all.
	Getters []string `yaml:"getters"`
	// The field that this one is a slice of.
	Of string `yaml:"of"`
	// The slice in bits: the lowest bit, counted from 0, and the number of bits.
	Bits []int `yaml:"bits"`
}

// roles is a list. A single role can be a plain word.
type roles []string

// SetScalar reads one role.
func (r *roles) SetScalar(s string) error {
	*r = roles{s}
	return nil
}

// A valueFile is a published value: a text with names in braces, a field or built-in, a word, or a
// look-up in a table. A plain string is a text.
type valueFile struct {
	// A text. {name} is replaced by a word, a field or a built-in, and {name#} by the number of a
	// field.
	Text string `yaml:"text"`
	// A field, or one of id, number, realm, native_realm, owner, in_transit, closed,
	// block and changed_at.
	Field string `yaml:"field"`
	// A word.
	Word string `yaml:"word"`
	// A table that has the text.
	Table string `yaml:"table"`
	// The fields or words that rows of the table are found by.
	By []string `yaml:"by"`
	// The column of the table.
	Column string `yaml:"column"`
	// The text if the table has no row for the token.
	None string `yaml:"none"`
	// How a field is shown: text, number, date, stars, yes_no or bool.
	Display string `yaml:"display"`
	// The lowest value for one star, for two stars and so on.
	Stars []int `yaml:"stars"`
	// A field. The value is shown only if this field is not 0.
	When string `yaml:"when"`
	// The text that is shown if the field in `when` is 0. Default: the attribute or key is left
	// out.
	Otherwise string `yaml:"otherwise"`
}

// SetScalar reads a text.
func (v *valueFile) SetScalar(s string) error {
	v.Text = s
	return nil
}

type attributeFile struct {
	// The name of the trait.
	Trait string `yaml:"trait" jsonschema:"required"`
	// What pages call the trait. Default: its name, in which only the first word keeps its capital
	// letter.
	Label     string `yaml:"label"`
	valueFile `yaml:",inline"`
}

type tokenFile struct {
	// The name of a token whose owner gave it none.
	Name string `yaml:"name"`
	// The description of a token.
	Description string `yaml:"description"`
	// A short line below the name in lists.
	Line string `yaml:"line"`
	// The entry of `words` that names a token's kind. The entry must have a `table`, and its `by`
	// may list only numbers that have `filter`. Tokens can be found by the name of their kind.
	Kind string `yaml:"kind"`
	// The word that groups kinds.
	Family string `yaml:"family"`
}
