package proof

import (
	"encoding/json"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm"
)

// FamilyNames lists the families of clients, for tests that also gather.
func FamilyNames() (names []string) {
	for _, f := range families {
		names = append(names, f.name)
	}
	return names
}

func familyNamed(name string) *family {
	return families[slices.IndexFunc(families, func(f *family) bool { return f.name == name })]
}

// ZeroHeader returns the fields of a header of the family, all zero. An old header has only the
// required fields.
func ZeroHeader(family string, old bool) map[string]any {
	fields := map[string]any{}
	f := familyNamed(family)
	for i, field := range f.fields {
		if old && i >= f.required {
			break
		}
		switch field.size {
		case quantity:
			fields[field.name] = "0x0"
		case text:
			fields[field.name] = "0x"
		default:
			fields[field.name] = hexutil.Encode(make([]byte, field.size))
		}
	}
	return fields
}

// EncodeAs returns the RLP of a header in the form of the family.
func EncodeAs(family string, block json.RawMessage) ([]byte, bool) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(block, &fields); err != nil {
		return nil, false
	}
	return familyNamed(family).encode(fields)
}

// BlockOf returns the block of an RLP header.
func BlockOf(header []byte) (evm.Block, error) {
	h, err := decodeHeader(header)
	if err != nil {
		return evm.Block{}, err
	}
	return h.Block, nil
}

// BudgetOf returns a budget with that much gas.
func BudgetOf(gas uint64) *Budget { return &Budget{gas: gas, nodes: maxVisits, keys: MaxKeys} }

// VisitsOf returns a budget of that many trie nodes.
func VisitsOf(nodes int) *Budget { return &Budget{gas: MaxGas, nodes: nodes, keys: MaxKeys} }
