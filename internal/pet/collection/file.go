package collection

import (
	"petsupply/internal/yamlfile"
)

// A file is a collection file as it is written. The comments are its reference.
type file struct {
	// What the collection is called.
	Name string `yaml:"name" jsonschema:"required"`
	// What one of its tokens is called, in the singular: pet.
	One string `yaml:"one"`
	// What several are called: pets.
	Many string `yaml:"many"`
	// A sentence about the collection.
	Description string `yaml:"description"`
	// The calls that return the traits of a token, by a name of your choice that
	// realms refer to. Without any, traits come from petsupply import.
	Getters yamlfile.Ordered[getterFile] `yaml:"getters"`
	// How the tokens of a contract are found.
	Count countFile `yaml:"count"`
	// Events that name a token whose traits have changed, besides those of ERC-721,
	// ERC-4906 and ERC-7496.
	Events []eventFile `yaml:"events"`
	// The traits, in the order in which the contract returns them.
	Fields []fieldFile `yaml:"fields"`
	// Tables of words. A table of the same name in the art pack comes first.
	Tables map[string]Table `yaml:"tables"`
	// Words that are looked up in tables, by a name that attributes, data and texts
	// refer to.
	Words yamlfile.Ordered[valueFile] `yaml:"words"`
	// The texts of a token.
	Token tokenFile `yaml:"token"`
	// The attributes of a token's metadata, in order.
	Attributes []attributeFile `yaml:"attributes"`
	// Further keys of the metadata, under data.
	Data yamlfile.Ordered[valueFile] `yaml:"data"`
}

type getterFile struct {
	// The call, such as getPet(uint256).
	Call string `yaml:"call" jsonschema:"required"`
	// What it returns: struct, or values for a list of values.
	Returns string `yaml:"returns"`
	// Its arguments: id, and constants as 0x and 64 hexadecimal digits.
	Args []string `yaml:"args"`
}

// A countFile is written as a word or as one of two keys.
type countFile struct {
	// A call that returns the id that the next token will have.
	Next string `yaml:"next"`
	// A call that returns the id of the newest token.
	Last string `yaml:"last"`

	kind string // enumerable or transfers
}

// SetScalar reads enumerable or transfers.
func (c *countFile) SetScalar(s string) error {
	c.kind = s
	return nil
}

type eventFile struct {
	// The event with the names of its arguments, such as
	// Fed(address indexed owner, uint256 id). The name of a getter that returns a
	// struct is the type of that struct.
	Event string `yaml:"event" jsonschema:"required"`
	// Which argument is the token's id.
	ID string `yaml:"id" jsonschema:"required"`
}

type fieldFile struct {
	// The contract's name of the field. In rawData, imports and changes it is in
	// lower case.
	Name string `yaml:"name" jsonschema:"required"`
	// Its type: uint8 to uint256, int8 to int256, bool, address, bytes1 to bytes32,
	// string, or word for text that listings can filter by.
	Type string `yaml:"type"`
	// Its short name in queries, packs and texts. Default: the name in lower case.
	Key string `yaml:"key"`
	// Its roles: id, name, look (it shows in pictures), rank (the higher, the rarer).
	Is roles `yaml:"is"`
	// Listings can select by it.
	Filter bool `yaml:"filter"`
	// Listings can be sorted by it: ascending or descending.
	Sort string `yaml:"sort"`
	// Pets are counted by it, together with the other fields that say so.
	Counted bool `yaml:"counted"`
	// How many values it has, from 0 on. A pack must draw all of them.
	Values int `yaml:"values"`
	// It is read as true or false.
	Bool bool `yaml:"bool"`
	// The getters that return it. Default: all.
	Getters []string `yaml:"getters"`
	// The field that it is a slice of.
	Of string `yaml:"of"`
	// The slice in bits: the lowest bit, counted from 0, and how many.
	Bits []int `yaml:"bits"`
	// The slice in decimal digits: the lowest digit, counted from 0, and how many.
	Digits []int `yaml:"digits"`
}

// roles is a list that may be written as one word.
type roles []string

// SetScalar reads one role.
func (r *roles) SetScalar(s string) error {
	*r = roles{s}
	return nil
}

// A valueFile is a value that is published: a text with names in braces, a field
// or built-in, a word, or a look-up in a table. A plain string is a text.
type valueFile struct {
	// A text. {name} is replaced by a word, a field or a built-in, {name#} by the
	// number of a field.
	Text string `yaml:"text"`
	// A field, or one of id, number, realm, native_realm, owner, in_transit, closed,
	// block and changed_at.
	Field string `yaml:"field"`
	// A word.
	Word string `yaml:"word"`
	// A table, the fields or words that its rows are found by, and the column.
	Table  string   `yaml:"table"`
	By     []string `yaml:"by"`
	Column string   `yaml:"column"`
	// What to show where the table has no such row.
	None string `yaml:"none"`
	// How a field is shown: text, number, date, stars, yes_no or bool.
	Display string `yaml:"display"`
	// From which values on a field has one star, two stars and so on.
	Stars []int `yaml:"stars"`
	// Show it only where this field is not zero.
	When string `yaml:"when"`
	// What to show otherwise. Default: nothing, the attribute or key is left out.
	Otherwise string `yaml:"otherwise"`
}

// SetScalar reads a text.
func (v *valueFile) SetScalar(s string) error {
	v.Text = s
	return nil
}

type attributeFile struct {
	// The trait's name.
	Trait     string `yaml:"trait" jsonschema:"required"`
	valueFile `yaml:",inline"`
}

type tokenFile struct {
	// Its name, where its owner gave it none.
	Name string `yaml:"name"`
	// Its description.
	Description string `yaml:"description"`
	// A short line below its name, in lists.
	Line string `yaml:"line"`
	// The word that says what kind of thing a token is. It is looked up by fields that
	// have filter. Tokens are counted by kind, and searched by its words.
	Kind string `yaml:"kind"`
	// The word that groups kinds.
	Family string `yaml:"family"`
}
