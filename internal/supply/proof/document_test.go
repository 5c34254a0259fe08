package proof

import (
	"strings"
	"testing"
)

func TestParseIsStrict(t *testing.T) {
	good := `{"format":"petsupply-proof/1","snapshot":"a","chains":[{"chainId":1,"block":{"number":1,"hash":"0x` +
		strings.Repeat("0", 64) +
		`"},"header":"0x","calls":[{"balance":"0x` + strings.Repeat("1", 40) +
		`","return":"0x01"}],"nodes":[],"codes":[]}],"entries":[]}`
	if _, err := Parse(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another format":       {"proof/1", "proof/2"},
		"an unknown field":     {`"header"`, `"more":1,"header"`},
		"no chain id":          {`"chainId":1`, `"chainId":0`},
		"a negative id":        {`"chainId":1`, `"chainId":-1`},
		"no calls":             {`"calls":[`, `"codes":[],"calls":[],"x":[`},
		"to and balance":       {`"balance"`, `"to":"0x` + strings.Repeat("1", 40) + `","balance"`},
		"odd hex":              {`"0x01"`, `"0x1"`},
		"something after":      {`"entries":[]}`, `"entries":[]}{}`},
		"a key in capitals":    {`"header"`, `"HEADER"`},
		"a key twice":          {`"header":"0x"`, `"header":"0x","header":"0x"`},
		"a key in two cases":   {`"header":"0x"`, `"header":"0x","Header":"0x"`},
		"a key with an escape": {`"header":"0x"`, `"header":"0x","h\u0065ader":"0x"`},
		"a misplaced key":      {`"snapshot":"a"`, `"snapshot":"a","known":"proven"`},
		"a misplaced return":   {`"chainId":1`, `"chainId":1,"return":"0x01"`},
		"the call twice": {`"calls":[`, `"calls":[{"balance":"0x` + strings.Repeat("1", 40) +
			`","return":"0x02"},`},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, change[0], change[1], 1)
			if _, err := Parse(strings.NewReader(text)); text == good || err == nil {
				t.Error("the altered proof was read")
			}
		})
	}
	if _, err := Parse(strings.NewReader(`"` + strings.Repeat("x", maxFile+1))); err == nil ||
		!strings.Contains(err.Error(), "larger") {
		t.Errorf("a file that is too large: %v", err)
	}
}
