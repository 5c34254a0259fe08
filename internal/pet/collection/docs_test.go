package collection

import (
	"os"
	"strings"
	"testing"
)

// The collection file in the document fits the contract in the same document.
func TestTheDocumentedCollection(t *testing.T) {
	page, err := os.ReadFile("../../../docs/COLLECTIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ := strings.Cut(rest, "```")
	c := parse(t, text)
	texts := plainTexts(t, c, nil)
	v, _, err := c.FromTexts(map[string]string{"genes": "513", "temper": "-5", "tame": "true", "title": "Ember",
		"bornAt": "1700000000"})
	if err != nil {
		t.Fatal(err)
	}
	x := &Token{ID: 7, Number: 7, Value: v}
	if texts.Name(x) != "Ember #7" || texts.Line(x) != "Feathered wings" || len(texts.Attributes(x)) != 5 {
		t.Errorf("name %s, line %s, attributes %v", texts.Name(x), texts.Line(x), texts.Attributes(x))
	}
	for _, want := range []string{"function dragon(uint256 id)", "lastDragon;",
		"event Roared(address indexed by, uint256 dragon, int16 temper)",
		"struct Dragon { uint256 genes; int16 temper; bool tame; string title; uint64 bornAt; }"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the contract has no %s", want)
		}
	}
}
